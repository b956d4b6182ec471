#!/usr/bin/env bash
# install-check.sh [BUILD]: installs the build in the folder BUILD (default: build/release) into an empty prefix and
# runs the installed program from another folder. The program has no access to the shaders and assets of the source
# tree. The script then builds the program of tests/library with the installed library and compares its state hash.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null
source=$PWD
cd /
export VOXWAKE_NO_SOURCE_TREE=1
"$prefix/bin/voxwake" --version | head -1
"$prefix/bin/voxwake" scenes | grep '^showcase' >/dev/null || { echo "tools/install-check.sh: the installed program does not find its scenes" >&2; exit 1; }
"$prefix/bin/voxwake" render showcase --until 0.1 --size 320x180 --frame "$prefix/frame.png" >/dev/null
[ -s "$prefix/frame.png" ] || { echo "tools/install-check.sh: the installed program wrote no picture" >&2; exit 1; }
echo "The installed program finds its scenes and shaders."
"$source/tools/library-check.sh" "$prefix"
