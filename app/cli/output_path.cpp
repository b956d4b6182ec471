#include "app/cli/output_path.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace vw::cli {
namespace {

Unexpected not_writable(const std::string& path, const char* why) {
  Error error;
  error.file = path;
  error.what = std::string("cannot be written: ") + why;
  return fail(std::move(error));
}

}  // namespace

Result<void> check_output(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty() || path == "-") return {};
  std::error_code error;
  if (fs::is_directory(path, error)) return not_writable(path, std::strerror(EISDIR));
  const fs::path parent = fs::path(path).parent_path();
  if (access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) != 0) return not_writable(path, std::strerror(errno));
  return {};
}

}  // namespace vw::cli
