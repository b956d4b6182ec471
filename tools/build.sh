#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures once, then builds; prints only what matters.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1; shift
export CCACHE_SLOPPINESS=pch_defines,time_macros  # or ccache keeps nothing that reads a precompiled header
log=build/$preset/build.log
mkdir -p "build/$preset"
run() {  # quiet while it works, all of it when it fails
  if ! "$@" >"$log" 2>&1; then cat "$log" >&2; exit 1; fi
}
[ -f "build/$preset/build.ninja" ] || { echo "Configuring ($preset) ..." >&2; run cmake --preset "$preset"; }
echo "Building ($preset) ..." >&2
if [ -t 2 ]; then cmake --build "build/$preset" ${@:+--target "$@"} >&2; else run cmake --build "build/$preset" ${@:+--target "$@"}; fi
