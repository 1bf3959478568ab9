"""Runs the command whose outputs are checked; RETRIAL is its path."""

import os
import subprocess


def export(policy, target):
    """What `retrial export` writes for a policy in TOML, and the keys of what it says is lost."""
    done = subprocess.run(
        [os.environ["RETRIAL"], "export", "-", "--to", target],
        input=policy,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    lines = [line for line in done.stderr.splitlines() if line.startswith("- ")]
    return done.stdout, [line[2:].split(":")[0] for line in lines]


def module(policy, target):
    """The names that the exported Python source defines."""
    text, _ = export(policy, target)
    names = {}
    exec(compile(text, f"{target}.py", "exec"), names)
    return names
