#!/usr/bin/env bash
# package.sh PART FOLDER: builds packages and writes them to FOLDER. Prints the path of each written file.
#   deb       the Debian packages voxwake, libvoxwake-dev and python3-voxwake
#   python    the Debian package python3-voxwake alone
#   portable  an archive of the program that runs from any folder (preset `permissive`: without FFmpeg)
# docs/packages.md describes the packages.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 2,6p "$0"; exit 2; }
part=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")/.."
source=$PWD
run() {  # runs a command and prints its output only if it fails
  local log; log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then cat "$log" >&2; rm -f "$log"; exit 1; fi
  rm -f "$log"
}

make_debs() {  # argument: build folder, whose configuration selects the packages
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # The umask determines the permissions of the folders in a package.
  (umask 022 && cd "$work" && run cpack -G DEB --config "$source/$1/CPackConfig.cmake" -D CPACK_PACKAGE_DIRECTORY="$work/out")
  for file in "$work"/out/*.deb; do mv "$file" "$out/"; echo "$out/$(basename "$file")"; done
}

case $part in
  deb)
    tools/build.sh release voxwake sim/all
    make_debs build/release
    tools/package.sh python "$out"
    ;;
  python)
    # The package is for Debian's interpreter. The build folder may have been configured for another one.
    run cmake --preset python -DPython_EXECUTABLE="$(realpath /usr/bin/python3)"
    tools/build.sh python voxwake_python
    make_debs build/python
    ;;
  portable)
    tools/build.sh permissive voxwake
    name=voxwake-$(cat packaging/version.txt)-$(uname -m)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    run cmake --install build/permissive --prefix "$work/$name" --component program --strip
    # Copies all libraries except those that must be the system's: the C library, and the libraries of the display and
    # of OpenGL, which must match the driver. The program searches its own folder first (CMAKE_INSTALL_RPATH).
    libraries=$work/$name/lib/voxwake
    mkdir -p "$libraries"
    ldd "$work/$name/bin/voxwake" | awk '$3 ~ /^\// {print $3}' |
      grep -Ev '/(libc|libm|libdl|libpthread|librt|libresolv|libX[a-zA-Z0-9]*|libxcb[-a-z0-9]*|libGL[a-zA-Z]*|libEGL|libOpenGL|libdrm|libwayland[-a-z]*)\.so' |
      while read -r library; do
        cp -L "$library" "$libraries/"
        real=$(realpath "$library")
        # In Debian 12, /lib is a link to /usr/lib, and dpkg knows some libraries only by their paths below /lib.
        owner=$({ dpkg -S "$real" 2>/dev/null || dpkg -S "${real#/usr}" 2>/dev/null || true; } | sed -n '1s/:.*//p')
        if [ -f "/usr/share/doc/$owner/copyright" ]; then install -D -m 644 "/usr/share/doc/$owner/copyright" "$work/$name/share/doc/libraries/$owner/copyright"; else echo "tools/package.sh: no licence was found for $library" >&2; exit 1; fi
      done
    # Headers and static libraries of these packages are compiled into the program (packaging/copyright).
    for package in libeigen3-dev libspectra-dev libexpected-dev libtomlplusplus-dev nlohmann-json3-dev libglm-dev \
      libcli11-dev libimgui-dev libstb-dev python3-glad; do
      install -D -m 644 "/usr/share/doc/$package/copyright" "$work/$name/share/doc/libraries/$package/copyright"
    done
    cp LICENSE "$work/$name/"
    tar -C "$work" --owner=0 --group=0 --numeric-owner --sort=name -cJf "$out/$name.tar.xz" "$name"
    echo "$out/$name.tar.xz"
    ;;
  *) sed -n 2,6p tools/package.sh; exit 2 ;;
esac
