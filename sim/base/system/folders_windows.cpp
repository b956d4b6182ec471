#include "sim/base/system/folders.h"

#include <filesystem>

#include "sim/base/system/process.h"

namespace vw {
namespace {

std::string own_folder(const char* variable, const char* name) {
  const std::string base = environment_variable(variable);
  return base.empty() ? base : (std::filesystem::path(base) / "Voxwake" / name).string();
}

}  // namespace

std::string home_folder() { return environment_variable("USERPROFILE"); }

std::string config_folder() { return own_folder("APPDATA", "settings"); }

std::string cache_folder() { return own_folder("LOCALAPPDATA", "cache"); }

std::string state_folder() { return own_folder("LOCALAPPDATA", "state"); }

}  // namespace vw
