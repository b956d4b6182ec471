// Parsing of JSON from untrusted sources. Nesting depth and number of values are checked before a tree is built, so
// memory stays bounded.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/math.h"
#include "sim/world/state/command.h"

namespace vw {

using Json = nlohmann::json;

/// Limits of a JSON tree. Two million values (enough for a number per cell of a large lattice) take at most about 300
/// MB.
struct JsonLimits {
  int depth = 24;
  std::size_t values = std::size_t{1} << 21;
};
[[nodiscard]] Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// The following functions return a member of an object. The member must have the type that the function's name states.
/// An error names the member.
[[nodiscard]] Result<const Json*> json_member(const Json& object, const char* name);
[[nodiscard]] Result<std::string> json_text(const Json& object, const char* name);
[[nodiscard]] Result<std::uint64_t> json_count(const Json& object, const char* name);
[[nodiscard]] Result<std::int64_t> json_integer(const Json& object, const char* name);
[[nodiscard]] Result<bool> json_bool(const Json& object, const char* name);
[[nodiscard]] Result<double> json_number(const Json& object, const char* name);
[[nodiscard]] Result<Vec3> json_vec3(const Json& object, const char* name);
[[nodiscard]] Json json_of(const Vec3& v);

/// Parses the text that hash_text() wrote: 16 hexadecimal digits. Returns nullopt if the text has another form.
[[nodiscard]] std::optional<std::uint64_t> hash_of_text(std::string_view text);

/// Parses a command that is part of a larger JSON text.
[[nodiscard]] Result<Command> command_of(const Json& json);

/// Writes JSON as one line. Invalid UTF-8 bytes are replaced.
[[nodiscard]] std::string dump_json(const Json& json);

}  // namespace vw
