// Declaration of parameters. Each parameter is declared once, in a ParamTable beside the struct that holds it. The
// scene file's key and its check, the GUI slider and tooltip, `--set path=value`, undo, the journal and the reference
// pages in docs all come from that row.
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/base/value.h"

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
  per_second,
  cycle,
  ratio,
  count,
  joule,
  newton_second_per_meter,
  newton_meter,
  second_per_meter,
  meter2_per_second
};
/// "m", "kg/m^3", ..., or "" for none, ratio and count.
[[nodiscard]] std::string_view unit_symbol(Unit unit);

enum class Scale { linear, log };
/// yes: an edit takes effect at the next step boundary. no: at the next reset, which rebuilds the world.
enum class Live { no, yes };
enum class ParamType { boolean, integer, real, vec3, color, choice, text, number_list, text_list };

/// Closed interval of allowed values, per component for vec3 and per element for lists. Non-finite values are never
/// allowed.
struct Bounds {
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
};

/// A declaration without its C++ type, for file readers, panels and documents.
struct ParamSpec {
  std::string name;
  ParamType type = ParamType::real;
  Unit unit = Unit::none;
  Value default_value;
  Bounds bounds;
  Scale scale = Scale::linear;
  Live live = Live::no;
  std::string doc;
  std::vector<std::string> choices;  ///< for ParamType::choice, in the order of the enumerators
};

/// Checks type, range, finiteness and choice. An integer is converted if a real is expected. An error has `found`,
/// `expected` and `hint` filled in; the caller adds file, line and key.
[[nodiscard]] Result<Value> check_value(const ParamSpec& spec, const Value& value);

/// Parses the right side of `--set path=value` according to the declared type: `3`, `1e6`, `true`, `[0, 1, 0]` or
/// `0,1,0`, `text` or `"text"`.
[[nodiscard]] Result<Value> parse_value(const ParamSpec& spec, std::string_view text);

/// One parameter of struct T: a member and its declaration.
template <class T>
class Param {
 public:
  Param(bool T::*member, std::string name, bool value, Live live, std::string doc)
      : spec_{std::move(name),
              ParamType::boolean,
              Unit::none,
              Value(value),
              {},
              Scale::linear,
              live,
              std::move(doc),
              {}},
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<bool>(v); }) {}

  Param(double T::*member, std::string name, Unit unit, double value, Bounds bounds, Scale scale, Live live,
        std::string doc)
      : spec_{std::move(name), ParamType::real, unit, Value(value), bounds, scale, live, std::move(doc), {}},
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<double>(v); }) {}

  Param(std::int64_t T::*member, std::string name, Unit unit, std::int64_t value, Bounds bounds, Scale scale, Live live,
        std::string doc)
      : spec_{std::move(name), ParamType::integer, unit, Value(value), bounds, scale, live, std::move(doc), {}},
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<std::int64_t>(v); }) {}

  Param(Vec3 T::*member, std::string name, Unit unit, Vec3 value, Bounds bounds, Live live, std::string doc,
        ParamType type = ParamType::vec3)
      : spec_{std::move(name), type, unit, Value(value), bounds, Scale::linear, live, std::move(doc), {}},
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<Vec3>(v); }) {}

  Param(std::string T::*member, std::string name, std::string value, Live live, std::string doc)
      : spec_{std::move(name),
              ParamType::text,
              Unit::none,
              Value(std::move(value)),
              {},
              Scale::linear,
              live,
              std::move(doc),
              {}},
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<std::string>(v); }) {}

  Param(NumberList T::*member, std::string name, Unit unit, Bounds bounds, Live live, std::string doc)
      : spec_{std::move(name),
              ParamType::number_list,
              unit,
              Value(NumberList{}),
              bounds,
              Scale::linear,
              live,
              std::move(doc),
              {}},
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<NumberList>(v); }) {}

  Param(TextList T::*member, std::string name, Live live, std::string doc)
      : spec_{std::move(name),
              ParamType::text_list,
              Unit::none,
              Value(TextList{}),
              {},
              Scale::linear,
              live,
              std::move(doc),
              {}},
        get_([member](const T& t) { return Value(t.*member); }),
        set_([member](T& t, const Value& v) { t.*member = std::get<TextList>(v); }) {}

  /// A choice: an enum whose enumerators count from 0 in the order of `choices`.
  template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
  Param(E T::*member, std::string name, E value, std::vector<std::string> choices, Live live, std::string doc)
      : spec_{std::move(name),
              ParamType::choice,
              Unit::none,
              Value(choices[static_cast<std::size_t>(value)]),
              {},
              Scale::linear,
              live,
              std::move(doc),
              choices},
        get_([member, choices](const T& t) { return Value(choices[static_cast<std::size_t>(t.*member)]); }),
        set_([member, choices](T& t, const Value& v) {
          const auto& text = std::get<std::string>(v);
          for (std::size_t i = 0; i < choices.size(); ++i)
            if (choices[i] == text) t.*member = static_cast<E>(i);
        }) {}

  [[nodiscard]] const ParamSpec& spec() const { return spec_; }
  [[nodiscard]] Value get(const T& object) const { return get_(object); }
  void set(T& object, const Value& value) const { set_(object, value); }

 private:
  ParamSpec spec_;
  std::function<Value(const T&)> get_;
  std::function<void(T&, const Value&)> set_;
};

/// All parameters of struct T, in the order in which files, panels and documents list them.
template <class T>
class ParamTable {
 public:
  ParamTable(std::initializer_list<Param<T>> params) : params_(params) {}

  [[nodiscard]] std::vector<ParamSpec> specs() const {
    std::vector<ParamSpec> all;
    for (const auto& p : params_) all.push_back(p.spec());
    return all;
  }
  [[nodiscard]] const std::vector<Param<T>>& params() const { return params_; }
  /// The struct with every declared default.
  [[nodiscard]] T defaults() const {
    T object{};
    for (const auto& p : params_) p.set(object, p.spec().default_value);
    return object;
  }
  /// Reads the struct from checked values in declaration order, beginning at index `first` (a Node's `values`). Values
  /// beyond this table's belong to other tables and are ignored.
  [[nodiscard]] T read(const std::vector<Value>& values, std::size_t first = 0) const {
    T object{};
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
};

}  // namespace vw
