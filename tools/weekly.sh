#!/usr/bin/env bash
# weekly.sh [PART...]: runs parts of ./test.sh that `./test.sh ci` does not run completely, and writes the results with
# commit and date to docs/weekly.md. The parts are asan-ubsan, clang, tidy, tsan and drivers (default: all). If a part
# fails, the other parts still run. A part that is not run keeps its old line on the page. A run of all parts takes
# hours on two cores.
set -uo pipefail
cd "$(dirname "$0")/.."
page=docs/weekly.md
all=(asan-ubsan clang tidy tsan drivers)
[ $# -gt 0 ] || set -- "${all[@]}"
for part in "$@"; do
  [[ " ${all[*]} " == *" $part "* ]] || { echo "tools/weekly.sh: unknown part $part; the parts are ${all[*]}" >&2; exit 2; }
done
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
mkdir -p build
write_page() {  # after each part, so that an interruption keeps the results of the parts before
  local part
  {
    echo "# Weekly run"
    echo
    echo "Latest results of \`tools/weekly.sh\`."
    echo
    echo "| part of \`./test.sh\` | outcome | tests | time | commit | date |"
    echo "|---|---|---|---|---|---|"
    for part in "${all[@]}"; do
      grep -F "| $part |" "$lines" || grep -F "| $part |" "$page" 2>/dev/null || echo "| $part | not run yet | | | | |"
    done
  } >"$page.part" && mv "$page.part" "$page"
}
failed=0
for part in "$@"; do
  begun=$(date +%s)
  if ./test.sh "$part" >"build/weekly-$part.log" 2>&1; then outcome=passed; else outcome=failed; failed=1; fi
  minutes=$((($(date +%s) - begun + 59) / 60))
  tests=$(grep -oE '[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "build/weekly-$part.log" | tail -1)
  echo "| $part | $outcome | ${tests:-} | $minutes min | $(git rev-parse --short HEAD) | $(date -u +%Y-%m-%d) |" >>"$lines"
  echo "$part: $outcome ($minutes min)"
  write_page
done
exit "$failed"
