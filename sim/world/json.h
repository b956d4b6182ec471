// Reading JSON that may be hostile: depth and number of values are checked before a parser builds a tree, so memory stays bounded.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/math.h"
#include "sim/world/command.h"

namespace vw {

using Json = nlohmann::json;

/// What a tree may hold: 2 million values (a list with a number for every cell of a large lattice) take some 300 MB at worst.
struct JsonLimits {
  int depth = 8;
  std::size_t values = std::size_t{1} << 21;
};
[[nodiscard]] Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// A member of an object, of a given type; the error names the member.
[[nodiscard]] Result<const Json*> json_member(const Json& object, const char* name);
[[nodiscard]] Result<std::string> json_text(const Json& object, const char* name);
[[nodiscard]] Result<std::uint64_t> json_count(const Json& object, const char* name);
[[nodiscard]] Result<std::int64_t> json_integer(const Json& object, const char* name);
[[nodiscard]] Result<double> json_number(const Json& object, const char* name);
[[nodiscard]] Result<Vec3> json_vec3(const Json& object, const char* name);
[[nodiscard]] Json json_of(const Vec3& v);

/// A command that is part of a larger text.
[[nodiscard]] Result<Command> command_of(const Json& json);

/// One line; text that is not UTF-8 has its bad bytes replaced instead of failing.
[[nodiscard]] std::string dump_json(const Json& json);

}  // namespace vw
