#!/usr/bin/env bash
# libraries.sh FOLDER: fetches the source packages of the libraries from Debian, cross-compiles them and installs them
# into FOLDER/prefix. What an earlier call has installed is kept. The licences go to FOLDER/prefix/licences. With
# VOXWAKE_WINDOWS_VIDEO=0, FFmpeg and x264, which are under the GPL, are left out.
set -euo pipefail
shopt -s inherit_errexit  # a failure in $(...) ends the script too
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
export WINDOWS_PREFIX=$folder/prefix
mkdir -p "$folder/sources" "$folder/lists/partial" "$WINDOWS_PREFIX"/{include,lib/pkgconfig,licences,done}
jobs=${JOBS:-$(nproc)}

apt_sources() {  # apt_sources get|cache WORD...: apt with a list of its own, so that the machine's lists stay as they are
  local tool=apt-$1; shift
  "$tool" -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$folder/lists" "$@"
}

fetch() {  # fetch PACKAGE: prints the folder of the package's sources
  local found
  found=$(find "$folder/sources" -mindepth 1 -maxdepth 1 -type d -name "$1-[0-9]*")
  if [ -z "$found" ]; then
    if [ ! -f "$folder/lists-complete" ]; then  # an interrupted or failed update is repeated
      . /etc/os-release
      printf 'deb-src %s main\n' "http://deb.debian.org/debian $VERSION_CODENAME" \
        "http://deb.debian.org/debian $VERSION_CODENAME-updates" \
        "http://deb.debian.org/debian-security $VERSION_CODENAME-security" >"$folder/sources.list"
      apt_sources get update -o APT::Update::Error-Mode=any >&2
      touch "$folder/lists-complete"
    fi
    # The newest version first. Mirrors can list a version that they no longer, or do not yet, hold.
    local version
    for version in $(apt_sources cache showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -rVu); do
      if (cd "$folder/sources" && apt_sources get source --only-source "$1=$version" >&2); then break; fi
    done
    found=$(find "$folder/sources" -mindepth 1 -maxdepth 1 -type d -name "$1-[0-9]*")
    [ -n "$found" ] || { echo "libraries.sh: the sources of $1 cannot be fetched" >&2; exit 1; }
  fi
  cp "$found/debian/copyright" "$WINDOWS_PREFIX/licences/$1.txt"
  echo "$found"
}

build() {  # build PACKAGE FOLDER OPTION...: configures, compiles and installs the CMake project in FOLDER of the package
  local package=$1 sub=$2 source; shift 2
  [ -f "$WINDOWS_PREFIX/done/$package" ] && return
  source=$(fetch "$package")
  echo "Building $package ..." >&2
  cmake -S "$source/$sub" -B "$folder/build/$package" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
    -DWINDOWS_PREFIX="$WINDOWS_PREFIX" -DCMAKE_INSTALL_PREFIX="$WINDOWS_PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF "$@" >"$folder/$package.log" 2>&1 &&
    cmake --build "$folder/build/$package" --target install -j "$jobs" >>"$folder/$package.log" 2>&1 ||
    { tail -40 "$folder/$package.log" >&2; exit 1; }
  touch "$WINDOWS_PREFIX/done/$package"
}

