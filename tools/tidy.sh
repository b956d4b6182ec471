#!/usr/bin/env bash
# tidy.sh [SOURCE...]: runs clang-tidy on the given sources (default: all) with the compile commands of the
# release build. A source is skipped if it has passed before and its object has not been rebuilt since. In a unity
# build, several sources are joined to one file and have a common object.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files --cached --others --exclude-standard -- 'sim/*.cpp' 'render/*.cpp' 'app/*.cpp' 'bench/*.cpp'); fi
[ ${#files[@]} -gt 0 ] || { echo "tools/tidy.sh: git lists no sources" >&2; exit 1; }

# A second configuration provides compile commands without joined sources and without precompiled headers, because
# clang-tidy cannot read the precompiled headers of gcc. The generated headers are taken from the release build.
mkdir -p build/release/tidy
cmake --preset release -B build/release/tidy/commands -D VOXWAKE_JOIN=0 -D VOXWAKE_PCH=OFF >build/release/tidy/configure.log
sed 's#build/release/tidy/commands#build/release#g' build/release/tidy/commands/compile_commands.json >build/release/tidy/compile_commands.json

check() {  # checks one source and prints the findings to stdout
  local source=$1 passed object joined
  passed=build/release/tidy/$source.passed
  object=$(find build/release/"${source%%/*}"/CMakeFiles -path "*.dir/${source#*/}.o" -print -quit 2>/dev/null)
  if [ -z "$object" ] && joined=$(grep -rlsF "$PWD/$source\"" build/release/"${source%%/*}"/CMakeFiles/*.dir/Unity); then object=$joined.o; fi
  if [ -n "$object" ] && [ "$passed" -nt "$object" ] && [ "$passed" -nt "$source" ] && [ "$passed" -nt .clang-tidy ]; then return 0; fi
  mkdir -p "${passed%/*}"
  touch "$passed.begun"  # A source that is edited while clang-tidy runs counts as changed.
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
