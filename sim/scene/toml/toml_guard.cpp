// Scans the characters once, skips strings and comments, and counts brackets, dots and values.
#include "sim/scene/toml/toml_guard.h"

#include <fmt/format.h>

#include "sim/scene/toml/text.h"
#include "sim/scene/toml/toml_ascii.h"

namespace vw {
namespace {

class Scan {
 public:
  Scan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<void> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        skip_comment();
      else if (c == '"' || c == '\'')
        at_ = toml_string_at(text_, at_).end;
      else if (auto good = count(c); !good)
        return good;
      else
        ++at_;
      if (cost_ > max_toml_values)
        return refuse(fmt::format("more than {} values, where a key or a table counts as 4 values", max_toml_values));
    }
    return {};
  }

 private:
  [[nodiscard]] Unexpected refuse(std::string expected) const {
    return wrong_file(file_, line_of(text_, at_), "a scene must not have " + std::move(expected));
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  Result<void> count(char c) {
    switch (c) {
      case '[':
      case '{':
        if (++depth_ > max_toml_depth) return refuse(fmt::format("brackets nested deeper than {}", max_toml_depth));
        dots_ = 0;
        cost_ += 4;  // cost of an array or table; a header such as "[a.b]" creates two tables
        break;
      case ']':
      case '}': depth_ -= depth_ > 0 ? 1 : 0; break;
      case '.':
        if (++dots_ >= max_toml_key_parts) return refuse(fmt::format("keys of more than {} parts", max_toml_key_parts));
        // Each component of a dotted key creates a table. The first dot has no cost, because it may be the decimal
        // point of a number.
        cost_ += dots_ > 1 ? 3 : 0;
        break;
      case ',': cost_ += 1; [[fallthrough]];
      case '\n': dots_ = 0; break;
      case '=':
        dots_ = 0;
        cost_ += 4;  // a key costs more than a value
        break;
      default: break;
    }
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t cost_ = 0;
  int depth_ = 0;
  int dots_ = 0;
};

}  // namespace

Result<void> guard_toml(std::string_view text, const std::string& file) {
  Error error;
  error.file = file;
  if (text.size() > max_scene_bytes) {
    error.what = fmt::format("has {} MiB; a scene may have at most {} MiB", text.size() >> 20, max_scene_bytes >> 20);
    return fail(std::move(error));
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || text[i] == '\0') {
      error.line = line_of(text, i);
      error.what = length == 0 ? "contains a byte that is not UTF-8; a scene must be UTF-8 text"
                               : "contains a NUL byte; a scene must be text";
      return fail(std::move(error));
    }
    i += length;
  }
  return Scan(text, file).run();
}

}  // namespace vw
