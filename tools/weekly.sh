#!/usr/bin/env bash
# Runs whole what ./test.sh ci runs in part or not at all, and writes what came out, with the date, into docs/weekly.md.
# A part that fails does not stop the others. Hours on two cores.
set -uo pipefail
cd "$(dirname "$0")/.."
page=docs/weekly.md
rows=
failed=0
for part in asan-ubsan clang tidy tsan drivers; do
  begun=$(date +%s)
  if ./test.sh "$part" >"build/weekly-$part.log" 2>&1; then outcome=passed; else outcome=failed; failed=1; fi
  minutes=$((($(date +%s) - begun + 59) / 60))
  tests=$(grep -oE '[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "build/weekly-$part.log" | tail -1)
  rows+="| $part | $outcome | ${tests:-} | $minutes min |"$'\n'
  echo "$part: $outcome ($minutes min)"
done
{
  echo "# Weekly run"
  echo
  echo "\`tools/weekly.sh\` on $(date -u +%Y-%m-%d), commit $(git rev-parse --short HEAD)."
  echo
  echo "| part of \`./test.sh\` | outcome | tests | time |"
  echo "|---|---|---|---|"
  printf '%s' "$rows"
} >"$page"
exit "$failed"
