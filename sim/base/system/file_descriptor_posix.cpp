#include "sim/base/system/file_descriptor.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vw {
namespace {

/// Opens a device or a pipe for writing. On failure, the function returns a negative number and sets errno. Without
/// O_NONBLOCK, open() would wait for the reader of a named pipe, and a signal with SA_RESTART would not end the wait.
/// The flag is cleared after opening, so that writes wait for a slow reader.
int open_device(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return descriptor;
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags >= 0 && ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0) return descriptor;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return -1;
}

int open_for(const std::string& path, FileUse use) {
  switch (use) {
    case FileUse::read: return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    case FileUse::read_no_link: return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    case FileUse::write_device: return open_device(path);
    case FileUse::create: return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    case FileUse::append: return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    case FileUse::lock: return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  }
  errno = EINVAL;
  return -1;
}

/// Calls `part(done)`, which processes the bytes from `done` on and returns their number, until `size` bytes are
/// processed. Repeats a call that a signal has interrupted. Returns the number of bytes. errno is 0 unless a call
/// failed.
template <class Part>
std::size_t in_parts(std::size_t size, const Part& part) {
  errno = 0;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = part(done);
    if (count < 0 && errno == EINTR) {
      errno = 0;
      continue;
    }
    if (count <= 0) return done;
    done += static_cast<std::size_t>(count);
  }
  errno = 0;
  return done;
}

FileDescriptor::Written written_in_parts(std::size_t size, std::size_t done) {
  return {done, done == size ? 0 : errno != 0 ? errno : EIO};
}

int reason_of(bool is_good) { return is_good ? 0 : errno; }

}  // namespace

FileDescriptor FileDescriptor::open(const std::string& path, FileUse use) {
  return FileDescriptor(open_for(path, use));
}

FileDescriptor FileDescriptor::open_unnamed(const std::string& folder) {
  std::string path = folder + "/.unnamed-XXXXXX";
  FileDescriptor file(::mkostemp(path.data(), O_CLOEXEC));
  if (file.is_open()) ::unlink(path.c_str());
  return file;
}

std::optional<std::uint64_t> FileDescriptor::regular_size() const {
  struct stat facts {};
  if (::fstat(number_, &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
  return static_cast<std::uint64_t>(facts.st_size);
}

bool FileDescriptor::has_name(const std::string& path) const {
  struct stat opened {
  }, named{};
  return ::fstat(number_, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

FileDescriptor::Written FileDescriptor::write(std::string_view bytes) const {
  const std::size_t done = in_parts(
      bytes.size(), [&](std::size_t from) { return ::write(number_, bytes.data() + from, bytes.size() - from); });
  return written_in_parts(bytes.size(), done);
}

FileDescriptor::Written FileDescriptor::write_at(std::uint64_t offset, std::string_view bytes) const {
  const std::size_t done = in_parts(bytes.size(), [&](std::size_t from) {
    return ::pwrite(number_, bytes.data() + from, bytes.size() - from, static_cast<off_t>(offset + from));
  });
  return written_in_parts(bytes.size(), done);
}

std::size_t FileDescriptor::read_at(std::uint64_t offset, void* out, std::size_t size) const {
  return in_parts(size, [&](std::size_t from) {
    return ::pread(number_, static_cast<char*>(out) + from, size - from, static_cast<off_t>(offset + from));
  });
}

std::optional<std::uint64_t> FileDescriptor::position() const {
  const off_t at = ::lseek(number_, 0, SEEK_CUR);
  return at >= 0 ? std::optional(static_cast<std::uint64_t>(at)) : std::nullopt;
}

bool FileDescriptor::truncate(std::uint64_t size) const {
  const auto end = static_cast<off_t>(size);
  return ::ftruncate(number_, end) == 0 && ::lseek(number_, end, SEEK_SET) >= 0;
}

bool FileDescriptor::lock() const { return ::flock(number_, LOCK_EX | LOCK_NB) == 0; }

void FileDescriptor::take_over_mode(const std::string& path) const {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0) return;
  const bool given = ::fchown(number_, old.st_uid, old.st_gid) == 0;
  (void)::fchmod(number_, given ? old.st_mode & 07777 : old.st_mode & 0777);
}

int FileDescriptor::sync() const { return reason_of(::fsync(number_) == 0); }

int FileDescriptor::sync_if_possible() const {
  const int reason = sync();
  return reason == EINVAL || reason == ENOTSUP || reason == EROFS ? 0 : reason;
}

int FileDescriptor::close() { return is_open() ? reason_of(::close(std::exchange(number_, -1)) == 0) : 0; }

FileStream open_for_reading(const std::string& path) { return FileStream(std::fopen(path.c_str(), "rb")); }

int replace_file(const std::string& from, const std::string& to) {
  return reason_of(std::rename(from.c_str(), to.c_str()) == 0);
}

int sync_folder(const std::string& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.is_open() ? opened.sync_if_possible() : 0;  // a folder that cannot be read cannot be synced
}

int file_write_obstacle(const std::string& path) { return reason_of(::access(path.c_str(), W_OK) == 0); }

int file_read_obstacle(const std::string& path) { return reason_of(::access(path.c_str(), R_OK) == 0); }

int folder_write_obstacle(const std::string& folder) { return reason_of(::access(folder.c_str(), W_OK | X_OK) == 0); }

std::int64_t last_written_s(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? static_cast<std::int64_t>(facts.st_mtime) : 0;
}

}  // namespace vw
