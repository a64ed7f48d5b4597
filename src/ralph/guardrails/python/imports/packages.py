"""Where a project names the packages that it uses, and how: not always as they are imported."""

from __future__ import annotations

import re

from ralph.system.patterns import later

NAMING = later(r"\.(?:py|pyi|toml|cfg|txt|ini|ya?ml|lock|in)$|(?:^|/)(?:Pipfile|Dockerfile)$")
"""Files that name packages."""
MOST_FILES = 5_000
"""In a tree of more of them any package may be named."""
OTHER_NAMES = {
    "Crypto": "pycryptodomex? pycrypto",
    "Cryptodome": "pycryptodomex",
    "MySQLdb": "mysqlclient",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow(?:-simd)?",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv[\\w-]*",
    "faiss": "faiss[\\w-]*",
    "fitz": "pymupdf",
    "git": "gitpython",
    "google": "google[\\w-]* protobuf",
    "grpc": "grpcio[\\w-]*",
    "ldap": "python-ldap",
    "pkg_resources": "setuptools",
    "psycopg2": "psycopg2[\\w-]*",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "win32api": "pywin32",
    "win32con": "pywin32",
    "wx": "wxpython",
}
"""Packages that are declared by another name than they are imported by."""


def written(module: str) -> re.Pattern[bytes]:
    """What names a module that is imported: itself, or the package that it comes from."""
    name = "[_-]".join(map(re.escape, re.split(r"[_-]", module)))
    others = "".join(f"|{each}" for each in OTHER_NAMES.get(module, "").split())
    return re.compile(rf"(?i)(?<![\w.])(?:(?:py|python-)?{name}{others})(?!\w)".encode())
