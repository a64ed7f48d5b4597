"""The system calls that a confined command has no business with, by number.

Research: commands and sandbox, B.3. Each row: what it would open, the name, its number on x86_64 and on aarch64 (None
where the architecture lacks it). From 424 on both count alike.
"""

from __future__ import annotations

FORBIDDEN: tuple[tuple[str, int | None, int | None], ...] = (
    # other processes
    ("ptrace", 101, 117),
    ("process_vm_readv", 310, 270),
    ("process_vm_writev", 311, 271),
    ("process_madvise", 440, 440),
    ("kcmp", 312, 272),
    ("pidfd_getfd", 438, 438),
    ("perf_event_open", 298, 241),
    # a second way to do what the filter below sees: requests in shared memory are never filtered
    ("io_uring_setup", 425, 425),
    ("io_uring_enter", 426, 426),
    ("io_uring_register", 427, 427),
    # kernel surface that exploits begin with
    ("bpf", 321, 280),
    ("userfaultfd", 323, 282),
    ("fanotify_init", 300, 262),
    ("modify_ldt", 154, None),
    ("uselib", 134, None),
    ("lookup_dcookie", 212, 18),
    # keys of the session that started Ralph
    ("add_key", 248, 217),
    ("request_key", 249, 218),
    ("keyctl", 250, 219),
    # other views of the file system, and files by handle instead of by name
    ("mount", 165, 40),
    ("umount2", 166, 39),
    ("pivot_root", 155, 41),
    ("chroot", 161, 51),
    ("open_tree", 428, 428),
    ("move_mount", 429, 429),
    ("fsopen", 430, 430),
    ("fsconfig", 431, 431),
    ("fsmount", 432, 432),
    ("fspick", 433, 433),
    ("mount_setattr", 442, 442),
    ("open_tree_attr", 467, 467),
    ("open_by_handle_at", 304, 265),
    ("setns", 308, 268),
    # the machine itself
    ("kexec_load", 246, 104),
    ("kexec_file_load", 320, 294),
    ("init_module", 175, 105),
    ("finit_module", 313, 273),
    ("delete_module", 176, 106),
    ("create_module", 174, None),
    ("reboot", 169, 142),
    ("swapon", 167, 224),
    ("swapoff", 168, 225),
    ("acct", 163, 89),
    ("syslog", 103, 116),
    ("quotactl", 179, 60),
    ("quotactl_fd", 443, 443),
    ("nfsservctl", 180, 42),
    ("settimeofday", 164, 170),
    ("clock_settime", 227, 112),
    ("clock_adjtime", 305, 266),
    ("sethostname", 170, 161),
    ("setdomainname", 171, 162),
    ("iopl", 172, None),
    ("ioperm", 173, None),
    ("vhangup", 153, 58),
)

# Those that are fit or unfit by an argument, or that must look as if the kernel were older.
JUDGED: dict[str, tuple[int | None, int | None]] = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "unshare": (272, 97),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ioctl": (16, 29),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "mknod": (133, None),
    "mknodat": (259, 33),
}

NEWEST_KNOWN = 469
"""What a later kernel adds was not judged here, and is answered as an older kernel would: there is no such call."""
