// An open file of the system, closed exactly once.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace vw {

/// Owns a file descriptor: closes it with close(), when another one is moved into its place, or with itself. Moved
/// from, it owns none.
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
    int reason = 0;  ///< errno where not all was written
  };
  /// Writes all bytes, or as many as fit (full disk). A signal does not cut it short.
  [[nodiscard]] Written write(std::string_view bytes) const;
  /// errno, or 0: it went well, or none was open.
  int close();

 private:
  int number_ = -1;
};

}  // namespace vw
