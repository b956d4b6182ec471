// State is written and read by one visitor over each system's arrays: hash, checkpoint, rewind and the last good state are all it.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

/// Values that an array of a state may hold: least <= x <= most for every number, integers too. The default leaves room for every product of some
/// numbers that energies are made of, and for what a simulation reaches.
struct StateBounds {
  double least = -1e30, most = 1e30;
};
inline constexpr StateBounds state_positive{0, 1e30};
/// Places [m] and velocities [m/s].
inline constexpr StateBounds state_motion{-1e12, 1e12};
inline constexpr StateBounds state_flag{0, 1};
/// Simulated time [s]: up to thirty thousand years.
inline constexpr StateBounds state_clock{-1e12, 1e12};
/// Finite is enough: sums that begin at the largest number that there is.
inline constexpr StateBounds state_finite{-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};

/// Visits named arrays of plain numbers. A writer reads them, a reader resizes and fills them. A struct of several numbers names those that need a
/// check: `template <class F> void each_number(F check) const { check(energy_j); }`.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  /// `bytes` is the array's storage; `resize(n)` makes room for n elements and returns the storage anew.
  virtual void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
                     const std::function<std::span<std::byte>(std::size_t)>& resize) = 0;

  /// Prefix for the names that follow ("system.creature."); nested by the caller.
  void scope(std::string_view prefix) { prefix_.assign(prefix); }

  template <class T>
  void operator()(std::string_view name, std::vector<T>& values, StateBounds bounds = {}) {
    static_assert(std::is_trivially_copyable_v<T> || is_eigen<T>);
    array(full_name(name), sizeof(T), std::as_writable_bytes(std::span(values)), [&values](std::size_t n) {
      values.resize(n);
      return std::as_writable_bytes(std::span(values));
    });
    if (checks_) check(std::span<const T>(values), bounds);
  }
  /// A single number (or plain struct without padding).
  template <class T>
  void operator()(std::string_view name, T& value, StateBounds bounds = {}) {
    static_assert(std::is_trivially_copyable_v<T> || is_eigen<T>);
    array(full_name(name), sizeof(T), std::as_writable_bytes(std::span(&value, 1)),
          [&value](std::size_t) { return std::as_writable_bytes(std::span(&value, 1)); });
    if (checks_) check(std::span<const T>(&value, 1), bounds);
  }

 protected:
  template <class T>
  static constexpr bool is_eigen = std::is_same_v<T, Vec3> || std::is_same_v<T, Quat> || std::is_same_v<T, Vec3f> || std::is_same_v<T, Mat3>;
  /// Told of the first value of an array that is out of its bounds or not finite, where `checks_` is set.
  virtual void refuse(std::string_view name, std::size_t row) { (void)name, (void)row; }
  std::string prefix_;
  bool checks_ = false;  ///< arrays were filled from a file that may be hostile

 private:
  /// Prefix and name in storage that is reused, so that saving a state every step allocates nothing.
  std::string_view full_name(std::string_view name) {
    full_name_.assign(prefix_).append(name);
    return full_name_;
  }
  template <class T>
  void check(std::span<const T> values, const StateBounds& bounds) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!is_within(values[i], bounds)) return refuse(full_name_, i);
  }
  /// Whether every number of a value is finite and within bounds, and a rotation has the length 1.
  template <class T>
  static bool is_within(const T& value, const StateBounds& bounds) {
    const auto fits = [&](auto number) { return static_cast<double>(number) >= bounds.least && static_cast<double>(number) <= bounds.most; };
    if constexpr (std::is_same_v<T, Quat>) {
      return std::abs(value.norm() - 1) < 1e-6;
    } else if constexpr (is_eigen<T>) {
      bool good = true;
      for (Eigen::Index i = 0; i < value.size(); ++i) good = good && fits(value.data()[i]);
      return good;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return fits(value);
    } else {
      bool good = true;
      value.each_number([&](auto number) { good = good && fits(number); });
      return good;
    }
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

/// Where a block comes from: this program's own memory, or a file, of which every value is checked.
enum class StateSource { memory, file };

/// Fills what it visits from a block; a missing name, another element size or a scalar of another length is kept in `error()` and the array stays.
/// Of a file, a value that is not finite or out of its array's bounds is an error too.
class StateReader final : public StateVisitor {
 public:
  explicit StateReader(const StateBlock& in, StateSource source = StateSource::memory);
  void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override;
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  void refuse(std::string_view name, std::size_t row) override;
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
