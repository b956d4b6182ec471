#include "app/window/document/file_lock.h"

#include <filesystem>

namespace vw {

std::optional<FileLock> FileLock::take(const std::string& path) {
  FileDescriptor file = FileDescriptor::open(path, FileUse::lock);
  if (!file.is_open() || !file.lock()) return std::nullopt;
  // The previous holder may have removed the file between open() and lock(). The lock would then be on a deleted file
  // and protect nothing.
  if (!file.has_name(path)) return std::nullopt;
  return FileLock(path, std::move(file));
}

void FileLock::remove() {
  if (!file_.is_open()) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  (void)file_.close();
}

}  // namespace vw
