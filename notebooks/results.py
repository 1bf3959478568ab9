"""What the notebooks share: a results folder as tables, one look for each policy, and the command.

Set by environment variables:
RETRIAL_RESULTS     the results folder; `../results/thundering-herd` if unset
RETRIAL_EXPERIMENT  what further runs are of: a path, or the name of a packaged experiment
RETRIAL             the command; `retrial` on the path, or else what cargo builds
"""

import json
import os
import shutil
import subprocess
import textwrap
from pathlib import Path

import matplotlib.pyplot as plt
import polars as pl
from IPython.display import Markdown, display

FOLDER = Path(os.environ.get("RETRIAL_RESULTS", "../results/thundering-herd"))

# The colours of Okabe and Ito that stand out from white, in the order of retrial's own charts.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000"]
MARKERS = ["o", "s", "^", "D", "v"]
DASHES = ["-", (0, (6, 2)), (0, (1, 1)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1))]
MUTED = "#5C5C5C"
# How a finding ends that shows no difference.
SAME = "alike"

plt.rcParams.update({
    "axes.axisbelow": True,
    "axes.edgecolor": "#999999",
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.constrained_layout.use": True,
    "figure.dpi": 100,
    "font.size": 11,
    "grid.color": "#E6E6E6",
    "legend.frameon": False,
})


class Stop(Exception):
    """Ends a notebook with a sentence: IPython shows it in place of a traceback."""

    def _render_traceback_(self):
        return [f"Stopped: {self}"]


