#include "app/window/library/variants.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "app/window/library/presets.h"
#include "sim/base/files/file.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_variant_bytes = std::uint64_t{4} << 20;
constexpr std::size_t max_variant_text = 10'000;  ///< [bytes]
constexpr std::string_view variant_equals = " = ";

/// First part of the lines with the variants of a parameter.
std::string variant_prefix(const std::string& kind, const ParamSpec& spec) { return kind + "." + spec.name + "."; }

/// Whether a line contains the variant with this name. A name contains no "=".
bool is_variant_line(const std::string& line, const std::string& prefix, const std::string& name) {
  return line.starts_with(prefix + name + std::string(variant_equals));
}

}  // namespace

Variants::Variants(std::string folder) : folder_(std::move(folder)) { (void)read(); }

Result<void> Variants::read() {
  lines_.clear();
  const fs::path file = fs::path(folder_) / "variants";
  std::error_code error;
  if (folder_.empty() || !fs::exists(file, error)) return {};
  const auto text = read_file(file.string(), max_variant_bytes);
  if (!text) return Unexpected(text.error());
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines_.push_back(line);
  return {};
}

Result<void> Variants::write() const {
  if (folder_.empty()) return fail("the value cannot be kept: neither $XDG_CONFIG_HOME nor $HOME is set");
  std::error_code ignored;  // write_file_atomic() reports a folder that does not exist
  fs::create_directories(folder_, ignored);
  std::string text;
  for (const std::string& line : lines_) text += line + '\n';
  return write_file_atomic((fs::path(folder_) / "variants").string(), text);
}

std::vector<Variant> Variants::of(const std::string& kind, const ParamSpec& spec) const {
  std::vector<Variant> found;
  const std::string prefix = variant_prefix(kind, spec);
  for (const std::string& line : lines_) {
    const std::size_t equals = line.find(variant_equals);
    if (!line.starts_with(prefix) || equals == std::string::npos || equals <= prefix.size()) continue;
    const auto value = parse_value(spec, std::string_view(line).substr(equals + variant_equals.size()));
    if (value) found.push_back({line.substr(prefix.size(), equals - prefix.size()), *value});
  }
  std::ranges::sort(found, {}, &Variant::name);
  return found;
}

Result<void> Variants::keep(const std::string& kind, const ParamSpec& spec, const std::string& name,
                            const Value& value) {
  if (const std::string mistake = preset_name_error(name); !mistake.empty()) return fail(mistake);
  const std::string text = to_text(value);
  const auto again = parse_value(spec, text);
  if (text.size() > max_variant_text || text.find('\n') != std::string::npos || !again || !same_value(*again, value))
    return fail("this value cannot be kept: expected a number, a choice or a short text of one line");
  if (auto good = read(); !good) return good;
  const std::string prefix = variant_prefix(kind, spec);
  std::erase_if(lines_, [&](const std::string& line) { return is_variant_line(line, prefix, name); });
  lines_.push_back(fmt::format("{}{}{}{}", prefix, name, variant_equals, text));
  return write();
}

Result<void> Variants::remove(const std::string& kind, const ParamSpec& spec, const std::string& name) {
  if (auto good = read(); !good) return good;
  const std::string prefix = variant_prefix(kind, spec);
  std::erase_if(lines_, [&](const std::string& line) { return is_variant_line(line, prefix, name); });
  return write();
}

}  // namespace vw
