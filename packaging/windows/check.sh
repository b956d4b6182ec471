#!/usr/bin/env bash
# check.sh [PART...]: tests the archive that build.sh has written to build/windows/out, under Wine.
#   moves     the machine code has no moves of AVX registers that need an aligned address
#   program   facts, scenes, errors, pictures without a graphics driver, and the size of the archive
#   video     a video, which the archive writes unless it was built with VOXWAKE_WINDOWS_VIDEO=0
#   golden    state hashes of the scenes of tests/golden after each of 240 steps ($GOLDEN_STEPS) are those of Linux
#   exchange  journals and checkpoints between Linux and Windows, both ways
#   installer installs, uses and removes the program
#   window    the window on a virtual display: a file is dropped on it, and it records a video. $WINDOW_S: seconds until
#             it closes; the font in the file $VOXWAKE_CHECK_FONT, if given, is installed before
# Without PART, all of them. The Linux program is that of the preset release, or $VOXWAKE_LINUX_PROGRAM. The archive is
# unpacked into a folder with spaces, umlauts and Chinese characters, and Wine gets a folder of its own in which nothing
# is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
[ $# -gt 0 ] || set -- moves program video golden exchange installer window
tools/install-packages.sh third_party/debian-packages-wine.txt
fail() { echo "packaging/windows/check.sh: $*" >&2; exit 1; }

work=$source/build/windows/check
rm -rf "$work"; mkdir -p "$work/Grüße an 世界"
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree=,mshtml= LC_ALL=C.UTF-8
export VOXWAKE_NO_SOURCE_TREE=1
unset DISPLAY WAYLAND_DISPLAY
display=
leave() { wineserver -k 2>/dev/null || true; [ -z "$display" ] || kill "$display" 2>/dev/null || true; }
trap leave EXIT
archive=$(ls build/windows/out/voxwake-*-windows-x86_64.zip)
[ "$(stat -c %s "$archive")" -lt $((60 * 1024 * 1024)) ] || fail "the archive is larger than 60 MB"
(cd "$work/Grüße an 世界" && unzip -q "$source/$archive")
home=$(ls -d "$work/Grüße an 世界"/voxwake-*)
windows() { wine "$home/voxwake.exe" "$@"; }
linux_program=${VOXWAKE_LINUX_PROGRAM:-build/release/app/voxwake}
[ -n "${VOXWAKE_LINUX_PROGRAM:-}" ] || [[ " $* " != *" golden "* && " $* " != *" exchange "* && " $* " != *" video "* ]] ||
  tools/build.sh release voxwake
linux() { env -u VOXWAKE_NO_SOURCE_TREE "$linux_program" "$@"; }
hash_of() { sed -n 's/.*state hash \([0-9a-f]*\).*/\1/p' <<<"$1"; }
mkdir -p "$work/home"
HOME=$work/home wine wineboot -i >/dev/null 2>&1  # folders such as Videos are links to those of $HOME

check_moves() {  # the stack of a thread of Windows has an alignment of 16 bytes only (docs/design/platforms.md)
  local program aligned
  for program in voxwake voxwake-window voxwake-bench; do
    # Moves past the cache (vmovnt*) have no unaligned form; the kernels write them to aligned rows only. The assembler
    # sources of x264 and FFmpeg align the stack themselves.
    aligned=$(x86_64-w64-mingw32-objdump -d --no-show-raw-insn "build/windows/app/$program.exe" | awk '
      /^[0-9a-f]+ <.*>:$/ { aligns = $2 ~ /^<(x264|ff)_.*_(avx|fma|bmi)/ }
      !aligns && /%[yz]mm/ && /vmov(ap[sd]|dqa(32|64)?)[[:space:]].*\(|vmovnt.*\(%r[sb]p/ { ++count }
      END { print count + 0 }')
    [ "$aligned" = 0 ] || fail "$program.exe has $aligned moves of AVX registers that need an aligned address"
  done
  echo "moves: no move of an AVX register needs an aligned address"
}

check_program() {
  windows --version | head -1
  windows scenes | grep '^showcase' >/dev/null || fail "the program does not find its scenes"
  [ "$(windows scenes | wc -l)" = "$(ls assets/scenes/*.toml | wc -l)" ] || fail "scenes are missing"
  windows check jelly-drop || fail "check fails"
  local scene="$work/Grüße an 世界/Würfel 立方.toml" message code=0
  sed 's/^title = .*/title = "Würfel 立方"/' assets/scenes/jelly-drop.toml >"$scene"
  windows run "$scene" --steps 3 --save "$work/Grüße an 世界/Zustand 状態.vws" | grep -q 'state hash' || fail "a scene with an unusual name does not run"
  [ -s "$work/Grüße an 世界/Zustand 状態.vws" ] || fail "no checkpoint was written"
  windows export jelly-drop --system cherry --out "$work/Grüße an 世界/生物.vxa" 2>/dev/null >/dev/null
  windows run "$work/Grüße an 世界/生物.vxa" --steps 1 --report - | grep '"name": "body"' >/dev/null || fail "a design with a Chinese name is not read"
  message=$(windows run "$work/Grüße an 世界/nicht da.toml" 2>&1) || code=$?
  [ "$code" = 2 ] && grep -q 'nicht da.toml' <<<"$message" || fail "a missing file gives exit code $code: $message"
  windows render jelly-drop --software --until 0.1 --size 160x90 --frame "$work/frame.png" >/dev/null
  [ -s "$work/frame.png" ] || fail "no picture was written"
  ! windows scenes | grep $'\r' >/dev/null || fail "lines end in two bytes"
  echo "program: runs from \"$home\""
}

check_video() {
  if [ "${VOXWAKE_WINDOWS_VIDEO:-1}" != 1 ]; then echo "video: left out"; return; fi
  local video="$work/Grüße an 世界/Würfel 立方.mp4" found
  windows --version | grep -q 'GPL version 3' || fail "the version does not name the licence"
  grep -q 'source package x264 [0-9]' "$home/licences/README.txt" || fail "the archive does not name the sources of x264"
  windows render jelly-drop --software --until 0.5 --size 320x180 --video "$video" >/dev/null
  found=$(ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,nb_read_frames -of csv=p=0 "$video")
  [ "$found" = h264,320,180,30 ] || fail "the video has $found"
  linux run "$video" --at 0.5 --steps 1 >/dev/null || fail "Linux does not open a moment of the video"
  echo "video: H.264 in MP4 ($(stat -c %s "$video") bytes)"
}

check_golden() {
  local scene short long steps=${GOLDEN_STEPS:-240}
  while IFS=$'\t' read -r scene short long; do
    [[ $scene != \#* ]] || continue
    windows run "$scene" --steps "$steps" --hashes "$work/windows.csv" >/dev/null </dev/null
    linux run "$scene" --steps "$steps" --hashes "$work/linux.csv" >/dev/null </dev/null
    cmp "$work/windows.csv" "$work/linux.csv" || fail "$scene: state hashes differ"
    [ "$steps" -lt 24 ] || grep -qx "24,$short" "$work/windows.csv" || fail "$scene: the state hash after 24 steps is new"
    [ "$steps" -lt 240 ] || grep -qx "240,$long" "$work/windows.csv" || fail "$scene: the state hash after 240 steps is new"
    echo "golden: $scene: state hashes equal after each of $(($(wc -l <"$work/windows.csv") - 2)) steps"
  done <tests/golden/hashes.tsv
}

check_exchange() {  # a run that goes over from one system to the other ends with the hash of a run that does not
  local scene whole
  for scene in showcase fish-and-raft sand-heap; do
    whole=$(hash_of "$(linux run $scene --steps 40)")
    [ -n "$whole" ] || fail "$scene: no state hash on Linux"
    linux run $scene --steps 20 --save "$work/from-linux.vws" --journal "$work/from-linux.journal" >/dev/null
    windows run $scene --steps 20 --save "$work/from-windows.vws" --journal "$work/from-windows.journal" >/dev/null
    [ "$(hash_of "$(windows run --resume "$work/from-linux.vws" --steps 20)")" = "$whole" ] || fail "$scene: a checkpoint of Linux continues differently on Windows"
    [ "$(hash_of "$(linux run --resume "$work/from-windows.vws" --steps 20)")" = "$whole" ] || fail "$scene: a checkpoint of Windows continues differently on Linux"
    windows replay "$work/from-linux.journal" >/dev/null || fail "$scene: Windows does not repeat a journal of Linux"
    linux replay "$work/from-windows.journal" >/dev/null || fail "$scene: Linux does not repeat a journal of Windows"
    echo "exchange: $scene: checkpoints and journals are exchanged"
  done
}

check_installer() {
  local folder="$WINEPREFIX/drive_c/Voxwake"
  wine "$(ls build/windows/out/*-setup.exe)" /S '/D=C:\Voxwake'
  wine "$folder/voxwake.exe" scenes | grep '^showcase' >/dev/null || fail "the installed program does not find its scenes"
  wine reg query 'HKCU\Software\Classes\.vxa' | grep -q 'Voxwake.Design' || fail "the installer does not register .vxa"
  wine "$folder/uninstall.exe" /S
  has_types() { wine reg query 'HKCU\Software\Classes\Voxwake.Design' >/dev/null 2>&1; }
  # The uninstaller goes on in a copy of itself.
  for _ in $(seq 60); do [ -e "$folder" ] || has_types || break; sleep 0.5; done
  [ ! -e "$folder" ] || fail "the uninstaller leaves files"
  ! has_types || fail "the uninstaller leaves its types"
  echo "installer: installs and removes the program"
}

check_window() {  # a design with Chinese characters in its name is dropped on the window, which shows jelly-drop
  local design="$work/Grüße an 世界/生物 Würfel.vxa" running
  # A font with Chinese letters: Windows has one, Wine has none.
  [ -z "${VOXWAKE_CHECK_FONT:-}" ] || cp "$VOXWAKE_CHECK_FONT" "$WINEPREFIX/drive_c/windows/Fonts/"
  windows export jelly-drop --system cherry --out "$design" >/dev/null
  Xvfb -displayfd 5 -screen 0 1440x900x24 5>"$work/display" 2>/dev/null & display=$!
  for _ in $(seq 50); do [ -s "$work/display" ] || sleep 0.1; done
  DISPLAY=:$(cat "$work/display"); export DISPLAY
  windows jelly-drop --size 1200x750 --exit-after "${WINDOW_S:-60}" --screenshot "$work/window.png" >"$work/window.txt" & running=$!
  /usr/bin/python3 packaging/windows/drop.py Voxwake "$design" || fail "the file cannot be dropped"
  sleep 5
  for _ in start stop; do
    xdotool search --onlyvisible --name Voxwake windowfocus key F9
    sleep 8
  done
  wait "$running" || fail "the window ends with an error"
  kill "$display"; display=
  unset DISPLAY
  [ -s "$work/window.png" ] || fail "the window wrote no picture"
  grep -q '生物 Würfel.vxa' "$WINEPREFIX"/drive_c/users/*/AppData/Roaming/Voxwake/settings/recent || fail "the dropped file was not opened"
  if [ "${VOXWAKE_WINDOWS_VIDEO:-1}" = 1 ]; then
    local video; video=$(find "$work/home" -name '*.mp4' | head -1)
    [ "$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 "$video")" = h264 ] || fail "the window recorded no video"
  fi
  echo "window: opened a dropped file and recorded a video; $(tr -d '\r' <"$work/window.txt"); picture: $work/window.png"
}

for part in "$@"; do
  case $part in
    moves | program | video | golden | exchange | installer | window) "check_$part" ;;
    *) sed -n 2,13p packaging/windows/check.sh; exit 2 ;;
  esac
done
