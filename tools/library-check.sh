#!/usr/bin/env bash
# library-check.sh PREFIX: builds the program of tests/library with the library that is installed at PREFIX, outside the
# source tree, and compares the state hash that it prints with tests/golden/hashes.tsv.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp tests/library/* "$folder"
run() {  # runs a command and prints its output only if it fails
  if ! "$@" >"$folder/log" 2>&1; then cat "$folder/log" >&2; exit 1; fi
}
run cmake -G Ninja -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
run cmake --build "$folder/build"
found=$(VOXWAKE_ASSETS="$prefix/share/voxwake/assets" "$folder/build/library_user" jelly-drop)
expected=$(awk '$1 == "jelly-drop" {print $2}' tests/golden/hashes.tsv)
[ "$found" = "$expected" ] || { echo "tools/library-check.sh: state hash $found, expected $expected" >&2; exit 1; }
echo "A program finds the installed library by find_package(voxwake)."