headers() {  # headers PACKAGE FOLDER...: takes over headers that Debian installs; they contain no code of a system
  local package=$1; shift
  [ -f "$WINDOWS_PREFIX/done/$package" ] && return
  cp -a "$@" "$WINDOWS_PREFIX/include/"
  # The files of CMake find their headers by relative paths, so each keeps its distance from the prefix.
  local file
  dpkg -L "$package" | { grep -E '[cC]onfig\.cmake$' || true; } | while read -r file; do
    case $file in
      /usr/share/*) local target=$WINDOWS_PREFIX/${file#/usr/} ;;
      *) local name; name=$(basename "$(dirname "$file")"); local target=$WINDOWS_PREFIX/$name/share/cmake/$name/$(basename "$file") ;;
    esac
    mkdir -p "$(dirname "$target")"
    cp -a "$(dirname "$file")/." "$(dirname "$target")/"
  done
  cp "/usr/share/doc/$package/copyright" "$WINDOWS_PREFIX/licences/$package.txt"
  touch "$WINDOWS_PREFIX/done/$package"
}

package_file() {  # package_file NAME VERSION LIBRARIES: writes a file for pkg-config
  printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s/lib %s\nCflags: -I%s\n' "$1" "$1" "$2" "$WINDOWS_PREFIX" "$3" \
    "${4:-$WINDOWS_PREFIX/include}" >"$WINDOWS_PREFIX/lib/pkgconfig/$1.pc"
}

headers libeigen3-dev /usr/include/eigen3
headers libspectra-dev /usr/include/Spectra
headers nlohmann-json3-dev /usr/include/nlohmann
headers libcli11-dev /usr/include/CLI
headers libglm-dev /usr/include/glm
headers libexpected-dev /usr/include/tl
headers libtomlplusplus-dev /usr/include/toml++
headers libstb-dev /usr/include/stb
headers libutfcpp-dev /usr/include/utf8cpp/utf8 /usr/include/utf8cpp/utf8.h  # for Assimp
headers libminizip-dev /usr/include/minizip  # for Assimp, which refers to it in a part that the program does not use
for name in libz.a; do cp "/usr/x86_64-w64-mingw32/lib/$name" "$WINDOWS_PREFIX/lib/"; done
cp /usr/x86_64-w64-mingw32/include/z{lib,conf}.h "$WINDOWS_PREFIX/include/"
cp /usr/share/doc/libz-mingw-w64-dev/copyright "$WINDOWS_PREFIX/licences/zlib.txt"

build onetbb . -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF -DTBB_EXAMPLES=OFF
build highway . -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF
build fmtlib . -DFMT_TEST=OFF -DFMT_DOC=OFF
build pugixml .
build xxhash cmake_unofficial -DXXHASH_BUILD_XXHSUM=OFF
build libzstd build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_LEGACY_SUPPORT=OFF
build muparser . -DENABLE_SAMPLES=OFF -DENABLE_OPENMP=OFF
grep -q '^#define MUPARSER_STATIC' "$WINDOWS_PREFIX/include/muParserFixes.h" ||
  sed -i '1i #define MUPARSER_STATIC' "$WINDOWS_PREFIX/include/muParserFixes.h"  # otherwise its functions are those of a DLL
build libpng1.6 . -DPNG_SHARED=OFF -DPNG_TESTS=OFF
package_file minizip 1.1 "" "$WINDOWS_PREFIX/include/minizip"
# Assimp is built with the importers that Voxwake uses. Debian's sources link Draco, which compresses glTF files and which
# Voxwake does not use.
[ -f "$WINDOWS_PREFIX/done/assimp" ] || sed -i '/^find_package(draco CONFIG REQUIRED)/d; /^target_link_libraries(assimp ${DRACO_LIBRARIES})/d' \
  "$(fetch assimp)/code/CMakeLists.txt"
[ -f "$WINDOWS_PREFIX/done/assimp" ] || sed -i '/^find_package(draco/d' "$(fetch assimp)/cmake-modules/assimp-plain-config.cmake.in"
build assimp . -DASSIMP_BUILD_TESTS=OFF -DASSIMP_BUILD_ASSIMP_TOOLS=OFF -DASSIMP_BUILD_ALL_IMPORTERS_BY_DEFAULT=OFF \
  -DASSIMP_NO_EXPORT=ON -DASSIMP_BUILD_OBJ_IMPORTER=ON -DASSIMP_BUILD_STL_IMPORTER=ON -DASSIMP_BUILD_GLTF_IMPORTER=ON \
  -DASSIMP_WARNINGS_AS_ERRORS=OFF -DASSIMP_BUILD_ZLIB=OFF -DASSIMP_BUILD_DRACO=OFF -DASSIMP_INSTALL_PDB=OFF
build glfw3 . -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_DOCS=OFF

if [ ! -f "$WINDOWS_PREFIX/done/imgui" ]; then  # Dear ImGui has no project file
  source=$(fetch imgui)
  echo "Building imgui ..." >&2
  mkdir -p "$folder/build/imgui" "$WINDOWS_PREFIX/include/imgui/backends"
  for file in "$source"/imgui*.cpp "$source"/backends/imgui_impl_{glfw,opengl3}.cpp "$source"/misc/cpp/imgui_stdlib.cpp; do
    x86_64-w64-mingw32-g++-posix -O2 -I"$source" -I"$WINDOWS_PREFIX/include" -I"$WINDOWS_PREFIX/include/stb" \
      -c "$file" -o "$folder/build/imgui/$(basename "$file" .cpp).o"
  done
  rm -f "$WINDOWS_PREFIX/lib/libimgui.a"
  x86_64-w64-mingw32-ar rcs "$WINDOWS_PREFIX/lib/libimgui.a" "$folder"/build/imgui/*.o
  cp -p "$source"/*.h "$source"/misc/cpp/imgui_stdlib.h "$WINDOWS_PREFIX/include/imgui/"
  cp -p "$source"/backends/imgui_impl_{glfw,opengl3}.h "$WINDOWS_PREFIX/include/imgui/backends/"
  package_file imgui 1.86 "-limgui -limm32" "$WINDOWS_PREFIX/include/imgui"
  touch "$WINDOWS_PREFIX/done/imgui"
fi

configured() {  # configured PACKAGE OPTION...: builds and installs a package whose project file is a script `configure`
  local package=$1 source; shift
  [ -f "$WINDOWS_PREFIX/done/$package" ] && return
  source=$(fetch "$package")
  echo "Building $package ..." >&2
  mkdir -p "$folder/build/$package"
  (cd "$folder/build/$package" && "$source/configure" --prefix="$WINDOWS_PREFIX" --cross-prefix=x86_64-w64-mingw32- "$@" &&
    make -j "$jobs" && make install) >"$folder/$package.log" 2>&1 || { tail -40 "$folder/$package.log" >&2; exit 1; }
  touch "$WINDOWS_PREFIX/done/$package"
}

if [ "${VOXWAKE_WINDOWS_VIDEO:-1}" = 1 ]; then
  "$here/../../tools/install-packages.sh" "$here/../../third_party/debian-packages-windows-video.txt"
  export PKG_CONFIG_LIBDIR=$WINDOWS_PREFIX/lib/pkgconfig
  options=-Wa,-muse-unaligned-vector-move  # toolchain.cmake says why
  CC=x86_64-w64-mingw32-gcc-posix configured x264 --host=x86_64-w64-mingw32 --enable-static --disable-cli --disable-opencl \
    --extra-cflags="$options"
  configured ffmpeg --target-os=mingw32 --arch=x86_64 --cc=x86_64-w64-mingw32-gcc-posix --pkg-config=pkg-config \
    --extra-cflags="$options -I$WINDOWS_PREFIX/include" --extra-ldflags="-L$WINDOWS_PREFIX/lib" --enable-gpl \
    --disable-autodetect --disable-everything --disable-programs --disable-doc --disable-network --disable-avdevice \
    --disable-avfilter --disable-swresample --disable-postproc --disable-debug \
    --enable-libx264 --enable-encoder=libx264 --enable-muxer=mp4
  # The static libraries need each other, so each refers to all. CMake asks pkg-config for the names of shared libraries.
  for name in libavcodec libavformat libavutil libswscale; do
    version=$(pkg-config --modversion $name)
    package_file $name "$version" "-lavformat -lavcodec -lswscale -lavutil -lx264 -lbcrypt -lole32 -luser32"
  done
fi