class Study:
    """A results folder."""

    def __init__(self, folder=FOLDER):
        self.folder = Path(folder)
        if not (self.folder / "manifest.json").is_file():
            raise Stop(
                f"no results in {self.folder}. In the repository's folder, `cargo run --release -- run` makes those "
                "of thundering-herd; for others set RETRIAL_RESULTS to the folder that `retrial run` has written."
            )
        self.manifest = json.loads((self.folder / "manifest.json").read_text())
        self.name, self.policies, self.axes = (self.manifest[key] for key in ("experiment", "policies", "axes"))

    def table(self, name):
        """A CSV file of the folder. A column without any value holds missing numbers."""
        if not (self.folder / name).is_file():
            raise Stop(f"{self.folder / name} is missing: make the folder again with this version of `retrial run`.")
        table = pl.read_csv(self.folder / name, infer_schema_length=None)
        empty = [column.name for column in table if column.null_count() == table.height]
        return table.with_columns(pl.col(empty).cast(pl.Float64))

    def about(self):
        """What is known of each policy's close-up besides its tables."""
        if not (self.folder / "close-up" / "about.json").is_file():
            raise Stop(f"{self.folder / 'close-up'} is missing: make the folder again with this version.")
        return {row["policy"]: row for row in json.loads((self.folder / "close-up" / "about.json").read_text())}

    def last_point(self, table):
        """The rows of the last swept point, which is the one of the close-up; all rows without a sweep."""
        return table.join(self.table("runs.csv").select(self.axes).tail(1), on=self.axes) if self.axes else table

    def means(self, metric):
        """A metric's mean and 95 % interval by policy at the last point, without those that have none."""
        if self.manifest["replications"] < 2:
            raise Stop("one replication has no intervals: make the folder with `--replications 10` or more.")
        rows = self.last_point(self.table("summary.csv")).filter(pl.col("metric") == metric)
        rows = rows.select("policy", "mean", "ci95_low", "ci95_high").drop_nulls()
        return {policy: estimate for policy, *estimate in rows.iter_rows()}

    def look(self, policy):
        """How a policy's line is drawn: a colour, marker and dash of its own, the same in every chart."""
        place = self.policies.index(policy)
        lap = place // len(COLOURS)
        return {
            "color": COLOURS[place % len(COLOURS)],
            # A colour that comes again gets another marker and dash.
            "marker": MARKERS[(place + lap) % len(MARKERS)],
            "linestyle": DASHES[(place + lap) % len(DASHES)],
            "markersize": 5,
        }

    def panels(self, height):
        """A figure with one row a policy, named, on one x axis and one y axis."""
        rows = len(self.policies)
        size = (9, 1.2 + height * rows)
        figure, axes = plt.subplots(rows, figsize=size, sharex=True, sharey=True, squeeze=False)
        by_policy = dict(zip(self.policies, axes[:, 0]))
        for policy, panel in by_policy.items():
            panel.set_title(policy, color=self.look(policy)["color"], weight="bold")
        return figure, by_policy

    def legend_over(self, panels):
        """A legend in the row of the first panel's name."""
        first = panels[self.policies[0]]
        first.legend(loc="lower right", bbox_to_anchor=(1.01, 0.96), ncols=5, fontsize=10, columnspacing=1.2)

    def head(self, figure, finding, runs="replication 0 of {replications}", of_point=True):
        """The finding over a figure, and under it what it is drawn from."""
        finding = textwrap.fill(finding, 86, break_on_hyphens=False)
        figure.suptitle(finding, x=0.01, ha="left", weight="bold", size=12.5)
        point = self.table("runs.csv").select(self.axes).tail(1).to_dicts() if self.axes and of_point else [{}]
        values = [f"{axis} = {value}" for axis, value in point[0].items()]
        source = [self.name, *values, f"seed {self.manifest['seed']}", runs.format(**self.manifest)]
        figure.supxlabel(" · ".join(source), x=0.99, ha="right", size=9, color=MUTED)

    def draw_arrivals(self):
        """Attempts a second over time, one panel a policy on the same axes; those refused in full colour."""
        bins = self.last_point(self.table("arrivals.csv"))
        span = self.span_s(bins)
        # A column is wide enough to be seen and as high as its highest bin: a mean would hide the peaks.
        width = max(bins["bin_ms"].max(), span * 1e3 / 500)
        column = (pl.col("bin_start_ms") / width).floor() * width
        highest = pl.col("attempts", "rejected").get((pl.col("attempts") / pl.col("bin_ms")).arg_max())
        columns = bins.group_by("policy", column, maintain_order=True).agg(highest, pl.col("bin_ms").max())
        figure, panels = self.panels(1.15)
        for policy, panel in panels.items():
            own = columns.filter(pl.col("policy") == policy)
            edges = [start / 1e3 for start in [*own["bin_start_ms"], (own["bin_start_ms"].max() or 0) + width]]
            rate, refused = (own[name] / own["bin_ms"] * 1e3 for name in ("attempts", "rejected"))
            colour = self.look(policy)["color"]
            panel.stairs(rate, edges, fill=True, color=colour, alpha=0.4)
            panel.stairs(refused, edges, fill=True, color=colour)
            attempts = bins.filter(pl.col("policy") == policy)["attempts"].sum()
            self.note(panel, f"up to {short(rate.max() or 0)}/s, {attempts:,} attempts", own, span)
        panel.set(xlim=(0, span), ylim=(0, None), xlabel="time (s); refused attempts in full colour")
        figure.supylabel("attempts (1/s)", size=11)
        self.head(figure, self.extremes({
            "arrivals_clustering": ("Clustering of attempts (chance is 1):", "", 1),
            "arrivals_peak_per_s": ("Attempts arrive at up to", "/s", 1),
            "blocking_ratio": ("Attempts that are refused:", " %", 100),
        }))

    def span_s(self, bins):
        """How much time a shared axis shows: to where each policy has made nearly all its attempts."""
        ends = []
        for policy in self.policies:
            own = bins.filter(pl.col("policy") == policy, pl.col("attempts") > 0)
            share = own["attempts"].cum_sum() / own["attempts"].sum()
            made = (own["bin_start_ms"] + own["bin_ms"]) / 1e3
            ends.append((made.filter(share >= 0.95).min() or 1, made.max() or 1))
        # Nobody can read a policy that is squeezed into less than a fifth of the axis.
        cut = min(max(nearly for nearly, _ in ends), 5 * min(last for _, last in ends))
        last = max(last for _, last in ends)
        return cut if last > 1.25 * cut else last

    def note(self, panel, text, bins, span):
        """Muted text at the right over a panel; and where the policy goes on beyond the axis, until when."""
        last = bins.filter(pl.col("attempts") > 0)["bin_start_ms"].max() or 0
        goes_on = [f"goes on until {short(last / 1e3)} s"] if last > 1e3 * span else []
        panel.set_title(", ".join([text] * bool(text) + goes_on), loc="right", size=10, color=MUTED)

    def extremes(self, sentences):
        """The highest and the lowest mean: of a metric that all policies have and differ in, if there is one."""
        found = []
        for metric, (beginning, unit, scale) in sentences.items():
            estimates = {policy: [scale * value for value in own] for policy, own in self.means(metric).items()}
            if estimates:
                finding = f"{beginning} {contrast(estimates, unit)}"
                found.append((len(estimates) == len(self.policies), not finding.endswith(SAME), finding))
        best = max(found, key=lambda rated: rated[:2], default=[None, None, "Nothing of this could be estimated"])
        return best[2]

    def figures(self, metrics):
        """Metrics by policy at the last point, as `mean [95 % interval]`."""
        rows = []
        for metric in metrics:
            means = self.means(metric)
            cells = {policy: "{} [{}, {}]".format(*map(short, means[policy])) for policy in means}
            rows.append({"metric": metric, **{policy: cells.get(policy, "–") for policy in self.policies}})
        return pl.DataFrame(rows)


