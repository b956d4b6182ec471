// Checks and parses JSON.
#include "sim/world/state/json.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

struct JsonExtent {
  int depth = 0;
  std::size_t values = 0;
};

/// Measures the nesting depth and the number of values in one pass, by counting brackets and commas outside strings.
JsonExtent measure(std::string_view text) {
  JsonExtent extent;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      extent.depth = std::max(extent.depth, ++depth);
      ++extent.values;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',') {
      ++extent.values;
    }
  }
  return extent;
}

Unexpected missing(const char* name, const char* expected) {
  return fail("\"" + std::string(name) + "\" is missing or is not " + expected);
}

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  const JsonExtent extent = measure(text);
  if (extent.depth > limits.depth)
    return fail("the JSON is nested more than " + std::to_string(limits.depth) + " levels deep");
  if (extent.values > limits.values) return fail("the JSON has more than " + std::to_string(limits.values) + " values");
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (json.is_discarded()) return fail("is not valid JSON");
  return json;
}

Result<const Json*> json_member(const Json& object, const char* name) {
  if (!object.is_object()) return fail("expected a JSON object");
  const auto found = object.find(name);
  if (found == object.end()) return fail("\"" + std::string(name) + "\" is missing");
  return &*found;
}

Result<std::string> json_text(const Json& object, const char* name) {
  const auto member = json_member(object, name);
  if (!member || !(*member)->is_string()) return missing(name, "a string");
  return (*member)->get<std::string>();
}

Result<std::uint64_t> json_count(const Json& object, const char* name) {
  const auto member = json_member(object, name);
  if (!member || !(*member)->is_number_unsigned()) return missing(name, "a whole number of at least 0");
  return (*member)->get<std::uint64_t>();
}

Result<std::int64_t> json_integer(const Json& object, const char* name) {
  const auto member = json_member(object, name);
  const bool fits =
      member && (*member)->is_number_integer() &&
      (!(*member)->is_number_unsigned() || (*member)->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
  if (!fits) return missing(name, "a whole number");
  return (*member)->get<std::int64_t>();
}

Result<bool> json_bool(const Json& object, const char* name) {
  const auto member = json_member(object, name);
  if (!member || !(*member)->is_boolean()) return missing(name, "true or false");
  return (*member)->get<bool>();
}

Result<double> json_number(const Json& object, const char* name) {
  const auto member = json_member(object, name);
  if (!member || !(*member)->is_number() || !std::isfinite((*member)->get<double>()))
    return missing(name, "a finite number");
  return (*member)->get<double>();
}

Result<Vec3> json_vec3(const Json& object, const char* name) {
  const auto member = json_member(object, name);
  if (!member || !(*member)->is_array() || (*member)->size() != 3) return missing(name, "a list of three numbers");
  Vec3 v;
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& x = (**member)[i];
    if (!x.is_number() || !std::isfinite(x.get<double>())) return missing(name, "a list of three finite numbers");
    v[static_cast<Eigen::Index>(i)] = x.get<double>();
  }
  return v;
}

Json json_of(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

std::string dump_json(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace vw
