"""notebooks/cluster.py on two workers, one of them killed; RETRIAL is the path of the command."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "notebooks" / "cluster.py"
RETRIAL = os.environ["RETRIAL"]
# Long enough to be cut off in the middle.
STUDY = ["aws-occ", "--replications", "60"]


def script(folder, *arguments):
    return subprocess.Popen(
        [sys.executable, SCRIPT, "--retrial", RETRIAL, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def parent(pid):
    """The parent of a process, and its name."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None, None
    name, rest = text.split("(", 1)[1].rsplit(")", 1)
    return int(rest.split()[1]), name


def worker_at_work(pid_of_script):
    """A process that has started a shard and was started by the script; None if there is none."""
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        worker, name = parent(pid)
        if name == "retrial" and worker and parent(worker)[0] == pid_of_script:
            return worker
    return None


def results(folder):
    """All files of a results folder but unit files, by name."""
    own = {"shards", "units"}
    files = [path for path in folder.rglob("*") if path.is_file()]
    names = {path.relative_to(folder): path for path in files}
    return {str(name): path.read_bytes() for name, path in names.items() if name.parts[0] not in own}


class Cluster(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    @unittest.skipUnless(Path("/proc").is_dir(), "workers are found under /proc")
    def test_a_killed_worker_does_not_show(self):
        running = script(
            self.folder, STUDY[0], "--workers", "2", "--shards", "6", "--out", "study", "--", *STUDY[1:]
        )
        units = self.folder / "study" / "shards" / "units"
        victim = None
        limit = time.monotonic() + 60
        while victim is None or not units.is_dir() or not any(units.glob("*.json")):
            self.assertLess(time.monotonic(), limit, "no shard was begun")
            self.assertIsNone(running.poll(), "the study was over before a worker was killed")
            victim = worker_at_work(running.pid)
            time.sleep(0.01)
        os.kill(victim, signal.SIGKILL)
        stdout, stderr = running.communicate()
        self.assertEqual(running.returncode, 0, stderr)
        self.assertIn("6 of 6 shards done", stderr)

        one = subprocess.run(
            [RETRIAL, "run", *STUDY, "--out", "one"], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(stdout, one.stdout)
        expected = results(self.folder / "one")
        self.assertIn("runs.csv", expected)
        got = results(self.folder / "study")
        self.assertEqual(sorted(got), sorted(expected))
        for name, content in expected.items():
            self.assertTrue(got[name] == content, f"{name} differs")

    def test_a_mistake_is_told_once_with_the_code_of_retrial(self):
        running = script(self.folder, "no-such-experiment", "--workers", "1", "--out", "study")
        stdout, stderr = running.communicate()
        self.assertEqual((running.returncode, stdout), (2, ""), stderr)
        self.assertIn("error: shard ", stderr)
        self.assertEqual(stderr.count("no-such-experiment"), 1, stderr)
        self.assertNotIn("Traceback", stderr)

    def test_a_scheduler_that_is_not_there_is_named(self):
        running = script(self.folder, "aws-occ", "--scheduler", "tcp://127.0.0.1:9", "--out", "study")
        _, stderr = running.communicate()
        self.assertEqual(running.returncode, 1, stderr)
        self.assertIn("error: no scheduler answers at tcp://127.0.0.1:9", stderr)
        self.assertNotIn("Traceback", stderr)


class Manifests(unittest.TestCase):
    def test_the_array_jobs_hold_what_clusters_accept(self):
        folder = Path(__file__).parents[2] / "experiments" / "cluster"
        for command in (
            ["shellcheck", folder / "slurm.sh"],
            ["kubernetes-validate", "--strict", folder / "kubernetes.yaml"],
        ):
            program = Path(sys.executable).with_name(command[0])
            done = subprocess.run([program, *command[1:]], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
