#include "app/window/document/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vw {

std::optional<FileLock> FileLock::take(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open() || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  // The previous holder may have removed the file between the two calls. The lock would then protect nothing.
  struct stat opened {
  }, named{};
  if (::fstat(file.number(), &opened) != 0 || ::stat(path.c_str(), &named) != 0 || opened.st_ino != named.st_ino ||
      opened.st_dev != named.st_dev)
    return std::nullopt;
  return FileLock(path, std::move(file));
}

void FileLock::remove() {
  if (!file_.is_open()) return;
  (void)::unlink(path_.c_str());
  (void)file_.close();
}

}  // namespace vw
