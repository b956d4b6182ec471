#include "sim/base/system/folders.h"

#include <filesystem>
#include <random>

#include "sim/base/system/process.h"

namespace vw {
namespace {

std::string own_folder(const char* variable, const char* name) {
  const std::string base = environment_variable(variable);
  return base.empty() ? base : (std::filesystem::path(base) / "Voxwake" / name).string();
}

}  // namespace

std::string home_folder() { return environment_variable("USERPROFILE"); }

std::string shared_folder() { return std::filesystem::path(program_path()).parent_path().string(); }

std::string config_folder() { return own_folder("APPDATA", "settings"); }

std::string cache_folder() { return own_folder("LOCALAPPDATA", "cache"); }

std::string state_folder() { return own_folder("LOCALAPPDATA", "state"); }

std::string create_temporary_folder(const std::string& prefix) {
  // The folder for temporary files belongs to the user, and no other user can read it.
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::random_device device;
  for (int attempt = 0; attempt < 100 && !error; ++attempt) {
    const std::filesystem::path folder = base / (prefix + std::to_string(device()));
    if (std::filesystem::create_directory(folder, error)) return folder.string();
  }
  return {};
}

}  // namespace vw
