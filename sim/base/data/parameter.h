// Declaration of parameters. Each parameter is declared once, as a row of a ParamTable beside the struct that contains
// its value. The key in the scene file and its check, the GUI slider and tooltip, `--set path=value`, undo, the journal
// and the reference pages in docs are all derived from that row.
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/base/data/value.h"

namespace vw {

enum class Unit {
  none,
  meter,
  second,
  hertz,
  kilogram,
  kilogram_per_m3,
  meter_per_second,
  meter_per_second2,
  newton,
  newton_per_meter,
  pascal,
  kelvin,
  per_kelvin,
  radian,
  radian_per_second,
  degree,
  per_second,
  per_second2,
  cycle,
  ratio,
  count,
  joule,
  newton_second_per_meter,
  newton_meter,
  second_per_meter,
  meter2_per_second,
  meter3_per_second,
  meter_per_newton,
  pascal_second
};
/// Returns the symbol of a unit, such as "m" or "kg/m^3". It is empty for the units none, ratio and count.
[[nodiscard]] std::string_view unit_symbol(Unit unit);

enum class Scale { linear, log };
/// Time at which an edit of a parameter takes effect: `yes` means the next step boundary, `no` the next reset, which
/// rebuilds the world.
enum class Live { no, yes };
enum class ParamType { boolean, integer, real, vec3, color, choice, text, number_list, text_list };

/// Closed interval of allowed values. It applies to each component of a vec3 and to each element of a list. Values that
/// are not finite are never allowed.
struct Bounds {
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
};

/// Declaration of a parameter without its C++ type, for file readers, panels and documents.
struct ParamSpec {
  std::string name;
  std::string label = {};  ///< name in the window; by default derived from the key by spelt_out()
  ParamType type = ParamType::real;
  Unit unit = Unit::none;
  Value default_value = {};
  Bounds bounds = {};
  Scale scale = Scale::linear;
  Live live = Live::no;
  std::string doc = {};
  std::vector<std::string> choices = {};  ///< allowed texts of a ParamType::choice, in the order of the enumerators
  /// Slot of the scene whose nodes the values of a text or a list of texts must name, such as "material". "parameter"
  /// means that the values are paths of parameters. If empty, any text is allowed.
  std::string refers_to = {};
};
/// Returns the label of a parameter that declares none. It is derived from the key: "voxel_size" becomes "Voxel size".
/// A suffix "_deg" is omitted.
[[nodiscard]] std::string spelt_out(std::string_view key);

/// Checks type, range, finiteness and choice. An integer is converted if a real number is expected. An error has the
/// members `found`, `expected` and `hint`; the caller adds file, line and key.
[[nodiscard]] Result<Value> check_value(const ParamSpec& spec, const Value& value);

/// Parses the right side of `--set path=value` according to the declared type: `3`, `1e6`, `true`, `[0, 1, 0]` or
/// `0,1,0`, `text` or `"text"`.
[[nodiscard]] Result<Value> parse_value(const ParamSpec& spec, std::string_view text);

/// Access to a data member of struct T. The C++ type of the member determines the parameter type.
template <class T>
class Member {
 public:
  Member(bool T::*member) : Member(member, ParamType::boolean) {}
  Member(std::int64_t T::*member) : Member(member, ParamType::integer) {}
  Member(double T::*member) : Member(member, ParamType::real) {}
  Member(Vec3 T::*member) : Member(member, ParamType::vec3) {}
  Member(std::string T::*member) : Member(member, ParamType::text) {}
  Member(NumberList T::*member) : Member(member, ParamType::number_list) {}
  Member(TextList T::*member) : Member(member, ParamType::text_list) {}
  /// Refers to a member of an enum type. The enumerators must count from 0, in the order of the row's choices. get()
  /// and set() exchange the number of the enumerator.
  template <class E>
  requires std::is_enum_v<E> Member(E T::*member)
      : type_(ParamType::choice),
        get_([member](const T& t) { return Value(static_cast<std::int64_t>(t.*member)); }),
        set_([member](T& t, const Value& v) { t.*member = static_cast<E>(std::get<std::int64_t>(v)); }) {}
  /// Refers to a member of a base class of T.
  template <class Base>
  requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>) explicit Member(const Member<Base>& member)
      : type_(member.type()), get_(member.getter()), set_(member.setter()) {}

  [[nodiscard]] ParamType type() const { return type_; }
  [[nodiscard]] Value get(const T& object) const { return get_(object); }
  void set(T& object, const Value& value) const { set_(object, value); }
  [[nodiscard]] const auto& getter() const { return get_; }
  [[nodiscard]] const auto& setter() const { return set_; }

