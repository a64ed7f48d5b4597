"""The programs of the pack `readonly-tools`: what they read, and which of their options go further."""

from __future__ import annotations

import pytest

from tests.permissions.programs.lines import shown, use_of, verdict

READS = {
    "ls": ["."],
    "ls -la --color=auto src": ["src"],
    "ls $dir": ["…"],
    "cat -n a b": ["a", "b"],
    "cat -": [],
    "head -20 a": ["a"],
    "head -n -5 -q a b": ["a", "b"],
    "tail -n +1 a": ["a"],
    "tail -20 a": ["a"],
    "wc -l @f": ["…"],
    "grep -rn pattern src": ["src"],
    "grep -rn pattern": ["."],
    "grep pattern": [],
    "grep -e .env -e x src": ["src"],
    "grep -f words src": ["words", "src"],
    "grep @pattern $files": ["…"],
    "egrep -A3 'a|b' src/a": ["src/a"],
    "rg -n TODO": ["."],
    "rg -tpy -g !x --hidden -C 3 TODO src": ["src"],
    "rg --files src": ["."],
    "sort -k2,2n -t, a": ["a"],
    "sort -u": [],
    "uniq -c a": ["a"],
    "cut -d: -f1 a": ["a"],
    "tr -d a-z": [],
    "nl -ba a": ["a"],
    "od -A x -t x1z -v a": ["a"],
    "hexdump -C a": ["a"],
    "xxd -l 16 a": ["a"],
    "base64 -d a": ["a"],
    "sha256sum a b": ["a", "b"],
    "strings -n 8 a": ["a"],
    "diff -u a b": ["a", "b"],
    "diff -qr src tests": ["src", "tests"],
    "cmp -s a b": ["a", "b"],
    "comm -12 a b": ["a", "b"],
    "join -1 2 -t , a b": ["a", "b"],
    "column -t -s , a": ["a"],
    "fold -sw 80 a": ["a"],
    "du -sh src": ["src"],
    "du -h --max-depth=1": ["."],
    "tree -L 2 -I node_modules": ["."],
    "stat -c %%s a".replace("%%", "+"): ["a"],
    "file -b src/a": ["src/a"],
    "realpath --relative-to=src a": ["src", "a"],
    "readlink -f a": ["a"],
    "basename src/a.py .py": [],
    "dirname src/a.py": [],
    "which -a python3": [],
    "type -t ls": [],
    "pwd -P": [],
    "date -u +T": [],
    "date -d yesterday +T": [],
    "date -r a": ["a"],
    "seq -w 1 10": [],
    "seq -5 1 5": [],
    "sleep 0.5": [],
    "echo -n $x @y": [],
    "printf '+s' @x": [],
    "test -f a -a -n @x": [],
    "[ @x = y ]": [],
    "[ -v name ]": [],
    "command -v node": [],
    "jq -r .scripts package.json": ["package.json"],
    "jq --arg k v --slurpfile l list.json -n .env": ["list.json"],
    "jq --args .a a b": ["a", "b"],
    "jq . @f": ["…"],
    "find": ["."],
    "find src tests -name '*.ts' -type f -newer a": ["src", "tests", "a"],
    "find -L . -maxdepth 2 ! -path './x/*' -print0": ["."],
    "find . ( -name a -o -name b ) -prune -o -printf p": ["."],
    "sed -n 1,20p a": ["a"],
    "sed -E -e s/a/b/g -e '/x/d' a": ["a"],
    "tar -tf a.tar": ["a.tar"],
    "tar tzvf a.tgz": ["a.tgz"],
    "gzip -dc a.gz": ["a.gz"],
    "zcat a.gz": ["a.gz"],
    "unzip -l a.zip": ["a.zip"],
}
REFUSED = [
    *("find . -frob", "find @d -name x", "find . -exec ls", "find . -exec ls $x ;", "sed s/a", "sed @x a"),
    *("vim a", "ed a", "nano a", "emacs --batch"),
    *(
        "shuf -r a",
        "tail -f a",
        "tail -fn5 a",
        "tail -20f a",
        "tail -F a",
        "tail --retry a",
        "tail --follow=name a",
        "tail --fol a",
    ),
    *("wc --files0-from=a", "wc --files0 a", "du --files0-from a", "sort --files0-from a"),
    *("sort --compress-program=x a", "sort --comp x a", "sort -S1 --compress-program x a"),
    *("rg --pre x p", "rg --pre=x p", "rg -z p", "rg --search-zip p", "rg -iz p", "rg --hostname-bin=x p"),
    *("file -f list", "file -bf list", "file --files-from=list", "file -C -m x", "file -z a", "file -m x a"),
    *("tree -R", "tree --fromfile a", "md5sum -c sums", "sha256sum --check sums", "literally strings @opts"),
    *("diff -l a b", "diff --paginate a b"),
    *("date -s 2020", "date --set=x", "date --se x", "date 010112002020", "date -u 01011200", "date -f a", "date @f"),
    *("printf -v PATH x", "printf -vPATH x", "seq inf", "seq 1 inf", "sleep infinity"),
    *("jq -n env", "literally jq -n $ENV", "jq '.a|env.PATH'", "jq -f a b", "jq -L m . a", "jq 'include \"a\"; .'"),
    *("literally jq '\"\\(env)\"'", "literally jq $__prog_args"),
    *("find . -ok ls ;", "find . -okdir ls {} ;", "find -files0-from a"),
    *("test -v a[x]", "[ -v @x ]", "[ ! -R a[0] ]"),
    *("tar cf a -I x src", "tar cfI a x src", "tar -xf a --to-command=x", "tar cf a --checkpoint-action=exec=x src"),
    *("tar cf a --checkpoint-a=exec=x src", "tar -F x -xf a", "tar tf host:a", "tar --use-compress-prog=x -tf a"),
    *("tar --rsh-command=x -tf a", "zip -T a.zip a", "zip a.zip -TT x a", "rsync -e x a b", "rsync a host:b"),
    *("split --filter=x a", "patch -p1", "awk 'BEGIN{system(\"x\")}'", "awk '{print > \"f\"}'", "awk '{print|\"x\"}'"),
    *(
        "awk -f prog a",
        "gawk '@load \"x\"'",
        "awk '{\"x\"|getline}'",
        "literally awk '{while((\"x\" | getline l) > 0) print l}'",
    ),
    *("man -P x ls", "man --html=x ls", "less +!x a", "chown me a", "chmod u+s a", "chmod 4755 a", "chmod @m a"),
]
UNKNOWN = [
    "sed -n",
    *("ls --frob", "cat -Q a", "sort @f", "sort $f", "sort %", "rg @p", "file @f", "xxd -rfoo a", "xxd -as a b"),
    *("uniq $a",),
    *("jq @filter a", "[ $x = y ]", "test @op a[0]", "test @op @x", "printf @f x", "tar xf a.tar", "unzip a.zip"),
]
WRITES = {
    "sort -o out a": ["out"],
    "sort -oout a": ["out"],
    "sort --outp=out a": ["out"],
    "sort -uo out a": ["out"],
    "sort -T dir a": ["dir"],
    "uniq a b": ["b"],
    "uniq @a b": ["b"],
    "shuf -o out a": ["out"],
    "tree -o out": ["out"],
    "tree --output=out": ["out"],
    "xxd a b": ["b"],
    "xxd -r a b": ["b"],
    "xxd a -b": ["-b"],
    "base64 -o out a": ["out"],
    "find . -fprint out": ["out"],
    "find . -fprintf out x -fls out2 -fprint0 out3": ["out", "out2", "out3"],
    "sed -i s/a/b/ f": ["f"],
    "sed -Ei.bak s/a/b/ f": ["f", "f.bak"],
    "sed --in-place=.bak s/a/b/ f": ["f", "f.bak"],
    "sed --in s/a/b/ f": ["f"],
    "sed -ni 1p f": ["f"],
    "sed -i '' s/a/b/ f": ["f"],
    "sed -i../x s/a/b/ f": ["f", "…"],
    "dd if=a of=b bs=1": ["b"],
    "split a ./x": ["./xaa"],
    "csplit -f pre a 3": ["pre00"],
    "tar czf out.tgz src": ["out.tgz"],
    "rsync -a src/ out": ["out"],
    "zip -r out src": ["out.zip"],
}


