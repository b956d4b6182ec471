#include "app/cli/output_path.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace vw::cli {
namespace {

namespace fs = std::filesystem;

Unexpected not_writable(const std::string& path, int reason) { return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason)); }

bool is_named(const std::string& path) { return !path.empty() && path != "-"; }

Result<void> check_output(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) return not_writable(path, EISDIR);
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) return not_writable(path, errno);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};
  const fs::path parent = fs::path(path).parent_path();
  if (access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) != 0) return not_writable(path, errno);
  return {};
}

/// Whether both names lead to the same place where a file is or would be; devices may serve twice.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  return fs::weakly_canonical(fs::absolute(a, error), error) == fs::weakly_canonical(fs::absolute(b, error), error);
}

}  // namespace

Result<void> check_outputs(const std::vector<std::string>& paths, const std::string& input) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!is_named(paths[i])) continue;
    if (auto good = check_output(paths[i]); !good) return good;
    if (is_named(input) && fs::exists(input) && same_file(paths[i], input))
      return wrong_file(paths[i], "is the scene itself and would be overwritten");
    for (std::size_t j = 0; j < i; ++j)
      if (is_named(paths[j]) && same_file(paths[i], paths[j])) return wrong_file(paths[i], "is asked for two results at once");
  }
  return {};
}

}  // namespace vw::cli
