// Converts parameter values and numbers between Python objects and C++.
#include <fmt/format.h>

#include "python/module/binding.h"
#include "sim/base/text.h"

namespace vw::python {
namespace {

const char* type_name(ParamType type) {
  switch (type) {
    case ParamType::boolean: return "True or False";
    case ParamType::integer: return "an integer";
    case ParamType::real: return "a number";
    case ParamType::vec3: return "three numbers";
    case ParamType::color: return "three numbers: linear red, green and blue";
    case ParamType::choice: return "one of the texts that are listed for the parameter";
    case ParamType::text: return "a text";
    case ParamType::number_list: return "a sequence of numbers";
    case ParamType::text_list: return "a sequence of texts";
  }
  return "";
}

bool is_text(const py::handle& object) { return py::isinstance<py::str>(object) || py::isinstance<py::bytes>(object); }

[[noreturn]] void refuse(const py::handle& object, const std::string& path, const std::string& expected) {
  std::string found = py::repr(object).cast<std::string>();
  constexpr std::size_t longest = 60;
  if (found.size() > longest) found = std::string(beginning_of(found, longest)) + "...";
  throw PythonError{wrong_value(0, path, found, "must be " + expected).value()};
}

/// Converts a number by __float__ or __index__. Strings and booleans are not accepted.
std::optional<double> number_from(const py::handle& object) {
  if (is_text(object) || PyBool_Check(object.ptr())) return {};
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return {};
  }
  return value;
}

std::optional<std::int64_t> integer_from(const py::handle& object) {
  if (PyBool_Check(object.ptr()) || PyIndex_Check(object.ptr()) == 0) return {};
  const auto exact = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!exact) throw py::error_already_set();
  const std::int64_t value = PyLong_AsLongLong(exact.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return {};
  }
  return value;
}

std::optional<NumberList> numbers_from(const py::handle& object) {
  if (is_text(object)) return {};
  if (py::isinstance<py::array>(object)) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(object);
    if (!array) {
      PyErr_Clear();
      return {};
    }
    if (array.ndim() != 1) return {};
    return NumberList(array.data(), array.data() + array.size());
  }
  if (!py::isinstance<py::sequence>(object)) return {};
  NumberList numbers;
  for (const auto& entry : py::reinterpret_borrow<py::sequence>(object)) {
    const auto number = number_from(entry);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<Value> value_of_type(const py::handle& object, ParamType type) {
  switch (type) {
    case ParamType::boolean:
      if (PyBool_Check(object.ptr())) return Value(object.ptr() == Py_True);
      if (py::str(py::type::handle_of(object).attr("__name__")).cast<std::string>().starts_with("bool"))  // NumPy
        return Value(py::bool_(py::reinterpret_borrow<py::object>(object)).cast<bool>());
      return {};
    case ParamType::integer: {
      const auto number = integer_from(object);
      return number ? std::optional<Value>(*number) : std::nullopt;
    }
    case ParamType::real: {
      const auto number = number_from(object);
      return number ? std::optional<Value>(*number) : std::nullopt;
    }
    case ParamType::vec3:
    case ParamType::color: {
      const auto numbers = numbers_from(object);
      if (!numbers || numbers->size() != 3) return {};
      return Value(Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]));
    }
    case ParamType::choice:
    case ParamType::text:
      if (py::isinstance<py::str>(object)) return Value(object.cast<std::string>());
      if (py::hasattr(object, "__fspath__")) return Value(object.attr("__fspath__")().cast<std::string>());
      return {};
    case ParamType::number_list: {
      auto numbers = numbers_from(object);
      return numbers ? std::optional<Value>(std::move(*numbers)) : std::nullopt;
    }
    case ParamType::text_list: {
      if (is_text(object) || !py::isinstance<py::sequence>(object)) return {};
      TextList texts;
      for (const auto& entry : py::reinterpret_borrow<py::sequence>(object)) {
        if (!py::isinstance<py::str>(entry)) return {};
        texts.push_back(entry.cast<std::string>());
      }
      return Value(std::move(texts));
    }
  }
  return {};
}

}  // namespace

py::tuple from_vec3(const Vec3& v) { return py::make_tuple(v.x(), v.y(), v.z()); }

Vec3 to_vec3(const py::handle& object, const std::string& name) {
  const auto numbers = numbers_from(object);
  if (!numbers || numbers->size() != 3) refuse(object, name, "three numbers");
  return {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

py::object to_python(const Value& value) {
  return std::visit(
      [](const auto& held) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Vec3>)
          return from_vec3(held);
        else
          return py::cast(held);
      },
      value);
}

Value to_value(const py::handle& object, const ParamSpec& spec, const std::string& path) {
  auto value = value_of_type(object, spec.type);
  if (!value) refuse(object, path, type_name(spec.type));
  return std::move(*value);
}

}  // namespace vw::python
