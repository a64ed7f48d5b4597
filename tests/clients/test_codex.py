"""The real Codex behind `ralph hook codex`: what is denied does not happen, and the model reads why."""

from __future__ import annotations

import pytest

from ralph.hook.seen import mark
from tests.clients.harness import POLICY, World, ended
from tests.clients.openai import Said, call, say, scripted


def results(world: World, *turns: Said, sandbox: str = "danger-full-access") -> list[str]:
    with scripted(*turns, say("done")) as model:
        ended(world.start_codex(model.url, sandbox))
        return model.results()


def shell(command: str, **more: object) -> Said:
    return call("exec_command", {"cmd": command, **more})


def patch(*lines: str) -> Said:
    text = "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
    return shell(f"apply_patch <<'EOF'\n{text}\nEOF")


def test_a_denied_command_does_not_run_and_the_model_reads_why(world: World) -> None:
    (told,) = results(world, shell("touch outside.txt"))
    assert not (world.root / "outside.txt").exists()
    assert "files.allowWrite" in told


def test_an_allowed_command_runs_in_our_sandbox(world: World) -> None:
    world.write("tools/probe.sh", "echo ran > src/ran.txt\ncat .env\necho x > tools/x\nenv\n")
    (told,) = results(world, shell("bash tools/probe.sh"))
    assert (world.root / "src" / "ran.txt").read_text() == "ran\n"
    assert "RALPH_SANDBOX=bubblewrap" in told
    assert "very-secret" not in told
    assert not (world.root / "tools" / "x").exists()


def test_the_folder_that_the_model_names_is_judged(world: World) -> None:
    """The project is where the person started the client; a repository that the model makes is no project."""
    nested = world.write("src/own/ralph.policy.json", '{"version": 1, "mode": "core"}').parent
    (nested / ".git").mkdir()
    told = results(world, shell("touch here", workdir=str(nested)), shell("touch ../../../x", workdir=str(nested)))
    assert (nested / "here").exists()
    assert not (world.root / "x").exists()
    assert "Denied" in told[1]


def test_a_patch_is_judged_file_by_file(world: World) -> None:
    inside = patch("*** Add File: src/new.txt", "+new", "*** Update File: src/a.txt", "@@", "-a", "+b")
    outside = patch("*** Add File: src/other.txt", "+new", "*** Add File: tools.txt", "+new")
    told = results(world, inside, outside)
    assert (world.root / "src" / "new.txt").read_text() == "new\n"
    assert (world.root / "src" / "a.txt").read_text() == "b\n"
    assert not (world.root / "src" / "other.txt").exists()
    assert not (world.root / "tools.txt").exists()
    assert "tools.txt" in told[1]


def test_a_picture_is_a_file_that_is_read(world: World) -> None:
    (told,) = results(world, call("view_image", {"path": str(world.root / ".env")}))
    assert "files.denyRead" in told


def test_the_session_leaves_its_mark(world: World) -> None:
    results(world)
    (found,) = (world.root / ".ralph" / "hooks").iterdir()
    assert found == mark(world.root / ".ralph", "codex", found.name.removeprefix("codex-"))


def test_a_broken_policy_denies(world: World) -> None:
    world.write("ralph.policy.json", "{")
    world.git("commit", "--quiet", "--all", "--message", "Broken")
    (told,) = results(world, shell("touch src/marker"))
    assert not (world.root / "src" / "marker").exists()
    assert "ralph.policy.json" in told


@pytest.mark.parametrize("sandbox", ["workspace-write", "read-only"])
def test_inside_codex_own_sandbox_a_demanded_level_is_missing(world: World, sandbox: str) -> None:
    """Codex's sandbox forbids what ours is made of. A policy that demands a level then lets no command run."""
    world.commit_policy({**POLICY, "sandbox": {"required": "landlock"}})
    world.write("tools/probe.sh", "echo ran > src/ran.txt\ncat .env\n")
    (told,) = results(world, shell("bash tools/probe.sh"), sandbox=sandbox)
    assert "very-secret" not in told
    assert not (world.root / "src" / "ran.txt").exists()
