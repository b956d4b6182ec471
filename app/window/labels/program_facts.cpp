#include "app/window/labels/program_facts.h"

#include <fmt/format.h>

#include "app/capture/capture.h"
#include "sim/api/build_info.h"
#include "sim/export/writer.h"

namespace vw {
namespace {

/// Licence of this build. The licence depends on whether the build links the optional library x264 (GPL).
std::string licence_text() {
  if (video_backend().find("libx264") == std::string::npos) return "MIT";
  return "MIT; this build links FFmpeg with x264 (GPL 2 or later) beside libraries under the Apache License 2.0 "
         "(oneTBB, Highway), so the program as built may be distributed under the GPL version 3 or later only";
}

/// File extensions of the export formats in this build.
std::string export_text() {
  std::string text;
  for (const ExportFormat& format : export_formats())
    if (format.is_built) text += (text.empty() ? "" : " ") + format.ending;
  return text;
}

}  // namespace

std::string version_text() {
  const api::BuildInfo build = api::build_info();
  std::string text = build.description + "\n";
#ifdef VOXWAKE_HAVE_WINDOW
  text +=
      "graphics: OpenGL 4.5 core; window with GLFW and Dear ImGui; offscreen rendering with OpenGL or in software\n";
#else
  text += "graphics: OpenGL 4.5 core; no window in this build; offscreen rendering with OpenGL or in software\n";
#endif
  text += "video:    " + video_backend() + "\n";
  text += "exports:  " + export_text() + "\n";
  text += "licence:  " + licence_text();
  return text;
}

ProgramFacts program_facts(const std::string& graphics) {
  const api::BuildInfo build = api::build_info();
  const std::string libraries =
      "Eigen, Spectra (MPL-2.0); oneTBB, Highway (Apache-2.0); fmt, toml++, pugixml, nlohmann/json, GLM, Dear ImGui "
      "(MIT); GLFW, zlib (Zlib); "
      "libpng; "
      "Assimp, CLI11 (BSD-3-Clause); xxHash, muParser (BSD-2-Clause)";
  return {.purpose =
              "Voxwake simulates soft voxel bodies, water, rigid bodies, particles, flocks and wind in one interactive "
              "world.",
          .licence = licence_text() + ".",
          .rows = {{"Version", build.description},
                   {"Instruction set", build.instruction_set},
                   {"OpenGL driver", graphics.empty() ? "none" : graphics},
                   {"Video", video_backend()},
                   {"Exports", export_text()},
                   {"Libraries", libraries}}};
}

std::string to_text(const ProgramFacts& facts) {
  std::string text = facts.purpose + "\n";
  for (const auto& [name, value] : facts.rows) text += fmt::format("{}: {}\n", name, value);
  return text + "Licence: " + facts.licence + "\n";
}

}  // namespace vw
