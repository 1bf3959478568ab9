"""The notebooks against fresh results; RETRIAL is the path of the command."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

# Builds its cache of fonts the first time, and says so on stderr: better here than in a notebook.
import matplotlib.font_manager  # noqa: F401
import nbclient
import nbformat

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
# Fewer replications than a study has: a notebook must bear with that, and the test is done soon.
EXPERIMENTS = {"thundering-herd": 10, "aws-occ": 3}


def executed(path, results):
    """A notebook with its outputs; `nbclient.exceptions.CellExecutionError` if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(FOLDER)}}
    with mock.patch.dict(os.environ, RETRIAL_RESULTS=str(results)):
        nbclient.NotebookClient(notebook, timeout=300, resources=where).execute()
    return notebook


def outputs(notebook, kind):
    """The outputs of one kind of all cells."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [output for cell in cells for output in cell.outputs if output.output_type == kind]


class Executed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.results = Path(temporary.name)
        for experiment, replications in EXPERIMENTS.items():
            out = ["--out", cls.results / experiment, "--no-charts", "--quiet"]
            command = [os.environ["RETRIAL"], "run", experiment, "--replications", str(replications), *out]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def check(self, path, experiment):
        notebook = executed(path, self.results / experiment)
        told = [output.text for output in outputs(notebook, "stream") if output.name == "stderr"]
        self.assertEqual(told, [])
        charts = [output for output in outputs(notebook, "display_data") if "image/png" in output.data]
        self.assertGreaterEqual(len(charts), 2)

    def test_no_cell_fails_or_warns(self):
        self.assertEqual(len(NOTEBOOKS), 3)
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                self.check(path, "thundering-herd")

    def test_other_policies_and_a_sweep_are_read_as_well(self):
        for path in NOTEBOOKS:
            # This one makes its own results.
            if path.stem != "02-tune-before-rollout":
                with self.subTest(path.name):
                    self.check(path, "aws-occ")

    def test_missing_results_are_told_in_a_sentence(self):
        with self.assertRaises(nbclient.exceptions.CellExecutionError) as failed:
            executed(FOLDER / "01-read-results.ipynb", self.results / "nothing")
        self.assertIn("Stopped: no results in", failed.exception.traceback)
        self.assertNotIn("Traceback", failed.exception.traceback)


class Stripped(unittest.TestCase):
    def test_git_holds_no_outputs(self):
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                self.assertEqual(notebook.metadata, {"kernelspec": {"display_name": "Python 3", "name": "python3"}})
                for cell in notebook.cells:
                    self.assertEqual(cell.metadata, {})
                    if cell.cell_type == "code":
                        self.assertEqual((cell.outputs, cell.execution_count), ([], None))


if __name__ == "__main__":
    unittest.main()
