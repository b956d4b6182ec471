#include "sim/base/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace vw {
namespace {

Unexpected not_written(const std::string& path, int reason) { return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason)); }

}  // namespace

Result<AtomicFile> AtomicFile::open(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  const auto status = fs::status(path, code);
  if (fs::is_directory(status)) return not_written(path, EISDIR);
  AtomicFile out;
  out.path_ = out.target_ = path;
  // A device or a pipe cannot be replaced by a file beside it (as root it could, and then would be gone): it takes the bytes as they are.
  if (!fs::exists(status) || fs::is_regular_file(status)) {
    // A link stays a link: what it points to is replaced.
    if (fs::is_symlink(fs::symlink_status(path, code))) out.target_ = fs::weakly_canonical(path, code).string();
    out.temporary_ = out.target_ + ".part" + std::to_string(::getpid());
  }
  out.file_.reset(std::fopen(out.temporary_.empty() ? path.c_str() : out.temporary_.c_str(), "wb"));
  if (out.file_ == nullptr) {
    out.temporary_.clear();
    return not_written(path, errno);
  }
  return out;
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  file_.reset();
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

Result<void> AtomicFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) return not_written(path_, errno);
  return {};
}

Result<void> AtomicFile::finish() {
  const bool in_place = temporary_.empty();
  bool written = std::fflush(file_.get()) == 0 && (in_place || ::fsync(::fileno(file_.get())) == 0);
  int reason = errno;
  written = std::fclose(file_.release()) == 0 && written;
  if (in_place) return written ? Result<void>{} : not_written(path_, reason);
  if (written && std::rename(temporary_.c_str(), target_.c_str()) == 0) return {};
  if (written) reason = errno;
  std::remove(temporary_.c_str());
  return not_written(path_, reason);
}

}  // namespace vw
