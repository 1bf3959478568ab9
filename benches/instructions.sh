#!/usr/bin/env bash
# Counts the instructions that whole runs take and holds them against benches/instructions.tsv.
# Unlike times they are the same on a busy machine, so they may fail a build; criterion's figures
# are for reading. A count holds for the compiler it was made with: with another one nothing fails.
#
#   benches/instructions.sh           compare
#   benches/instructions.sh --write   accept today's counts
set -euo pipefail
cd "$(dirname "$0")/.."

kept=benches/instructions.tsv
tolerance=2 # per cent
compiler="$(rustc --version)"

cargo build --release --locked --quiet
retrial="${CARGO_TARGET_DIR:-target}/release/retrial"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# Ten replications: enough that simulating outweighs files and pictures, too few for the thresholds.
count() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$scratch/$1.cachegrind" \
    "$retrial" run "$1" --replications 10 --set 'thresholds={}' --threads 1 --no-charts --quiet \
    --out "$scratch/$1" \
    >/dev/null 2>"$scratch/$1.log" || { cat "$scratch/$1.log" >&2; return 1; }
  sed -n 's/^summary: \([0-9]*\).*/\1/p' "$scratch/$1.cachegrind"
}

if [ "${1:-}" = "--write" ]; then
  printf 'experiment\tinstructions\tcompiler\n' >"$scratch/kept"
  for experiment in thundering-herd exhausted-account; do
    printf '%s\t%s\t%s\n' "$experiment" "$(count "$experiment")" "$compiler" >>"$scratch/kept"
  done
  mv "$scratch/kept" "$kept"
  cat "$kept"
  exit
fi

worse=0
while IFS=$'\t' read -r experiment old made_with; do
  [ "$experiment" = experiment ] && continue
  new="$(count "$experiment")"
  change="$(awk -v old="$old" -v new="$new" 'BEGIN { printf "%+.2f", 100 * (new - old) / old }')"
  echo "$experiment: $new instructions, $change % against $old"
  if [ "$made_with" != "$compiler" ]; then
    echo "  not judged: that was $made_with, this is $compiler"
  elif awk -v change="$change" -v tolerance="$tolerance" 'BEGIN { exit !(change > tolerance) }'; then
    echo "  more than $tolerance % above: if it is meant, accept it with benches/instructions.sh --write" >&2
    worse=1
  fi
done <"$kept"
exit "$worse"
