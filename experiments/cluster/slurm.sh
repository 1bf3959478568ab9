#!/usr/bin/env bash
# sbatch slurm.sh: a study in 16 shards, then
#   retrial merge /shared/study --out results/study
# Change the number of tasks here and after auto/ together. A task that failed runs again with
# sbatch --array=N, and --shard N/16 in place of auto/16.
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
# A node that is taken away costs no finished unit: the task starts again and goes on.
#SBATCH --requeue
set -euo pipefail
# One folder for all tasks: shards don't get into each other's way, and the merge needs one name.
# Slurm grants cores, so the threads are as many, and no more.
srun retrial run study.toml --shard auto/16 --out /shared/study --threads "$SLURM_CPUS_PER_TASK"
