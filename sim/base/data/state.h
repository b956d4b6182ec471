// Visitors of the state arrays of systems and rules. Hashes, checkpoints, the backup of the last good state and its
// restoration are implemented as such visitors.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

/// Allowed range [least, most] of every number in a state array, including integers. The default range admits all
/// values that a simulation reaches, and products of such values (energies) do not overflow.
struct StateBounds {
  double least = -1e30, most = 1e30;
};
inline constexpr StateBounds state_positive{0, 1e30};
/// Bounds of positions [m] and velocities [m/s].
inline constexpr StateBounds state_motion{-1e12, 1e12};
inline constexpr StateBounds state_flag{0, 1};
/// Bounds of simulated time [s], which correspond to thirty thousand years.
inline constexpr StateBounds state_clock{-1e12, 1e12};
/// Bounds that allow any finite value, for arrays whose initial value is the largest finite number.
inline constexpr StateBounds state_finite{-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};

/// Describes a data member that every element of a state array has: `count` successive numbers of the same kind.
struct StateMember {
  enum class Kind : std::uint8_t {
    real,     ///< floating-point number
    integer,  ///< signed integer
    natural,  ///< unsigned integer
    bytes,    ///< bytes of unknown meaning; the struct has no function each_member()
  };
  std::string name;  ///< name of the member of a struct; empty for plain numbers and vectors
  Kind kind = Kind::bytes;
  std::size_t number_bytes = 1;  ///< size of a number [bytes]
  std::size_t count = 0;         ///< number of numbers of the member, for example 3 for a vector
  std::size_t offset = 0;        ///< position in the element [bytes]
};

