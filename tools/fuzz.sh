#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET...]: runs each libFuzzer target (default: all targets) for SECONDS, starting from the inputs
# found by earlier runs. build/fuzz/state.tsv holds the total executions and seconds of each target,
# build/fuzz/corpus/TARGET the inputs, and build/fuzz/faults/TARGET the inputs that failed. The exit status is 1 if a
# target failed. In this case, fix the cause and add the input to tests/fuzz/regressions/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?usage: tools/fuzz.sh SECONDS [TARGET...]}; shift
[ $# -gt 0 ] || set -- $(ls tests/fuzz/seeds)
tools/build.sh fuzz $(printf 'fuzz_%s ' "$@")
state=build/fuzz/state.tsv
touch "$state"
# Targets that test readers of files write each input to a temporary file. They run 2 to 28 times as fast if temporary
# files are in memory instead of on a disk.
[ -w /dev/shm ] && export TMPDIR=/dev/shm
export LSAN_OPTIONS="suppressions='$PWD/tests/support/lsan.supp':print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
broken=0
for target in "$@"; do
  corpus=build/fuzz/corpus/$target faults=build/fuzz/faults/$target log=build/fuzz/$target.log
  mkdir -p "$corpus" "$faults"
  dictionary=tests/fuzz/dictionaries/$target.dict
  result=ok
  begun=$SECONDS
  build/fuzz/tests/fuzz_"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$faults/" $([ -f "$dictionary" ] && echo "-dict=$dictionary") "$corpus" "tests/fuzz/seeds/$target" \
    $([ -d "tests/fuzz/regressions/$target" ] && echo "tests/fuzz/regressions/$target") >"$log" 2>&1 || { result=broken; broken=1; tail -40 "$log"; }
  runs=$(awk '/stat::number_of_executed_units/ { print $2 }' "$log")
  kept=$(mktemp)
  awk -F'\t' -v target="$target" -v runs="${runs:-0}" -v took=$((SECONDS - begun)) -v result="$result" '
    $1 == target { runs += $2; took += $3; next } { print } END { printf "%s\t%d\t%d\t%s\n", target, runs, took, result }' "$state" >"$kept"
  mv "$kept" "$state"
  awk -F'\t' -v target="$target" '$1 == target { printf "%s: %s executions in %s s, %s\n", $1, $2, $3, $4 }' "$state"
done
exit $broken
