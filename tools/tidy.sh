#!/usr/bin/env bash
# clang-tidy over our own sources, or over those given; uses the release build's compile commands. A source whose object has not been
# rebuilt since it last passed is skipped, so that a second run costs what has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files --cached --others --exclude-standard -- 'sim/*.cpp' 'render/*.cpp' 'app/*.cpp' 'bench/*.cpp'); fi

# Without precompiled headers: they are the other compiler's, and each source must stand alone.
mkdir -p build/release/tidy
sed -E 's/ -Winvalid-pch//; s/ -include [^ ]*cmake_pch\.hxx//; s/ -fpch-preprocess//' build/release/compile_commands.json >build/release/tidy/compile_commands.json

check() {  # one source; its findings go to stdout
  local source=$1 passed object
  passed=build/release/tidy/$source.passed
  object=$(find build/release/"${source%%/*}"/CMakeFiles -path "*.dir/${source#*/}.o" -print -quit 2>/dev/null)
  if [ -n "$object" ] && [ "$passed" -nt "$object" ] && [ "$passed" -nt "$source" ] && [ "$passed" -nt .clang-tidy ]; then return 0; fi
  mkdir -p "${passed%/*}"
  touch "$passed.begun"  # what is edited while clang-tidy works counts as changed
  clang-tidy -p build/release/tidy --quiet --extra-arg=-Wno-unknown-warning-option "$source" 2>"$passed.err" || {
    grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated' "$passed.err" >&2
    rm -f "$passed" "$passed.begun" "$passed.err"
    return 1
  }
  mv "$passed.begun" "$passed"
  rm -f "$passed.err"
}
export -f check
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 bash -c 'check "$0"'
