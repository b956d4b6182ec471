#include "sim/base/files/atomic_file.h"

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vw {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_ending = ".part";
constexpr std::size_t tag_digits = 16;
// This limit leaves space for the random suffix, because file systems allow 255 bytes for a name.
constexpr std::size_t longest_stem = 200;
constexpr auto stale_after = std::chrono::minutes(1);

Unexpected not_written(const std::string& path, int reason) {
  return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason));
}

fs::path folder_of(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

std::string temporary_stem(const fs::path& target) {
  return "." + target.filename().string().substr(0, longest_stem) + ".";
}

/// Returns a random suffix for a temporary file's name. The suffix comes from the system's source of randomness, so
/// that another user cannot predict the name and place a link there.
std::string random_tag() {
  std::random_device device;
  const std::uint64_t bits = (std::uint64_t{device()} << 32) | device();
  std::string tag(tag_digits, '0');
  for (std::size_t i = 0; i < tag_digits; ++i) tag[i] = "0123456789abcdef"[bits >> (4 * i) & 15];
  return tag;
}

bool is_temporary_name(const std::string& name, const std::string& stem) {
  if (name.size() != stem.size() + tag_digits + temporary_ending.size() || !name.starts_with(stem) ||
      !name.ends_with(temporary_ending))
    return false;
  for (std::size_t i = 0; i < tag_digits; ++i)
    if (std::isxdigit(static_cast<unsigned char>(name[stem.size() + i])) == 0) return false;
  return true;
}

/// Returns whether no process has the file open for writing. A writer holds a lock on the file until it closes the
/// file.
bool is_abandoned(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  return file.is_open() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
}

/// Removes temporary files that are older than `stale_after` and not locked by a writer. A writer locks its file right
/// after creating it, so a file of that age without a lock was left by a process that ended.
void remove_stale(const fs::path& target) {
  const std::string stem = temporary_stem(target);
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(target), error), end; !error && entry != end; entry.increment(error)) {
    if (!is_temporary_name(entry->path().filename().string(), stem)) continue;
    std::error_code ignored;
    if (!fs::is_regular_file(entry->symlink_status(ignored))) continue;
    const auto age = fs::file_time_type::clock::now() - entry->last_write_time(ignored);
    if (!ignored && age > stale_after && is_abandoned(entry->path())) fs::remove(entry->path(), ignored);
  }
}

/// Applies the mode and owner of the replaced file. If the owner cannot be set, the set-user-id, set-group-id and
/// sticky bits are dropped.
void take_over(int descriptor, const struct stat& old) {
  const bool given = ::fchown(descriptor, old.st_uid, old.st_gid) == 0;
  (void)::fchmod(descriptor, given ? old.st_mode & 07777 : old.st_mode & 0777);
}

/// Opens a device or a pipe for writing. On failure, the function returns a negative number and sets errno. Without
/// O_NONBLOCK, open() would wait for the reader of a named pipe, and a signal with SA_RESTART would not end the wait.
/// The flag is cleared after opening, so that writes wait for a slow reader.
int open_in_place(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return descriptor;
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags >= 0 && ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0) return descriptor;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return -1;
}

/// Returns the error for a failure of open_in_place(). `reason` is the errno of the failure.
Unexpected not_opened_in_place(const std::string& path, int reason) {
  std::error_code ignored;
  if (reason == ENXIO && fs::is_fifo(fs::status(path, ignored)))
    return wrong_file(path, "cannot be written: no program reads this pipe");
  return not_written(path, reason);
}

int sync_folder(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return 0;  // a folder that is writable but not readable cannot be synced
  return ::fsync(opened.number()) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

}  // namespace