@pytest.mark.parametrize(("line", "reads"), READS.items(), ids=READS)
def test_it_only_reads(line: str, reads: list[str]) -> None:
    use = use_of(line)
    assert (verdict(use), shown(use.reads)) == ("reads", reads), use


@pytest.mark.parametrize("line", REFUSED)
def test_it_is_refused(line: str) -> None:
    use = use_of(line)
    assert (verdict(use), use.only_reads, use.changes_only_paths) == ("refused", False, False), use


@pytest.mark.parametrize("line", UNKNOWN)
def test_nobody_can_say(line: str) -> None:
    use = use_of(line)
    assert (verdict(use), use.only_reads, use.changes_only_paths) == ("unknown", False, False), use


@pytest.mark.parametrize(("line", "writes"), WRITES.items(), ids=WRITES)
def test_it_writes(line: str, writes: list[str]) -> None:
    use = use_of(line)
    assert (verdict(use), shown(use.writes)) == ("other", writes), use


@pytest.mark.parametrize("line", ["awk '$1 > 2 {print $2}' a", "literally awk -F: '{print $1}' a", "less a", "man ls"])
def test_it_is_harmless_and_yet_no_tool_of_the_pack(line: str) -> None:
    assert verdict(use_of("literally " + line.removeprefix("literally "))) == "other"
