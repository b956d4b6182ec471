#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures the preset if necessary and builds the targets (default: all). The output of a
# command is printed only if the command fails. If stderr is a terminal, the output of the build command is always
# printed.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1; shift
# Without this setting, ccache does not store objects that use a precompiled header.
export CCACHE_SLOPPINESS=pch_defines,time_macros
log=build/$preset/build.log
mkdir -p "build/$preset"
# Two builds at the same time, for example of ./run.sh and ./test.sh, would write the same files.
exec 9>"build/$preset/lock"
flock -n 9 || { echo "Waiting for the end of another build ($preset) ..." >&2; flock 9; }
run() {  # runs a command and prints its output only if it fails
  if ! "$@" >"$log" 2>&1; then cat "$log" >&2; exit 1; fi
}
# A build folder that was moved or copied with the sources would build the sources of its former place.
cache=build/$preset/CMakeCache.txt fresh=
[ ! -f "$cache" ] || [ "$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")" -ef . ] || fresh=--fresh
if [ -n "$fresh" ] || [ ! -f "build/$preset/build.ninja" ]; then
  echo "Configuring ($preset) ..." >&2
  run cmake --preset "$preset" $fresh
fi
echo "Building ($preset) ..." >&2
if [ -t 2 ]; then cmake --build "build/$preset" ${@:+--target "$@"} >&2; else run cmake --build "build/$preset" ${@:+--target "$@"}; fi
