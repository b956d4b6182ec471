// Reading JSON that may be hostile: depth and length are checked before a parser sees it, so memory stays bounded.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace vw {

using Json = nlohmann::json;

/// Parses one JSON text nested at most `max_depth` deep.
[[nodiscard]] Result<Json> parse_json(std::string_view text, int max_depth = 8);

/// A member of an object, of a given type; the error names the member.
[[nodiscard]] Result<const Json*> json_member(const Json& object, const char* name);
[[nodiscard]] Result<std::string> json_text(const Json& object, const char* name);
[[nodiscard]] Result<std::uint64_t> json_count(const Json& object, const char* name);
[[nodiscard]] Result<std::int64_t> json_integer(const Json& object, const char* name);
[[nodiscard]] Result<double> json_number(const Json& object, const char* name);
[[nodiscard]] Result<Vec3> json_vec3(const Json& object, const char* name);
[[nodiscard]] Json json_of(const Vec3& v);

/// One line; text that is not UTF-8 has its bad bytes replaced instead of failing.
[[nodiscard]] std::string dump_json(const Json& json);

}  // namespace vw
