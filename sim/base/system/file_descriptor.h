// An open file of the operating system. file_descriptor_posix.cpp and file_descriptor_windows.cpp implement it. Paths
// are UTF-8. A function that fails sets errno or returns its value; on Windows, that is the nearest errno of POSIX.
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

/// What a file is opened for. No mode lets child processes inherit the file.
enum class FileUse {
  read,          ///< an existing file; does not wait for the writer of a pipe
  read_no_link,  ///< like `read`, but a symbolic link is an error
  write_device,  ///< a device or a pipe; a pipe without a reader is the error ENXIO
  create,        ///< a new file; an existing file or link of this name is the error EEXIST
  append,        ///< an existing file, which grows with each write
  lock           ///< a file for a lock: created if necessary, for its owner alone; a symbolic link is an error
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

  /// Opens a file. If this fails, the result is not open and errno gives the reason.
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
  /// Like write(), but writes at `offset` [bytes] and does not move the position.
  [[nodiscard]] Written write_at(std::uint64_t offset, std::string_view bytes) const;
  /// Reads up to `size` bytes at `offset` [bytes]. Returns the number of bytes, which is smaller than `size` at the end
  /// of the file and after an error. errno is 0 unless there was an error.
  [[nodiscard]] std::size_t read_at(std::uint64_t offset, void* out, std::size_t size) const;
  /// Returns the position of the next write [bytes]. Returns nullopt for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> position() const;
  /// Cuts the file off at `size` [bytes] and moves the position there. Returns false if this is not possible.
  bool truncate(std::uint64_t size) const;
  /// Takes an exclusive lock that ends when the file is closed, also by a crash. Returns false if another descriptor
  /// holds the lock. Does not wait.
  [[nodiscard]] bool lock() const;
  /// Takes over the mode and, where the system allows it, the owner of the file `path`. If the owner cannot be set, the
  /// set-user-id, set-group-id and sticky bits are dropped. Does nothing if `path` does not exist.
  void take_over_mode(const std::string& path) const;
  /// Returns when the data are on the disk. Returns errno on failure, else 0.
  [[nodiscard]] int sync() const;
  /// Like sync(), but a file that cannot be synced, for example a pipe, is no failure.
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
/// Opens an existing file for reading its bytes. If this fails, the result is null and errno gives the reason.
[[nodiscard]] FileStream open_for_reading(const std::string& path);

/// Gives the file `from` the name `to`. A file of that name is replaced in one step, even if a program reads it.
/// Returns errno on failure, else 0.
[[nodiscard]] int replace_file(const std::string& from, const std::string& to);
/// Returns when the names in a folder are on the disk. Returns errno on failure, else 0.
[[nodiscard]] int sync_folder(const std::string& folder);
/// Returns errno if the process may not write to the file, else 0.
[[nodiscard]] int file_write_obstacle(const std::string& path);
/// Returns errno if the process may not read the file, else 0.
[[nodiscard]] int file_read_obstacle(const std::string& path);
/// Returns errno if the process may not create files in the folder, else 0.
[[nodiscard]] int folder_write_obstacle(const std::string& folder);
/// When the file was last written [s since 1970]; 0 if it does not exist.
[[nodiscard]] std::int64_t last_written_s(const std::string& path);

}  // namespace vw
