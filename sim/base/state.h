// State is written and read by one visitor over each system's arrays: hash, checkpoint, rewind and the last good state are all it.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

/// Visits named arrays of plain numbers. A writer reads them, a reader resizes and fills them.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  /// `bytes` is the array's storage; `resize(n)` makes room for n elements and returns the storage anew.
  virtual void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
                     const std::function<std::span<std::byte>(std::size_t)>& resize) = 0;

  /// Prefix for the names that follow ("system.creature."); nested by the caller.
  void scope(std::string_view prefix) { prefix_.assign(prefix); }

  template <class T>
  void operator()(std::string_view name, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T> || is_eigen<T>);
    array(full_name(name), sizeof(T), std::as_writable_bytes(std::span(values)), [&values](std::size_t n) {
      values.resize(n);
      return std::as_writable_bytes(std::span(values));
    });
  }
  /// A single number (or plain struct without padding).
  template <class T>
  void operator()(std::string_view name, T& value) {
    static_assert(std::is_trivially_copyable_v<T> || is_eigen<T>);
    array(full_name(name), sizeof(T), std::as_writable_bytes(std::span(&value, 1)),
          [&value](std::size_t) { return std::as_writable_bytes(std::span(&value, 1)); });
  }

 protected:
  template <class T>
  static constexpr bool is_eigen = std::is_same_v<T, Vec3> || std::is_same_v<T, Quat> || std::is_same_v<T, Vec3f> || std::is_same_v<T, Mat3>;
  std::string prefix_;

 private:
  /// Prefix and name in storage that is reused, so that saving a state every step allocates nothing.
  std::string_view full_name(std::string_view name) {
    full_name_.assign(prefix_).append(name);
    return full_name_;
  }
  std::string full_name_;
};

/// XXH3 over the raw bytes and names of everything visited.
class StateHasher final : public StateVisitor {
 public:
  StateHasher();
  ~StateHasher() override;
  StateHasher(const StateHasher&) = delete;
  StateHasher& operator=(const StateHasher&) = delete;
  void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override;
  [[nodiscard]] std::uint64_t digest() const;

 private:
  void* state_;
};

/// A state in memory: named arrays, in visiting order. Storage is reused from one save to the next.
struct StateBlock {
  struct Entry {
    std::string name;
    std::uint64_t element_bytes = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  ///< bytes
  };
  std::vector<Entry> entries;
  std::vector<std::byte> bytes;
};

class StateWriter final : public StateVisitor {
 public:
  explicit StateWriter(StateBlock& out);
  /// Starts over: the next array is the first again. Storage is kept.
  void restart();
  void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override;

 private:
  StateBlock& out_;
  std::size_t used_ = 0;
};

/// Fills what it visits from a block; a missing name, another element size or a scalar of another length is kept in `error()` and the array stays.
class StateReader final : public StateVisitor {
 public:
  explicit StateReader(const StateBlock& in);
  void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override;
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  const StateBlock& in_;
  std::size_t next_ = 0;
  std::string error_;
};

/// Checkpoint file: magic, version, header text (JSON), entries, bytes, XXH3 of all before it. Written to a temporary beside it, synced, renamed.
[[nodiscard]] Result<void> write_state_file(const std::string& path, const std::string& header, const StateBlock& block);
struct StateFile {
  std::string header;
  StateBlock block;
};
/// Any truncation, flipped bit or absurd size is one clear error; nothing larger than the file itself is allocated.
[[nodiscard]] Result<StateFile> read_state_file(const std::string& path);

}  // namespace vw
