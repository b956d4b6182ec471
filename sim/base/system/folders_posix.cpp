// Follows the XDG Base Directory Specification 0.8 (freedesktop.org).
#include "sim/base/system/folders.h"

#include <filesystem>

#include <stdlib.h>

#include "sim/base/system/process.h"

namespace vw {
namespace {

/// Returns the subfolder of Voxwake in the folder that the variable names or, if it is not set, in the subfolder
/// `in_home` of the home folder.
std::string own_folder(const char* variable, const std::filesystem::path& in_home) {
  namespace fs = std::filesystem;
  if (const std::string chosen = environment_variable(variable); !chosen.empty())
    return (fs::path(chosen) / "voxwake").string();
  const std::string home = home_folder();
  return home.empty() ? std::string() : (fs::path(home) / in_home / "voxwake").string();
}

}  // namespace

std::string home_folder() { return environment_variable("HOME"); }

std::string shared_folder() {
  return (std::filesystem::path(program_path()).parent_path() / "../share/voxwake").lexically_normal().string();
}

std::string config_folder() { return own_folder("XDG_CONFIG_HOME", ".config"); }

std::string cache_folder() { return own_folder("XDG_CACHE_HOME", ".cache"); }

std::string state_folder() { return own_folder("XDG_STATE_HOME", ".local/state"); }

std::string create_temporary_folder(const std::string& prefix) {
  std::error_code error;
  // mkdtemp() replaces the six letters by random ones.
  std::string folder = (std::filesystem::temp_directory_path(error) / (prefix + "XXXXXX")).string();
  return error || ::mkdtemp(folder.data()) == nullptr ? std::string() : folder;
}

}  // namespace vw
