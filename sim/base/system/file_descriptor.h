// An open file of the operating system. file_descriptor_posix.cpp and file_descriptor_windows.cpp implement it. Paths
// are UTF-8. A function that fails either sets errno or returns the errno value. On Windows, the value is the nearest
// POSIX errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace vw {

/// Purpose for which a file is opened. Child processes never inherit the file.
enum class FileUse {
  read,          ///< an existing file; does not wait for the writer of a pipe
  read_no_link,  ///< like `read`, but a symbolic link is an error
  write_device,  ///< a device or a pipe; a pipe without a reader is the error ENXIO
  create,        ///< a new file; an existing file or link of this name is the error EEXIST
  append,        ///< an existing file, which grows with each write
  lock           ///< a file for a lock; created if necessary, for its owner alone; a symbolic link is an error
};

/// Owns a file descriptor. The descriptor is closed by close(), by the destructor, or when another descriptor is
/// move-assigned. A moved-from object owns no descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    FileDescriptor old(std::exchange(number_, std::exchange(other.number_, -1)));
    return *this;
  }
  ~FileDescriptor() { (void)close(); }

  /// Opens a file. After a failure, the result is not open and errno is the reason.
  [[nodiscard]] static FileDescriptor open(const std::string& path, FileUse use);
  /// Creates a file that can be read and written and that disappears when it is closed or when the process ends.
  [[nodiscard]] static FileDescriptor open_unnamed(const std::string& folder);

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// Returns the size [bytes] of a regular file. Returns nullopt for a folder, a device or a pipe, and if the size is
  /// unknown.
  [[nodiscard]] std::optional<std::uint64_t> regular_size() const;
  /// Returns whether `path` is a name of this file.
  [[nodiscard]] bool has_name(const std::string& path) const;

  struct Written {
    std::size_t bytes = 0;
    int reason = 0;  ///< errno if some bytes were not written, else 0
  };
  /// Writes all bytes, or as many as fit if the disk is full. A signal does not interrupt the write.
  [[nodiscard]] Written write(std::string_view bytes) const;
  /// Writes in the same way as write(), but at `offset` [bytes], and does not move the position.
  [[nodiscard]] Written write_at(std::uint64_t offset, std::string_view bytes) const;
  /// Reads up to `size` bytes at `offset` [bytes]. Returns the number of bytes, which is smaller than `size` at the end
  /// of the file and after an error. errno is 0 unless there was an error.
  [[nodiscard]] std::size_t read_at(std::uint64_t offset, void* out, std::size_t size) const;
  /// Returns the position of the next write [bytes]. Returns nullopt for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> position() const;
  /// Truncates the file to `size` [bytes] and moves the position there. Returns false if this is not possible.
  bool truncate(std::uint64_t size) const;
  /// Takes an exclusive lock, which ends when the file is closed, including by a crash. Returns false if another
  /// descriptor holds the lock. Does not wait.
  [[nodiscard]] bool lock() const;
  /// Takes over the mode and, if the system allows it, the owner of the file `path`. If the owner cannot be set, the
  /// set-user-id, set-group-id and sticky bits are cleared. Does nothing if `path` does not exist.
  void take_over_mode(const std::string& path) const;
  /// Waits until the data are on the disk. Returns errno on failure, else 0.
  [[nodiscard]] int sync() const;
  /// Waits as sync() does. A file that cannot be synced, for example a pipe, does not count as a failure.
  [[nodiscard]] int sync_if_possible() const;
  /// Closes the descriptor. Returns errno on failure, and 0 on success or if no file was open.
  int close();

 private:
  int number_ = -1;
};

struct StreamCloser {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
/// A file of the C library.
using FileStream = std::unique_ptr<std::FILE, StreamCloser>;
/// Opens an existing file for reading its bytes. After a failure, the result is null and errno is the reason.
[[nodiscard]] FileStream open_for_reading(const std::string& path);

/// Renames the file `from` to `to`. An existing file `to` is replaced in one step, even if a program is reading it.
/// Returns errno on failure, else 0.
[[nodiscard]] int replace_file(const std::string& from, const std::string& to);
/// Waits until the names in a folder are on the disk. Returns errno on failure, else 0.
[[nodiscard]] int sync_folder(const std::string& folder);
/// Returns errno if the process may not write to the file, else 0.
[[nodiscard]] int file_write_obstacle(const std::string& path);
/// Returns errno if the process may not read the file, else 0.
[[nodiscard]] int file_read_obstacle(const std::string& path);
/// Returns errno if the process may not create files in the folder, else 0.
[[nodiscard]] int folder_write_obstacle(const std::string& folder);
/// Returns the time of the last write to the file [s since 1970], or 0 if the file does not exist.
[[nodiscard]] std::int64_t last_written_s(const std::string& path);

}  // namespace vw
