#!/usr/bin/env bash
# Layout by clang-format; with --fix it is put right.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files -- '*.cpp' '*.h')
if [ "${1:-}" = --fix ]; then exec clang-format -i "${files[@]}"; fi
clang-format --dry-run -Werror "${files[@]}" 2>/tmp/voxwake-style.$$ || { grep -E 'error:' /tmp/voxwake-style.$$ | head -20 >&2; rm -f /tmp/voxwake-style.$$; echo "Layout differs from clang-format; tools/check-style.sh --fix puts it right." >&2; exit 1; }
rm -f /tmp/voxwake-style.$$
