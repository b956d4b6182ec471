#!/usr/bin/env bash
# check-style.sh [--fix]: checks the layout of tracked and new sources with clang-format. With --fix, the script
# corrects the layout instead. Outside a repository of git, for example in an unpacked archive, it takes all sources.
set -euo pipefail
cd "$(dirname "$0")/.."
list_sources() {
  git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h' 2>/dev/null ||
    find app bench python render sim tests \( -name '*.cpp' -o -name '*.h' \)
}
mapfile -t files < <(list_sources | while read -r file; do [ -f "$file" ] && echo "$file"; done)
[ ${#files[@]} -gt 0 ] || { echo "tools/check-style.sh: no sources were found" >&2; exit 1; }
if [ "${1:-}" = --fix ]; then exec clang-format -i "${files[@]}"; fi
report=$(mktemp)
trap 'rm -f "$report"' EXIT
if ! clang-format --dry-run -Werror "${files[@]}" 2>"$report"; then
  grep -m20 -E 'error:' "$report" >&2 || cat "$report" >&2
  echo "The layout of some files differs from that of clang-format. Run tools/check-style.sh --fix." >&2
  exit 1
fi