Result<AtomicFile> AtomicFile::open(const std::string& path) {
  std::error_code code;
  const auto status = fs::status(path, code);
  if (fs::is_directory(status)) return not_written(path, EISDIR);
  AtomicFile out;
  out.path_ = out.target_ = path;
  // A device or a pipe must not be replaced by a regular file (a process of root would remove the device by that).
  // Writes therefore go to the device or pipe itself.
  out.in_place_ = fs::exists(status) && !fs::is_regular_file(status);
  if (out.in_place_) {
    out.file_ = FileDescriptor(open_in_place(path));
    if (!out.file_.is_open()) return not_opened_in_place(path, errno);
    return out;
  }
  out.target_ = link_target(path);  // a symbolic link stays, and its target is replaced
  remove_stale(out.target_);
  const std::string stem = (fs::path(out.target_).parent_path() / temporary_stem(out.target_)).string();
  for (int attempt = 0; attempt < 100 && !out.file_.is_open(); ++attempt) {
    out.temporary_ = stem + random_tag() + std::string(temporary_ending);
    out.file_ =
        FileDescriptor(::open(out.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!out.file_.is_open() && errno != EEXIST) break;
  }
  if (!out.file_.is_open()) {
    const int reason = errno;
    out.temporary_.clear();
    return not_written(path, reason);
  }
  (void)::flock(out.file_.number(), LOCK_EX | LOCK_NB);
  struct stat old {};
  if (::stat(out.target_.c_str(), &old) == 0) take_over(out.file_.number(), old);
  return out;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)),
      in_place_(other.in_place_) {}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

Result<void> AtomicFile::write(std::string_view bytes) {
  if (const int reason = file_.write(bytes).reason; reason != 0) return not_written(path_, reason);
  return {};
}

Result<void> AtomicFile::write_whole(std::string_view bytes) {
  const off_t before = ::lseek(file_.number(), 0, SEEK_CUR);
  auto written = write(bytes);
  if (!written && before >= 0 && ::ftruncate(file_.number(), before) == 0)
    (void)::lseek(file_.number(), before, SEEK_SET);
  return written;
}

Result<void> AtomicFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return not_written(path_, done < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(done));
    offset += static_cast<std::uint64_t>(done);
  }
  return {};
}

std::string link_target(const std::string& path) {
  constexpr int most_links = 40;  // the limit of Linux; it also terminates a cycle of links
  std::error_code code;
  if (fs::exists(path, code))
    return fs::is_symlink(fs::symlink_status(path, code)) ? fs::weakly_canonical(path, code).string() : path;
  // weakly_canonical does not follow a link whose target does not exist.
  fs::path at = path;
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(at, code)); ++i) {
    const fs::path next = fs::read_symlink(at, code);
    if (code) break;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

Result<FileDescriptor> begin_growing_file(const std::string& path, std::string_view head) {
  std::error_code code;
  const auto status = fs::status(path, code);
  const bool in_place = fs::exists(status) && !fs::is_regular_file(status);
  if (!in_place) {
    auto first = AtomicFile::open(path);
    if (!first) return Unexpected(first.error());
    if (auto good = first->write(head); !good) return Unexpected(good.error());
    if (auto good = first->finish(); !good) return Unexpected(good.error());
  }
  FileDescriptor file(in_place ? open_in_place(path) : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file.is_open()) return in_place ? not_opened_in_place(path, errno) : not_written(path, errno);
  if (const int reason = in_place ? file.write(head).reason : 0; reason != 0) return not_written(path, reason);
  return file;
}

Result<void> AtomicFile::publish() {
  if (in_place_ || temporary_.empty()) return {};
  if (::fsync(file_.number()) != 0) return not_written(path_, errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return not_written(path_, errno);
  temporary_.clear();
  if (const int reason = sync_folder(folder_of(target_)); reason != 0) return not_written(path_, reason);
  return {};
}

Result<void> AtomicFile::finish() {
  if (auto published = publish(); !published) return published;
  const int unsynced = in_place_ || ::fsync(file_.number()) == 0 ? 0 : errno;
  const int unclosed = file_.close();
  if (unsynced != 0 || unclosed != 0) return not_written(path_, unsynced != 0 ? unsynced : unclosed);
  return {};
}

}  // namespace vw
