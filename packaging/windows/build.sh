#!/usr/bin/env bash
# build.sh [FOLDER]: builds Voxwake for Windows on Debian 12 and writes to FOLDER (default: build/windows/out)
#   voxwake-VERSION-windows-x86_64.zip        an archive that runs from any folder
#   voxwake-VERSION-windows-x86_64-setup.exe  an installer with file associations
# The script installs the cross compiler, fetches and builds the libraries (libraries.sh) and keeps them in
# build/windows-libraries, or in the folder that the variable VOXWAKE_WINDOWS_LIBRARIES names. With
# VOXWAKE_WINDOWS_VIDEO=0, FFmpeg and x264 are left out; videos are then numbered pictures. docs/packages.md describes the
# results.
set -euo pipefail
[ $# -eq 0 ] || out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || { out=$PWD/build/windows/out; mkdir -p "$out"; }
tools/install-packages.sh third_party/debian-packages.txt third_party/debian-packages-windows.txt
libraries=${VOXWAKE_WINDOWS_LIBRARIES:-$PWD/build/windows-libraries}
packaging/windows/libraries.sh "$libraries"
export WINDOWS_PREFIX=$libraries/prefix
video=${VOXWAKE_WINDOWS_VIDEO:-1}
cmake --preset windows -DVOXWAKE_VIDEO="$video" >/dev/null
tools/build.sh windows voxwake voxwake_launcher voxwake_bench_command

version=$(cat packaging/version.txt)
name=voxwake-$version-windows-x86_64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/$name
mkdir -p "$stage/fonts" "$stage/licences"
for program in voxwake voxwake-window voxwake-bench; do
  x86_64-w64-mingw32-strip -o "$stage/$program.exe" "build/windows/app/$program.exe"
done
cp -r assets "$stage/"
cp /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-{Regular,Medium}.ttf "$stage/fonts/"
sed 's/$/\r/' LICENSE >"$stage/LICENSE.txt"
# The licences of everything that is linked, and the general texts to which they refer.
cp "$WINDOWS_PREFIX"/licences/* "$stage/licences/"
[ "$video" = 1 ] || rm -f "$stage"/licences/{ffmpeg,x264}.txt
for package in g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev python3-glad fonts-roboto-unhinted; do
  cp "/usr/share/doc/$package/copyright" "$stage/licences/$package.txt"
done
{ grep -hoE '/usr/share/common-licenses/[A-Za-z]+-[0-9.]*[0-9]' "$stage"/licences/*.txt || true; } | sort -u | while read -r text; do
  [ ! -f "$text" ] || cp -L "$text" "$stage/licences/$(basename "$text").txt"
done
if [ "$video" = 1 ]; then
  cp -L /usr/share/common-licenses/GPL-3 "$stage/licences/GPL-3.txt"
  version_of() { dpkg-parsechangelog -l "$(find "$libraries/sources" -path "*/$1-[0-9]*/debian/changelog")" -S Version; }
  sed 's/$/\r/' >"$stage/licences/README.txt" <<END
The programs contain FFmpeg and x264, which are under the GNU General Public License (GPL), version 2 or later, and
libraries under the Apache License 2.0. You may therefore distribute the programs under the GPL version 3 or later only
(GPL-3.txt). The source of Voxwake itself is under the MIT licence (LICENSE.txt in the folder above).

The programs were built from these sources:
- Voxwake $version, commit $(git rev-parse HEAD 2>/dev/null || echo unknown)
- FFmpeg, source package ffmpeg $(version_of ffmpeg) of Debian
- x264, source package x264 $(version_of x264) of Debian
https://snapshot.debian.org keeps all source packages of Debian. packaging/windows/build.sh of Voxwake fetches the sources
and builds the programs. With VOXWAKE_WINDOWS_VIDEO=0 it leaves FFmpeg and x264 out.
END
fi

# Equal sources give equal archives: names are sorted, and all files have the time of the commit.
time=$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)
find "$stage" -exec touch -d "@$time" {} +
rm -f "$out"/voxwake-*-windows-x86_64{.zip,-setup.exe}  # of other versions, too
(cd "$work" && find "$name" | LC_ALL=C sort | TZ=UTC zip -qX "$out/$name.zip" -@)
echo "$out/$name.zip"
makensis -V2 -NOCD "-DVERSION=$version" "-DFILES=$stage" "-DICON=$PWD/build/windows/voxwake.ico" \
  "-DOUTPUT=$out/$name-setup.exe" packaging/windows/installer.nsi
echo "$out/$name-setup.exe"
