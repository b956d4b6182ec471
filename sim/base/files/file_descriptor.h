// Declares an owner of an open file descriptor, which is closed exactly once.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace vw {

/// Owns a file descriptor. The descriptor is closed by close(), by the destructor, or when another descriptor is
/// move-assigned. A moved-from object owns no descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { (void)close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

  struct Written {
    std::size_t bytes = 0;
    int reason = 0;  ///< errno if some bytes were not written, else 0
  };
  /// Writes all bytes, or as many as fit if the disk is full. A signal does not interrupt the write.
  [[nodiscard]] Written write(std::string_view bytes) const;
  /// Closes the descriptor. Returns errno on failure, and 0 on success or if no file was open.
  int close();

 private:
  int number_ = -1;
};

}  // namespace vw