/// Visits named arrays of plain numbers. StateWriter copies the arrays; StateReader resizes and fills them. An array
/// element that is a struct of several numbers needs a member function that passes each number to a check, such as
/// `template <class F> void each_number(F check) const { check(energy_j); }`. For readable comparisons of states, the
/// struct may also have a member function that passes the name and the value of each member, such as
/// `template <class F> void each_member(F take) const { take("energy", energy_j); }`.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  /// Visits one array. `bytes` is the array's storage. `resize(n)` resizes the array to n elements and returns the new
  /// storage. An object of fixed size ignores n and returns its storage.
  virtual void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
                     const std::function<std::span<std::byte>(std::size_t)>& resize) = 0;

  /// Sets the prefix of all following names ("system.creature."). Replaces the previous prefix, and clears the noun
  /// that rows() has set.
  void scope(std::string_view prefix) {
    prefix_.assign(prefix);
    rows_ = {};
  }
  /// Sets the noun for a row of the following vectors, such as state_element or "joint". `noun` must be a literal. It
  /// is used only in messages and is neither hashed nor saved.
  void rows(std::string_view noun) { rows_ = noun; }

  template <class T>
  void operator()(std::string_view name, std::vector<T>& values, StateBounds bounds = {}) {
    static_assert(std::is_trivially_copyable_v<T> || is_eigen<T>);
    members_ = &members_of<T>;
    is_single_ = false;
    array(full_name(name), sizeof(T), std::as_writable_bytes(std::span(values)), [&values](std::size_t n) {
      values.resize(n);
      return std::as_writable_bytes(std::span(values));
    });
    if (checks_) check(std::span<const T>(values), bounds);
  }
  /// Visits a single number, or a plain struct without padding.
  template <class T>
  void operator()(std::string_view name, T& value, StateBounds bounds = {}) {
    static_assert(std::is_trivially_copyable_v<T> || is_eigen<T>);
    members_ = &members_of<T>;
    is_single_ = true;
    array(full_name(name), sizeof(T), std::as_writable_bytes(std::span(&value, 1)),
          [&value](std::size_t) { return std::as_writable_bytes(std::span(&value, 1)); });
    if (checks_) check(std::span<const T>(&value, 1), bounds);
  }
  /// Visits an array that belongs to the state only while it has elements. The hash of a state without such elements
  /// thus does not depend on the array. A reader leaves the array empty if the state does not contain it.
  template <class T>
  void optional(std::string_view name, std::vector<T>& values, StateBounds bounds = {}) {
    if (contains(full_name(name), !values.empty()))
      (*this)(name, values, bounds);
    else
      values.clear();
  }

 protected:
  /// Returns whether the state contains the optional array `name`. `has_values` tells whether the array of the visited
  /// object has elements.
  virtual bool contains(std::string_view name, bool has_values) {
    (void)name;
    return has_values;
  }
  template <class T>
  static constexpr bool is_eigen =
      std::is_same_v<T, Vec3> || std::is_same_v<T, Quat> || std::is_same_v<T, Vec3f> || std::is_same_v<T, Mat3>;
  /// Type of a function that returns the members of an element of the visited array, in the order of their offsets.
  using MembersOf = const std::vector<StateMember>& (*)();
  /// Reports that a value in this row is not finite or is out of bounds. This function is called only if `checks_` is
  /// set.
  virtual void refuse(std::string_view name, std::size_t row) { (void)name, (void)row; }
  std::string prefix_;
  bool checks_ = false;  ///< whether arrays are filled from a file, which may be malicious

 private:
  /// Returns prefix and name, joined in a buffer that is reused. This avoids allocations, because the state is saved in
  /// every step.
  std::string_view full_name(std::string_view name) {
    full_name_.assign(prefix_).append(name);
    return full_name_;
  }
  template <class T>
  void check(std::span<const T> values, const StateBounds& bounds) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!is_within(values[i], bounds)) return refuse(full_name_, i);
  }
  /// Returns whether every number of a value is within bounds and hence finite. For a quaternion, returns whether its
  /// length is 1 (to 1e-6); `bounds` is ignored.
  template <class T>
  static bool is_within(const T& value, const StateBounds& bounds) {
    const auto fits = [&](auto number) {
      return static_cast<double>(number) >= bounds.least && static_cast<double>(number) <= bounds.most;
    };
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
  template <class N>
  static constexpr StateMember::Kind kind_of() {
    if constexpr (std::is_floating_point_v<N>) return StateMember::Kind::real;
    return std::is_signed_v<N> ? StateMember::Kind::integer : StateMember::Kind::natural;
  }
  template <class M>
  static StateMember member_of(std::string_view name, std::size_t offset) {
    if constexpr (is_eigen<M>) {
      using N = typename M::Scalar;
      return {std::string(name), kind_of<N>(), sizeof(N), sizeof(M) / sizeof(N), offset};
    } else if constexpr (requires {
                           std::tuple_size<M>::value;
                           typename M::value_type;
                         }) {  // std::array
      using N = typename M::value_type;
      return {std::string(name), kind_of<N>(), sizeof(N), sizeof(M) / sizeof(N), offset};
    } else if constexpr (std::is_arithmetic_v<M>) {
      return {std::string(name), kind_of<M>(), sizeof(M), 1, offset};
    } else {
      return {std::string(name), StateMember::Kind::bytes, 1, sizeof(M), offset};
    }
  }
  /// Returns the members of T. The list is built at the first call. Visitors store the address of this function.
  template <class T>
  static const std::vector<StateMember>& members_of() {
    static const std::vector<StateMember> members = [] {
      std::vector<StateMember> all;
      const T element{};
      const auto take = [&](std::string_view name, const auto& member) {
        const auto offset = reinterpret_cast<const std::byte*>(&member) - reinterpret_cast<const std::byte*>(&element);
        all.push_back(member_of<std::decay_t<decltype(member)>>(name, static_cast<std::size_t>(offset)));
      };
      if constexpr (requires { element.each_member(take); })
        element.each_member(take);
      else
        take("", element);
      return all;
    }();
    return members;
  }
  std::string full_name_;

 protected:
  // Description of the array that is being visited.
  MembersOf members_ = nullptr;
  std::string_view rows_;   ///< noun for a row of the array; empty if unknown
  bool is_single_ = false;  ///< whether the array is a single value and not a vector
};

