// Composes error messages and finds the nearest word for hints.
#include "sim/base/error.h"

#include <algorithm>
#include <numeric>

#include "sim/base/text.h"

namespace vw {
namespace {

/// Returns the case-sensitive Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

constexpr std::size_t longest_quote = 200;

std::string without_control_bytes(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

/// Prepares user text for a message: replaces control bytes and line breaks by blanks and shortens long text.
std::string quotable(std::string_view text) {
  return without_control_bytes(beginning_of(text, longest_quote)) + (text.size() > longest_quote ? "..." : "");
}

/// Prepares a path for a message: replaces control bytes by blanks. Removes the front of a long path, because the end
/// is more informative.
std::string quotable_path(std::string_view path) {
  if (path.size() <= longest_quote) return without_control_bytes(path);
  return "..." + without_control_bytes(end_of(path, longest_quote));
}

}  // namespace

std::string Error::message() const {
  std::string text;
  if (!file.empty()) {
    text += quotable_path(file);
    if (line > 0) text += ":" + std::to_string(line);
    text += ": ";
  }
  if (!key.empty()) text += quotable(key);
  if (!found.empty()) text += (key.empty() ? "" : " = ") + quotable(found);
  if (!expected.empty()) {
    if (!key.empty() || !found.empty()) text += ": ";
    text += without_control_bytes(expected);
  }
  if (!what.empty()) {
    if (!key.empty() || !found.empty() || !expected.empty()) text += ": ";
    text += without_control_bytes(what);
  }
  if (!hint.empty()) text += " (did you mean \"" + quotable(hint) + "\"?)";
  return text;
}

Unexpected fail(std::string what) {
  Error error;
  error.what = std::move(what);
  return Unexpected(std::move(error));
}

Unexpected fail(Error error) { return Unexpected(std::move(error)); }

Unexpected wrong_value(int line, std::string key, std::string found, std::string expected, std::string hint) {
  Error error;
  error.line = line;
  error.key = std::move(key);
  error.found = std::move(found);
  error.expected = std::move(expected);
  error.hint = std::move(hint);
  return fail(std::move(error));
}

Unexpected wrong_file(std::string file, std::string what) { return wrong_file(std::move(file), 0, std::move(what)); }

Unexpected wrong_file(std::string file, int line, std::string what) {
  Error error;
  error.file = std::move(file);
  error.line = line;
  error.what = std::move(what);
  return fail(std::move(error));
}

std::string nearest_word(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 64;  // bounds the quadratic cost for malicious keys
  if (word.empty() || word.size() > longest) return {};
  std::string best;
  std::size_t best_distance = 1 + word.size() / 3;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace vw
