#!/usr/bin/env bash
# Checks that packaged scenes have the state hashes of tests/golden/hashes.tsv on every platform that this machine can
# run or emulate: all instruction sets of its processor, builds by gcc -O1, gcc -O2 and clang, and aarch64 under
# emulation.
# Usage: tools/everywhere.sh [PART...]   (native, gcc-O1, gcc-O2, clang, aarch64; default: all)
# aarch64 installs a cross compiler and an emulator (third_party/debian-packages-aarch64.txt), and downloads Debian's
# arm64 libraries.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- native gcc-O1 gcc-O2 clang aarch64
program_only=(-DVOXWAKE_WINDOW=OFF -DVOXWAKE_TESTS=OFF -DVOXWAKE_BENCH=OFF -DVOXWAKE_VIDEO=OFF)
build() { # folder, CMake options...
  local folder=$1; shift
  [ -f "$folder/build.ninja" ] || cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "${program_only[@]}" "$@" >"$folder.log" 2>&1 ||
    { tail -20 "$folder.log" >&2; exit 1; }
  cmake --build "$folder" --target voxwake >"$folder.log" 2>&1 || { tail -20 "$folder.log" >&2; exit 1; }
}
# Unpacks the arm64 packages of the libraries that the program uses, and of their dependencies, into a folder. Nothing
# is installed on this machine.
make_sysroot() { # folder
  local root=$1 packages
  [ -f "$root/complete" ] && return
  rm -rf "$root"; mkdir -p "$root/debs/partial" "$root/root"; touch "$root/status"
  packages=$(grep -Ev '^#|^(build-essential|cmake|ninja|ccache|git|ca-certificates|python3|fonts|libgl1-mesa|libegl-mesa)' third_party/debian-packages.txt |
    grep -Ev '^lib(glfw|imgui|av|sw|gtest|gmock|benchmark)')
  # shellcheck disable=SC2086
  apt-get -o Dir::Cache::archives="$root/debs" -o Dir::State::status="$root/status" -o APT::Architecture=arm64 \
    -o APT::Architectures=arm64 --download-only -y --no-install-recommends install $packages >"$root/download.log" 2>&1 ||
    { tail -5 "$root/download.log" >&2; echo "everywhere.sh: run dpkg --add-architecture arm64 and apt-get update first" >&2; exit 1; }
  for package in "$root"/debs/*.deb; do dpkg -x "$package" "$root/root"; done
  cp -a "$root/root/lib/." "$root/root/usr/lib/"; rm -rf "$root/root/lib"; ln -s usr/lib "$root/root/lib"
  # Symbolic links and CMake files in the folder contain absolute paths. These are changed to paths in the folder.
  find "$root/root" -type l -lname '/*' | while read -r link; do ln -sfn "$root/root$(readlink "$link")" "$link"; done
  { grep -rlZE '(^|[^a-zA-Z0-9./])/usr/(lib|include)/' "$root/root/usr/lib/aarch64-linux-gnu/cmake" || true; } |
    xargs -0r sed -i -E "s#(^|[^a-zA-Z0-9./])/usr/(lib|include)/#\1$root/root/usr/\2/#g"
  touch "$root/complete"
}
failed=0
check() { # name, program, steps...
  local name=$1; shift
  if tools/golden.sh check "$@"; then echo "$name: equal"; else echo "$name: DIFFERENT"; failed=1; fi
}
mkdir -p build
for part in "$@"; do
  case $part in
    native)
      tools/build.sh release voxwake
      check "release build" build/release/app/voxwake 24 240
      for set in AVX3 AVX2 SSE4 SCALAR NEON; do
        VOXWAKE_INSTRUCTION_SET=$set build/release/app/voxwake --version >/dev/null 2>&1 || continue
        VOXWAKE_INSTRUCTION_SET=$set check "instruction set $set" build/release/app/voxwake 24
      done ;;
    gcc-O1 | gcc-O2)
      build "build/everywhere-$part" "-DCMAKE_CXX_FLAGS_RELEASE=-${part#gcc-} -DNDEBUG"
      check "$part" "build/everywhere-$part/app/voxwake" 24 240 ;;
    clang)
      build build/everywhere-clang -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DVOXWAKE_JOIN=0
      check clang build/everywhere-clang/app/voxwake 24 240 ;;
    aarch64)
      tools/install-packages.sh third_party/debian-packages-aarch64.txt
      make_sysroot "$PWD/build/arm64"
      build build/everywhere-aarch64 "-DCMAKE_TOOLCHAIN_FILE=$PWD/tools/aarch64.cmake" "-DVOXWAKE_SYSROOT=$PWD/build/arm64/root" -DVOXWAKE_WERROR=OFF
      check aarch64 "qemu-aarch64-static -L build/arm64/root build/everywhere-aarch64/app/voxwake" 24 ;;
    *) echo "everywhere.sh: unknown part $part" >&2; exit 2 ;;
  esac
done
exit $failed
