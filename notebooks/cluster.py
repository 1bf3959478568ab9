#!/usr/bin/env python3
"""Runs the shards of a study on a Dask cluster, and merges them.

    pip install -r requirements-cluster.txt
    python cluster.py thundering-herd --workers 4 --out results/herd
    python cluster.py sweep.toml --scheduler tcp://head:8786 --out /shared/sweep -- --seed 2

A shard is one `retrial run --shard I/N`. All shards write into OUT/shards, which every worker must
see under the same path. A worker that dies loses at most the runs it was at: its shard starts again
on another one and finds the unit files that are there.
"""

import argparse
import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

# Shards of a worker's thread: enough that none waits long for the last one.
SHARDS_PER_THREAD = 4

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130


class Problem(Exception):
    """What went wrong, in words, and the code to exit with."""

    def __init__(self, message, code):
        super().__init__(message, code)
        self.message, self.code = message, code


def arguments():
    parser = argparse.ArgumentParser(
        description="Run the shards of a study on a Dask cluster, and merge them.",
        usage="%(prog)s EXPERIMENT --out DIR [option ...] [-- flags of `retrial run`]",
        epilog="What stands after -- goes to `retrial run`, such as -- --seed 2. Exit codes are those of "
        "retrial: 3 says that a threshold failed.",
    )
    parser.add_argument("experiment", help="a path, or the name of a packaged experiment")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a running cluster, such as tcp://head:8786"
    )
    where.add_argument(
        "--workers", metavar="N", type=positive, help="processes on this machine [default: a core each]"
    )
    parser.add_argument(
        "--shards",
        metavar="N",
        type=positive,
        help=f"into how many parts [default: {SHARDS_PER_THREAD} for each thread of the workers]",
    )
    parser.add_argument(
        "--out", metavar="DIR", required=True, help="where to write results; every worker must see it"
    )
    parser.add_argument(
        "--retrial", metavar="PATH", default="retrial", help="the program, for all workers [default: on PATH]"
    )
    parser.add_argument(
        "--format", default="table", choices=["table", "json", "csv", "markdown"], help="what to print"
    )
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    args = parser.parse_args(given[:end])
    args.flags = given[end + 1 :]
    return args


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"`{text}` is no number from 1 on")
    return int(text)


def run_shard(command, folder):
    """Makes a shard; on a worker. What went wrong and the exit code, or nothing."""
    if not os.path.isdir(folder):
        return f"a worker does not see the folder {folder}", BAD_INPUT
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        return f"a worker can't run {command[0]}: {error.strerror}", BAD_INPUT
    if done.returncode != 0:
        said = done.stderr.strip().removeprefix("error: ")
        return said or f"exit code {done.returncode}", done.returncode
    return None


def connect(args):
    """A client of the cluster that was asked for."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        here = Path(__file__).with_name("requirements-cluster.txt")
        raise Problem(f"Dask is missing: pip install -r {here}", BAD_INPUT) from None
    # The death of a worker is told below, where it matters.
    for name in ("distributed.nanny", "distributed.scheduler", "distributed.core", "distributed.comm"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if args.scheduler:
        try:
            return Client(args.scheduler, timeout="10s")
        except (OSError, ValueError) as error:
            raise Problem(f"no scheduler answers at {args.scheduler}: {error}", FAILED) from None
    workers = args.workers or os.cpu_count()
    # No dashboard: it needs more packages, and a port.
    return Client(LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None))


def make_shards(client, args, program, shards_folder):
    """Makes all shards, wherever there is a worker for them."""
    from distributed import as_completed

    if args.scheduler:
        client.wait_for_workers(1, timeout=60)
    threads = sum(client.nthreads().values())
    count = args.shards or SHARDS_PER_THREAD * threads
    command = [program, "run", args.experiment, *args.flags, "--quiet", "--threads", "1"]
    command += ["--out", str(shards_folder)]
    futures = {
        client.submit(
            run_shard, [*command, "--shard", f"{number}/{count}"], os.getcwd(), key=f"shard-{number}-of-{count}"
        ): f"{number}/{count}"
        for number in range(1, count + 1)
    }
    started = time.monotonic()
    tell(f"{count} shards on {threads} threads")
    for done, future in enumerate(as_completed(futures), start=1):
        problem = trouble(future)
        if problem is not None:
            client.cancel(list(futures))
            message, code = problem
            raise Problem(f"shard {futures[future]}: {message}", code)
        tell(f"{done} of {count} shards done after {time.monotonic() - started:.0f} s")


def trouble(future):
    """Why a shard is not there, and the exit code; or nothing."""
    from distributed import KilledWorker

    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, KilledWorker):
        return "every worker that took it died; is there memory enough?", FAILED
    return repr(error), FAILED


def tell(line):
    print(line, file=sys.stderr, flush=True)


def study(args):
    """Makes and merges; the exit code."""
    program = shutil.which(args.retrial)
    if program is None:
        raise Problem(f"there is no program {args.retrial}: give --retrial PATH", BAD_INPUT)
    program = os.path.abspath(program)
    out = Path(args.out).absolute()
    shards_folder = out / "shards"
    shards_folder.mkdir(parents=True, exist_ok=True)
    with connect(args) as client:
        make_shards(client, args, program, shards_folder)
    merge = [program, "merge", str(shards_folder), "--out", str(out), "--format", args.format]
    return subprocess.run(merge).returncode


def main():
    args = arguments()
    try:
        return study(args)
    except Problem as problem:
        tell(f"error: {problem.message}")
        return problem.code
    except KeyboardInterrupt:
        tell("interrupted; finished runs are kept, the same command goes on")
        return INTERRUPTED
    except OSError as error:
        tell(f"error: {error}")
        return FAILED


# Workers on this machine are started from this file, too.
if __name__ == "__main__":
    sys.exit(main())
