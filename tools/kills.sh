#!/usr/bin/env bash
# kills.sh [KILLS]: kills the program KILLS times (default 1000) at random moments while it writes a checkpoint, a
# journal, a scene, a table or a video, and simulates a full disk at many file sizes. The kills are divided equally
# among these five kinds of file, and are done in batches. After VOXWAKE_KILL_MINUTES (default 60), the script stops at
# the end of a batch. The same command then continues from the progress in build/kills. To begin again, for example with
# a changed program, remove that folder.
set -euo pipefail
cd "$(dirname "$0")/.."
piece=20  # kills in a batch for each kind of file
pieces=$(((${1:-1000} + 5 * piece - 1) / (5 * piece)))
program=build/release/tests/test_app
tools/build.sh release test_app
mkdir -p build/kills
end=$(($(date +%s) + 60 * ${VOXWAKE_KILL_MINUTES:-60}))
for ((i = 1; i <= pieces; ++i)); do
  [ -e "build/kills/$i" ] && continue
  if [ "$(date +%s)" -ge "$end" ]; then echo "The time limit was reached. Run the same command again to continue." >&2; exit 3; fi
  VOXWAKE_KILLS=$piece VOXWAKE_KILL_SEED=$i "$program" --gtest_filter='CliKills.*' --gtest_brief=1 >"build/kills/$i.part" || { cat "build/kills/$i.part" >&2; exit 1; }
  mv "build/kills/$i.part" "build/kills/$i"
done
# Prints the sums over all batches, one line for each kind of file.
cat $(seq -f 'build/kills/%g' 1 "$pieces") | awk -F'[:,]? ' '
  / kills, / { kills[$1] += $2; early[$1] += $4; for (i = 5; i < NF; ++i) { if ($i == "old") old[$1] += $(i + 1); if ($i == "new") new[$1] += $(i + 1); if ($i == "left") left[$1] += $(i + 1) } left[$1] += 0 }
  / full at / { full[$1] += $4 }
  END { for (s in kills) printf "%s: %d kills (%d while it ran): old %d, new %d; full disks %d\n", s, kills[s], early[s], old[s], new[s], full[s] }' | sort