 private:
  template <class M>
  Member(M T::*member, ParamType type)
      : type_(type),
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<M>(v); }) {}

  ParamType type_;
  std::function<Value(const T&)> get_;
  std::function<void(T&, const Value&)> set_;
};

/// One row of a parameter table: a member of struct T and its declaration. The default value is the initial value of
/// the struct. Example:
///   Param<P>{.member = &P::cfl, .key = "cfl", .label = "CFL factor", .unit = Unit::ratio, .range = {0.02, 0.6},
///            .scale = Scale::log, .live = Live::yes, .doc = "Largest displacement in a substep, in spacings."}
template <class T>
struct Param {
  Member<T> member;
  std::string key;
  std::string label = {};  ///< name in the window; if empty, the name is derived from the key
  Unit unit = Unit::none;
  Bounds range = {};
  Scale scale = Scale::linear;
  Live live = Live::no;
  std::vector<std::string> choices = {};  ///< for enums: the text of each enumerator
  bool color = false;                     ///< for Vec3: linear red, green, blue
  std::string refers_to = {};             ///< for texts: see ParamSpec::refers_to
  std::string doc = {};

  [[nodiscard]] Value get(const T& object) const {
    Value value = member.get(object);
    if (member.type() != ParamType::choice) return value;
    return Value(choices[static_cast<std::size_t>(std::get<std::int64_t>(value))]);
  }
  void set(T& object, const Value& value) const {
    if (member.type() != ParamType::choice) return member.set(object, value);
    for (std::size_t i = 0; i < choices.size(); ++i)
      if (choices[i] == std::get<std::string>(value)) member.set(object, Value(static_cast<std::int64_t>(i)));
  }
  [[nodiscard]] ParamSpec spec(const T& defaults) const {
    return {.name = key,
            .label = label.empty() ? spelt_out(key) : label,
            .type = color ? ParamType::color : member.type(),
            .unit = unit,
            .default_value = get(defaults),
            .bounds = range,
            .scale = scale,
            .live = live,
            .doc = doc,
            .choices = choices,
            .refers_to = refers_to};
  }
  /// Returns this row for `Derived`, a struct derived from T.
  template <class Derived>
  [[nodiscard]] Param<Derived> inherited() const {
    return {Member<Derived>(member), key, label, unit, range, scale, live, choices, color, refers_to, doc};
  }
};

template <class T>
class ParamTable;

/// Element of the list from which a parameter table is composed: one row, several rows, or all rows of another table.
/// The rows may belong to a base class of T.
template <class T>
struct ParamRows {
  std::vector<Param<T>> rows;

  ParamRows(Param<T> row) { rows.push_back(std::move(row)); }
  ParamRows(std::vector<Param<T>> several) : rows(std::move(several)) {}
  ParamRows(const ParamTable<T>& table) : rows(table.params()) {}
  template <class Base>
  requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>) ParamRows(const Param<Base>& row) {
    rows.push_back(row.template inherited<T>());
  }
  template <class Base>
  requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>) ParamRows(const ParamTable<Base>& table) {
    for (const auto& row : table.params()) rows.push_back(row.template inherited<T>());
  }
};

/// All parameters of struct T, in the order in which files, panels and documents list them.
template <class T>
class ParamTable {
 public:
  ParamTable(std::initializer_list<ParamRows<T>> parts, T defaults = {}) : defaults_(std::move(defaults)) {
    for (const auto& part : parts) params_.insert(params_.end(), part.rows.begin(), part.rows.end());
  }

  [[nodiscard]] std::vector<ParamSpec> specs() const {
    std::vector<ParamSpec> all;
    for (const auto& p : params_) all.push_back(p.spec(defaults_));
    return all;
  }
  [[nodiscard]] const std::vector<Param<T>>& params() const { return params_; }
  [[nodiscard]] std::size_t size() const { return params_.size(); }
  [[nodiscard]] const T& defaults() const { return defaults_; }
  /// Reads the struct from the checked values of a Node. The values of this table begin at index `first`, in the order
  /// of declaration. Values after them belong to other tables and are ignored.
  [[nodiscard]] T read(const std::vector<Value>& values, std::size_t first = 0) const {
    T object = defaults_;
    for (std::size_t i = 0; i < params_.size(); ++i) params_[i].set(object, values[first + i]);
    return object;
  }
  [[nodiscard]] std::vector<Value> write(const T& object) const {
    std::vector<Value> values;
    for (const auto& p : params_) values.push_back(p.get(object));
    return values;
  }

 private:
  std::vector<Param<T>> params_;
  T defaults_;
};

}  // namespace vw
