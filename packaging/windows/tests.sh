#!/usr/bin/env bash
# tests.sh [PROGRAM...]: builds the tests that run on Windows (tests/windows.cmake) and runs the quick ones under Wine.
# PROGRAM is a folder of tests/; without it, all of them run, as many at once as there are cores. build.sh has built the
# libraries before. The output of each program is in build/windows/tests-PROGRAM.log.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/install-packages.sh third_party/debian-packages-wine.txt third_party/debian-packages-test.txt
libraries=${VOXWAKE_WINDOWS_LIBRARIES:-$PWD/build/windows-libraries}
export WINDOWS_PREFIX=$libraries/prefix
if [ ! -f "$WINDOWS_PREFIX/done/googletest" ]; then
  cmake -S /usr/src/googletest -B "$libraries/build/googletest" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/packaging/windows/toolchain.cmake" -DWINDOWS_PREFIX="$WINDOWS_PREFIX" \
    -DCMAKE_INSTALL_PREFIX="$WINDOWS_PREFIX" -DCMAKE_INSTALL_LIBDIR=lib >"$libraries/googletest.log"
  cmake --build "$libraries/build/googletest" --target install >>"$libraries/googletest.log"
  touch "$WINDOWS_PREFIX/done/googletest"
fi
cmake --preset windows -DVOXWAKE_TESTS=ON -DVOXWAKE_VIDEO="${VOXWAKE_WINDOWS_VIDEO:-1}" >/dev/null
tests=("$@")
[ $# -gt 0 ] || mapfile -t tests < <(ninja -C build/windows -t targets all | sed -n 's/^test_\([a-z_]*\): phony$/\1/p')
[ ${#tests[@]} -gt 0 ] || { echo "packaging/windows/tests.sh: no tests were found" >&2; exit 1; }
tools/build.sh windows "${tests[@]/#/test_}"

export WINEPREFIX=$PWD/build/windows/tests-wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree=,mshtml= LC_ALL=C.UTF-8
unset DISPLAY WAYLAND_DISPLAY
trap 'wineserver -k 2>/dev/null || true' EXIT
wine wineboot -i >/dev/null 2>&1
run_test() {
  local log=build/windows/tests-$1.log code=0
  wine "build/windows/tests/test_$1.exe" --gtest_filter='-*Validation*' --gtest_brief=1 >"$log" 2>&1 || code=$?
  echo "$1: $(grep -E '^\[==========\]|^\[  PASSED|^\[  FAILED|FAILED TEST|SKIPPED' "$log" | tr -d '\r' | tr '\n' ' ')"
  [ $code = 0 ] || { tail -40 "$log"; return 1; }
}
export -f run_test
printf '%s\n' "${tests[@]}" | xargs -P "$(nproc)" -I{} bash -c 'run_test {}'
