#include "sim/base/files/atomic_file.h"

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "sim/base/text.h"

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
  // A part of a character of UTF-8 would make the name invalid on Windows and macOS.
  return "." + std::string(beginning_of(target.filename().string(), longest_stem)) + ".";
}

/// Returns a random suffix for the name of a temporary file. The system's random source provides it, so that another
/// user cannot predict the name and place a link there.
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
  const FileDescriptor file = FileDescriptor::open(path.string(), FileUse::read_no_link);
  return file.is_open() && file.lock();
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

/// Returns the error for a device or a pipe that could not be opened. `reason` is the errno of the failure.
Unexpected not_opened_in_place(const std::string& path, int reason) {
  std::error_code ignored;
  if (reason == ENXIO && fs::is_fifo(fs::status(path, ignored)))
    return wrong_file(path, "cannot be written: no program reads this pipe");
  return not_written(path, reason);
}

}  // namespace

Result<AtomicFile> AtomicFile::open(const std::string& path) {
  std::error_code code;
  const auto status = fs::status(path, code);
  if (fs::is_directory(status)) return not_written(path, EISDIR);
  AtomicFile out;
  out.path_ = out.target_ = path;
  // A device or a pipe must not be replaced by a regular file. A process with root rights, for example, would otherwise
  // remove the device. Writes therefore go to the device or pipe itself.
  out.in_place_ = fs::exists(status) && !fs::is_regular_file(status);
  if (out.in_place_) {
    out.file_ = FileDescriptor::open(path, FileUse::write_device);
    if (!out.file_.is_open()) return not_opened_in_place(path, errno);
    return out;
  }
  out.target_ = link_target(path);  // a symbolic link stays, and its target is replaced
  remove_stale(out.target_);
  const std::string stem = (fs::path(out.target_).parent_path() / temporary_stem(out.target_)).string();
  for (int attempt = 0; attempt < 100 && !out.file_.is_open(); ++attempt) {
    out.temporary_ = stem + random_tag() + std::string(temporary_ending);
    out.file_ = FileDescriptor::open(out.temporary_, FileUse::create);
    if (!out.file_.is_open() && errno != EEXIST) break;
  }
  if (!out.file_.is_open()) {
    const int reason = errno;
    out.temporary_.clear();
    return not_written(path, reason);
  }
  (void)out.file_.lock();
  out.file_.take_over_mode(out.target_);
  return out;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)),
      in_place_(other.in_place_) {}

AtomicFile::~AtomicFile() {
  if (temporary_.empty()) return;
  (void)file_.close();  // closed first, because on Windows the name of an open file remains after its removal
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

Result<void> AtomicFile::write(std::string_view bytes) {
  if (const int reason = file_.write(bytes).reason; reason != 0) return not_written(path_, reason);
  return {};
}

Result<void> AtomicFile::write_whole(std::string_view bytes) {
  const auto before = file_.position();
  auto written = write(bytes);
  if (!written && before) file_.truncate(*before);
  return written;
}

Result<void> AtomicFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  if (const int reason = file_.write_at(offset, bytes).reason; reason != 0) return not_written(path_, reason);
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
  FileDescriptor file = FileDescriptor::open(path, in_place ? FileUse::write_device : FileUse::append);
  if (!file.is_open()) return in_place ? not_opened_in_place(path, errno) : not_written(path, errno);
  if (const int reason = in_place ? file.write(head).reason : 0; reason != 0) return not_written(path, reason);
  return file;
}

Result<void> AtomicFile::publish() {
  if (in_place_ || temporary_.empty()) return {};
  if (const int reason = file_.sync(); reason != 0) return not_written(path_, reason);
  if (const int reason = replace_file(temporary_, target_); reason != 0) return not_written(path_, reason);
  temporary_.clear();
  if (const int reason = sync_folder(folder_of(target_).string()); reason != 0) return not_written(path_, reason);
  return {};
}

Result<void> AtomicFile::finish() {
  if (auto published = publish(); !published) return published;
  const int unsynced = in_place_ ? 0 : file_.sync();
  const int unclosed = file_.close();
  if (unsynced != 0 || unclosed != 0) return not_written(path_, unsynced != 0 ? unsynced : unclosed);
  return {};
}

}  // namespace vw