def short(number):
    """Three digits, or all before the point; a dash for none."""
    return "–" if number is None else f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def contrast(estimates, unit=""):
    """The highest and the lowest mean by policy; one whose interval overlaps that of an end stands with it."""

    def near(end):
        return {policy: mean for policy, (mean, low, high) in estimates.items() if low <= end[2] and high >= end[1]}

    def told(group, names):
        least, most = short(min(group.values())), short(max(group.values()))
        figure = least if least == most else f"{least} to {most}"
        # A line must not begin with the unit: hence a space that does not break.
        return f"{figure}{unit.replace(' ', chr(0xA0))} {names}"

    top, bottom = (near(end(estimates.values())) for end in (max, min))
    shared = top.keys() & bottom.keys()
    ends = [{policy: mean for policy, mean in group.items() if policy not in shared} for group in (top, bottom)]
    if not all(ends):
        means = {policy: mean for policy, (mean, *_) in estimates.items()}
        return told(means, f"under {joined(means)}" + f" {SAME}" * (len(means) > 1))
    return "; ".join(told(group, f"under {joined(group)}") for group in ends)


def joined(names):
    """Names as a list in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def show(table):
    """A table as Markdown, which does without quotes and types."""
    with pl.Config(
        fmt_str_lengths=200, tbl_cols=-1, tbl_formatting="MARKDOWN", tbl_hide_column_data_types=True,
        tbl_hide_dataframe_shape=True, tbl_width_chars=2000,
    ):
        display(Markdown(str(table)))


def retrial(*arguments):
    """What the command prints. Thresholds that fail and regressions are results, no mistakes."""
    command = [os.environ.get("RETRIAL") or shutil.which("retrial")]
    if command == [None]:
        command = ["cargo", "run", "--release", "--quiet", "--manifest-path", "../Cargo.toml", "--"]
    try:
        done = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)
    except OSError as error:
        raise Stop(f"{command[0]} can't be run ({error}): set RETRIAL to the command, or install Rust.") from None
    if done.returncode not in (0, 3, 5):
        raise Stop(f"`retrial {arguments[0]}` failed:\n{done.stderr}")
    return done.stdout