/// Noun for the rows of arrays that have one row for each element of a system.
inline constexpr std::string_view state_element = "element";

/// XXH3 hash over the names and raw bytes of all visited arrays.
class StateHasher final : public StateVisitor {
 public:
  StateHasher();
  ~StateHasher() override;
  StateHasher(const StateHasher&) = delete;
  StateHasher& operator=(const StateHasher&) = delete;
  void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override;
  /// Adds one array, given its full name and content, to the hash.
  void add(std::string_view name, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t digest() const;

 private:
  void* state_;
};

/// A state in memory: named arrays in visiting order. Storage is reused from one save to the next.
struct StateBlock {
  struct Entry {
    std::string name;
    std::uint64_t element_bytes = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  ///< [bytes]
    // The following members describe the array. They are not stored in checkpoint files, so they are empty in a block
    // that was read from a file.
    std::size_t scope_size = 0;                              ///< length of the prefix of `name` (StateVisitor::scope)
    const std::vector<StateMember>& (*members)() = nullptr;  ///< members of an element of the array, or null
    std::string_view rows = {};                              ///< noun for a row (StateVisitor::rows)
    bool is_single = false;                                  ///< whether the array is a single value
  };
  std::vector<Entry> entries;
  std::vector<std::byte> bytes;
};

/// Returns the hash that StateHasher would compute for the arrays of the block.
[[nodiscard]] std::uint64_t hash_of(const StateBlock& block);

class StateWriter final : public StateVisitor {
 public:
  explicit StateWriter(StateBlock& out);
  /// Starts a new state: the next array becomes the first array of the block. Entries and storage are reused.
  void restart();
  /// Must be called after the last array of a state that follows restart(). Removes entries of an earlier state with
  /// more arrays.
  void finish();
  void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override;

 private:
  StateBlock& out_;
  std::size_t used_ = 0;
};

/// Origin of a block: this program's own memory, or a file. All values from a file must be checked.
enum class StateSource { memory, file };

/// Fills the visited arrays from a block. An array is not changed, and `error()` returns a message, in three cases: the
/// array is missing at its position in the block, its element size differs, or an object that cannot be resized (a
/// single number) has another number of elements in the block. For a block from a file, a value that is not finite or
/// is out of bounds is an error too. After an error, no further arrays are filled.
class StateReader final : public StateVisitor {
 public:
  explicit StateReader(const StateBlock& in, StateSource source = StateSource::memory);
  void array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override;
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  bool contains(std::string_view name, bool has_values) override;
  void refuse(std::string_view name, std::size_t row) override;
  const StateBlock& in_;
  std::size_t next_ = 0;
  std::string error_;
};

/// Copies the complete state of an object to another object of the same kind. Both must have visit_state().
template <class T>
void copy_state(T& from, T& to) {
  StateBlock block;
  StateWriter writer(block);
  from.visit_state(writer);
  StateReader reader(block);
  to.visit_state(reader);
}

/// Writes a checkpoint file: magic number (its last character is the version), header text (JSON), table of entries,
/// bytes, and the XXH3 hash of all of these. The file is written atomically (write_file_atomic).
[[nodiscard]] Result<void> write_state_file(const std::string& path, const std::string& header,
                                            const StateBlock& block);
struct StateFile {
  std::string header;
  StateBlock block;
};
/// Returns whether the file begins with the magic number of checkpoint files, of any version.
[[nodiscard]] bool is_state_file(const std::string& path);
/// Reads a checkpoint file. Returns an error for a truncated file, a flipped bit or an impossible size. The allocated
/// memory is at most proportional to the size of the file.
[[nodiscard]] Result<StateFile> read_state_file(const std::string& path);
/// These two functions convert a checkpoint to the content of a checkpoint file and back, for checkpoints that are
/// stored inside other files. Errors are those of read_state_file(). `name` stands for the file in messages.
[[nodiscard]] std::string state_file_bytes(const std::string& header, const StateBlock& block);
[[nodiscard]] Result<StateFile> state_file_from_bytes(std::string_view bytes, const std::string& name);

}  // namespace vw
