#!/usr/bin/env bash
# Installs missing packages, builds the tests and runs them.
#   ./test.sh             quick suite with the release preset, and the style check
#   ./test.sh asan-ubsan  quick suite with another preset: debug, asan-ubsan, tsan or clang
#   ./test.sh tidy        clang-tidy over all sources
#   ./test.sh fuzz        30 s of each libFuzzer target (docs/fuzzing.md)
#   ./test.sh everywhere  state hashes with all instruction sets, other compilers and, under emulation, aarch64
#   ./test.sh drivers     render tests on a second OpenGL driver
#   ./test.sh validation  all analytic cases, including slow cases; rewrites docs/validation.md
#   ./test.sh ci          checks of CI: release suite, installation, ThreadSanitizer on threaded code, style
#   ./test.sh pages       rewrites the generated pages in docs
#   ./test.sh python      builds the Python module, runs its tests and tests its installation (docs/python.md)
#   ./test.sh interop     reads exports with VTK, h5py, NumPy, Assimp, tinygltf, Blender and ParaView (docs/guide/paraview-and-blender.md)
#   ./test.sh study        tests studies and search with their optional packages (docs/guide/studies.md)
#   ./test.sh python-pages  rewrites the reference in docs/python.md
#   ./test.sh package     builds the packages and tests them in a bare Debian 12; needs root (docs/packages.md)
#   ./test.sh windows     builds the archive and the tests for Windows and runs them under Wine (docs/packages.md)
#   ./test.sh docs        builds the documents as a site in build/site/html and checks all links
#   ./test.sh WORD        quick tests whose name contains WORD; if WORD is a folder of tests/, builds only its program
set -euo pipefail
cd "$(dirname "$0")"
case ${1:-} in -*) sed -n '2,19p' test.sh; exit 2 ;; esac
[ $# -le 1 ] || { echo "test.sh: expected at most one word, but found: $*" >&2; exit 2; }
tools/install-packages.sh third_party/debian-packages.txt third_party/debian-packages-test.txt
what=${1:-quick}
jobs=$(nproc)
case "$what" in
  python | python-pages) tools/install-packages.sh third_party/debian-packages-python.txt ;;
  interop) tools/install-packages.sh third_party/debian-packages-export.txt third_party/debian-packages-interop.txt ;;
  package) tools/install-packages.sh third_party/debian-packages-python.txt third_party/debian-packages-package.txt ;;
  docs) tools/install-packages.sh third_party/debian-packages-docs.txt ;;
  study) tools/install-packages.sh third_party/debian-packages-python.txt third_party/debian-packages-study.txt ;;
esac

suite() {  # arguments: preset, further arguments of ctest
  local preset=$1; shift
  tools/build.sh "$preset"
  ctest --test-dir "build/$preset" --output-on-failure -j "$jobs" "$@"
}

case "$what" in
  quick) suite release -E Validation; tools/check-style.sh ;;
  debug | clang | asan-ubsan) suite "$what" -E Validation ;;
  tsan) TSAN_OPTIONS="suppressions='$PWD/tests/support/tsan.supp' ${TSAN_OPTIONS:-}" suite tsan -E Validation ;;
  tidy) tools/build.sh release; tools/tidy.sh ;;
  fuzz) tools/fuzz.sh 30 ;;
  everywhere) tools/everywhere.sh ;;
  drivers) tools/second-driver.sh ;;
  validation) tools/build.sh release; tools/validation.sh ;;
  ci)
    suite release -E Validation
    tools/install-check.sh
    tools/tsan-quick.sh
    tools/check-style.sh
    ;;
  pages)
    tools/build.sh release test_scene
    VOXWAKE_UPDATE_DOCS=1 build/release/tests/test_scene --gtest_filter='ReferencePages.*' --gtest_brief=1
    ;;
  python) tools/python-test.sh ;;
  interop)
    # A tree that was configured before the libraries of .vtkhdf and .vdb were installed does not use them.
    if [ -f build/release/build.ninja ]; then cmake --preset release >/dev/null; fi
    tools/build.sh release voxwake
    export PYTHONDONTWRITEBYTECODE=1
    /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/interop --ignore=tests/interop/test_paraview.py
    # ParaView's Python package replaces python3-vtk9, and has VTK modules of its own.
    tools/install-packages.sh third_party/debian-packages-paraview.txt
    /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/interop/test_paraview.py tests/interop/test_readers.py
    ;;
  package) tools/package-check.sh ;;
  windows)
    packaging/windows/build.sh
    packaging/windows/check.sh
    packaging/windows/tests.sh
    ;;
  docs) tools/site.sh ;;
  study) tools/python-test.sh -k "study or search or compat or documents" ;;
  python-pages)
    tools/build.sh python voxwake_python
    PYTHONPATH=$PWD/build/python/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tools/python-pages.py
    ;;
  *)
    if grep -qF -e "voxwake_test($what)" -e "voxwake_test($what " tests/CMakeLists.txt; then
      tools/build.sh release "test_$what"
      what="^$what[.]"
    else
      tools/build.sh release
    fi
    ctest --test-dir build/release --output-on-failure -j "$jobs" -R "$what" -E Validation --no-tests=error
    ;;
esac
