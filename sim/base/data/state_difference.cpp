#include "sim/base/data/state_difference.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/data/replay_scope.h"

namespace vw {
namespace {

using Entry = StateBlock::Entry;
using Kind = StateDifference::Kind;

std::string_view scope_of(const Entry& entry) { return std::string_view(entry.name).substr(0, entry.scope_size); }

std::size_t row_count(const Entry& entry) { return entry.element_bytes == 0 ? 0 : entry.size / entry.element_bytes; }

/// Returns the bytes of an array of a block.
const std::byte* bytes_of(const StateBlock& block, const Entry& entry) { return block.bytes.data() + entry.offset; }

/// Returns a difference that contains the names of the entry's object and array. A scope has the form "system.cube.".
StateDifference named(const Entry& entry, Kind kind) {
  StateDifference out;
  out.kind = kind;
  const std::string_view scope = scope_of(entry);
  const std::size_t dot = std::min(scope.find('.'), scope.size());
  out.part = scope.substr(0, dot);
  const std::string_view rest = scope.substr(std::min(dot + 1, scope.size()));
  out.name = rest.substr(0, rest.size() - (rest.empty() ? 0 : 1));
  out.array = entry.name.substr(entry.scope_size);
  if (!entry.is_single) out.rows = entry.rows.empty() ? "row" : entry.rows;
  return out;
}

template <class T>
T number_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

StateNumber read_number(const std::byte* at, const StateMember& member) {
  if (member.kind == StateMember::Kind::real)
    return member.number_bytes == sizeof(float) ? static_cast<double>(number_at<float>(at)) : number_at<double>(at);
  if (member.kind == StateMember::Kind::integer) {
    switch (member.number_bytes) {
      case 1: return std::int64_t{number_at<std::int8_t>(at)};
      case 2: return std::int64_t{number_at<std::int16_t>(at)};
      case 4: return std::int64_t{number_at<std::int32_t>(at)};
      default: return number_at<std::int64_t>(at);
    }
  }
  switch (member.number_bytes) {
    case 1: return std::uint64_t{number_at<std::uint8_t>(at)};
    case 2: return std::uint64_t{number_at<std::uint16_t>(at)};
    case 4: return std::uint64_t{number_at<std::uint32_t>(at)};
    default: return number_at<std::uint64_t>(at);
  }
}

/// Returns to - from. The subtraction of integers is exact; only its result is rounded to double.
template <std::integral T>
double integer_difference(T from, T to) {
  const auto bits = [](T x) { return static_cast<std::uint64_t>(x); };
  return to >= from ? static_cast<double>(bits(to) - bits(from)) : -static_cast<double>(bits(from) - bits(to));
}

/// Returns b - a.
double difference_of(const StateNumber& a, const StateNumber& b) {
  if (const auto* x = std::get_if<std::uint64_t>(&a)) return integer_difference(*x, std::get<std::uint64_t>(b));
  if (const auto* x = std::get_if<std::int64_t>(&a)) return integer_difference(*x, std::get<std::int64_t>(b));
  return std::get<double>(b) - std::get<double>(a);
}

std::string component_name(const StateMember& member, std::size_t i) {
  std::string name = member.name;
  if (member.count == 1) return name;
  if (!name.empty()) name += '.';
  const bool has_axes = member.kind == StateMember::Kind::real && (member.count == 3 || member.count == 4);
  return has_axes ? name + "xyzw"[i] : name + std::to_string(i);
}

bool same_members(const Entry& a, const Entry& b) {
  if (a.element_bytes != b.element_bytes || a.members == nullptr || b.members == nullptr) return false;
  const auto is_same = [](const StateMember& x, const StateMember& y) {
    return x.name == y.name && x.kind == y.kind && x.number_bytes == y.number_bytes && x.count == y.count &&
           x.offset == y.offset;
  };
  return a.members == b.members || std::ranges::equal(a.members(), b.members(), is_same);
}

/// Correspondence of the elements of a system in A and B: rows of common elements, and ids that exist in only one
/// state.
struct Matching {
  bool is_identity = true;  ///< whether row i of A is row i of B for all rows
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  std::vector<std::uint32_t> id_a, id_b;  ///< ids of the rows; empty if elements are identified by their row numbers
};

std::vector<std::uint32_t> ids_of(const StateBlock& block, const Entry* entry) {
  std::vector<std::uint32_t> ids;
  if (entry == nullptr || entry->element_bytes != sizeof(std::uint32_t)) return ids;
  ids.resize(row_count(*entry));
  if (!ids.empty()) std::memcpy(ids.data(), bytes_of(block, *entry), entry->size);
  return ids;
}

/// Compares two blocks.
class BlockComparison {
 public:
  BlockComparison(const StateBlock& a, const StateBlock& b) : a_(a), b_(b) {
    for (const Entry& entry : a.entries) entries_a_.emplace(entry.name, &entry), scopes_a_.emplace(scope_of(entry));
    for (const Entry& entry : b.entries) entries_b_.emplace(entry.name, &entry), scopes_b_.emplace(scope_of(entry));
  }

  std::vector<StateDifference> differences(std::span<const std::string_view> ignored) {
    const auto is_ignored = [&](const Entry& entry) {
      return entry.name.starts_with(replay_scope) || std::ranges::find(ignored, entry.name) != ignored.end();
    };
    for (const Entry& entry : a_.entries) {
      if (is_ignored(entry)) continue;
      const auto other = entries_b_.find(entry.name);
      if (other == entries_b_.end())
        add_missing(entry, Kind::only_in_a, scopes_b_);
      else
        compare(entry, *other->second);
    }
    for (const Entry& entry : b_.entries)
      if (!is_ignored(entry) && !entries_a_.contains(entry.name)) add_missing(entry, Kind::only_in_b, scopes_a_);
    return std::move(out_);
  }

 private:
  void add_missing(const Entry& entry, Kind kind, const std::set<std::string_view>& other_scopes) {
    StateDifference one = named(entry, kind);
    (kind == Kind::only_in_a ? one.rows_a : one.rows_b) = row_count(entry);
    if (!other_scopes.contains(scope_of(entry))) {
      if (!missing_.emplace(scope_of(entry)).second) return;
      one.array.clear();
      one.rows.clear();
    }
    out_.push_back(std::move(one));
  }

  void compare(const Entry& a, const Entry& b) {
    const bool is_elements = !a.is_single && a.rows == state_element && b.rows == state_element;
    const Matching* matching = is_elements ? &matching_of(a) : nullptr;
    const bool moved = matching != nullptr && !matching->is_identity;
    const bool is_id = moved && a.name.substr(a.scope_size) == "id";
    if (is_id) return;  // matching_of() has reported the difference
    if (a.size == b.size && a.element_bytes == b.element_bytes && !moved && is_same(a, b, a.size)) return;
    StateDifference one = named(a, Kind::value);
    one.rows_a = row_count(a), one.rows_b = row_count(b);
    if (!same_members(a, b)) {
      one.kind = Kind::layout;
    } else if (moved && one.rows_a == matching->id_a.size() && one.rows_b == matching->id_b.size()) {
      if (!find_value(a, b, matching, one)) return;
    } else if (one.rows_a != one.rows_b) {
      one.kind = Kind::length;
    } else if (!find_value(a, b, moved ? nullptr : matching, one)) {
      return;
    }
    out_.push_back(std::move(one));
  }

  [[nodiscard]] bool is_same(const Entry& a, const Entry& b, std::size_t size) const {
    return size == 0 || std::memcmp(bytes_of(a_, a), bytes_of(b_, b), size) == 0;
  }

  /// Finds the first member that differs in any row, and describes it in the row where it differs most. Returns whether
  /// any bits of the matched rows differ.
  bool find_value(const Entry& a, const Entry& b, const Matching* matching, StateDifference& out) const {
    const std::size_t bytes = a.element_bytes;
    const bool all = matching == nullptr || matching->is_identity;
    const std::size_t rows = all ? row_count(a) : matching->rows.size();
    const StateMember* first = nullptr;
    double largest = -1;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto [row_a, row_b] = all ? std::pair(i, i) : matching->rows[i];
      const std::byte *at_a = bytes_of(a_, a) + row_a * bytes, *at_b = bytes_of(b_, b) + row_b * bytes;
      if (std::memcmp(at_a, at_b, bytes) == 0) continue;
      ++out.rows_differing;
      for (const StateMember& member : a.members()) {
        if (first != nullptr && member.offset > first->offset) break;
        if (std::memcmp(at_a + member.offset, at_b + member.offset, member.number_bytes * member.count) == 0) continue;
        if (first != &member) first = &member, largest = -1;
        for (std::size_t k = 0; k < member.count; ++k) {
          const std::size_t offset = member.offset + k * member.number_bytes;
          if (std::memcmp(at_a + offset, at_b + offset, member.number_bytes) == 0) continue;
          const StateNumber x = read_number(at_a + offset, member), y = read_number(at_b + offset, member);
          const double difference = difference_of(x, y);
          // A difference that is not finite counts as larger than any finite difference.
          const double size = std::isfinite(difference) ? std::abs(difference) : HUGE_VAL;
          if (size <= largest) continue;
          largest = size;
          out.a = x, out.b = y, out.difference = difference;
          out.component = component_name(member, k);
          if (!a.is_single) out.row = row_a;
        }
        break;  // only the first member that differs counts
      }
    }
    if (matching != nullptr && out.row)
      out.element = matching->id_a.empty() ? static_cast<std::uint32_t>(*out.row) : matching->id_a[*out.row];
    return out.rows_differing > 0;
  }

  /// Returns how the elements of the system to which `entry` belongs correspond. The first call for a system reports a
  /// difference of the identities, if there is one.
  const Matching& matching_of(const Entry& entry) {
    const std::string scope(scope_of(entry));
    const auto [found, is_new] = matchings_.try_emplace(scope);
    Matching& matching = found->second;
    if (!is_new) return matching;
    const auto a = entries_a_.find(scope + "id"), b = entries_b_.find(scope + "id");
    if (a == entries_a_.end() || b == entries_b_.end()) return matching;
    matching.id_a = ids_of(a_, a->second), matching.id_b = ids_of(b_, b->second);
    matching.is_identity = matching.id_a == matching.id_b;
    if (matching.is_identity) return matching;
    StateDifference one = named(*a->second, Kind::elements);
    one.rows_a = matching.id_a.size(), one.rows_b = matching.id_b.size();
    const auto note_alone = [&one](std::size_t row, std::uint32_t id) {
      if (one.element && *one.element <= id) return;
      one.row = row, one.element = id;
    };
    for (std::size_t i = 0, k = 0; i < one.rows_a || k < one.rows_b;) {
      if (k == one.rows_b || (i < one.rows_a && matching.id_a[i] < matching.id_b[k]))
        ++one.only_in_a, note_alone(i, matching.id_a[i]), ++i;
      else if (i == one.rows_a || matching.id_b[k] < matching.id_a[i])
        ++one.only_in_b, note_alone(k, matching.id_b[k]), ++k;
      else
        matching.rows.emplace_back(i++, k++);
    }
    out_.push_back(std::move(one));
    return matching;
  }

  const StateBlock &a_, &b_;
  std::map<std::string_view, const Entry*> entries_a_, entries_b_;
  std::set<std::string_view> scopes_a_, scopes_b_, missing_;
  std::map<std::string, Matching> matchings_;  ///< by scope
  std::vector<StateDifference> out_;
};

std::string counted(std::size_t count, const std::string& noun) {
  const char* plural = noun.ends_with("sh") ? "es" : "s";
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

}  // namespace

std::vector<StateDifference> state_differences(const StateBlock& a, const StateBlock& b,
                                               std::span<const std::string_view> ignored) {
  return BlockComparison(a, b).differences(ignored);
}

std::string to_text(const StateNumber& number) {
  return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

std::string StateDifference::place() const {
  std::string text = part;
  if (!name.empty()) text += " \"" + name + '"';
  if (element)
    text += fmt::format(", {} {}", rows, *element);
  else if (row)
    text += fmt::format(", {} {}", rows, *row);
  if (!row_name.empty()) text += " (\"" + row_name + "\")";
  if (array.empty()) return text;
  text += ", " + array;
  return component.empty() ? text : text + '.' + component;
}

std::string StateDifference::sentence(std::string_view unit) const {
  switch (kind) {
    case Kind::only_in_a: return place() + ": only in A";
    case Kind::only_in_b: return place() + ": only in B";
    case Kind::layout: return place() + ": the arrays of A and B hold different kinds of data";
    case Kind::length:
      return fmt::format("{}: {} in A, {} in B", place(), counted(rows_a, rows), counted(rows_b, rows));
    case Kind::elements:
      return fmt::format("{}: {} in A, {} in B; {} only in A, {} only in B, the first is element {}",
                         name.empty() ? part : part + " \"" + name + '"', counted(rows_a, rows), counted(rows_b, rows),
                         only_in_a, only_in_b, element.value_or(0));
    case Kind::value: break;
  }
  const std::string space = unit.empty() ? "" : " ";
  return fmt::format("{}: {} in A, {} in B, difference B - A = {:g}{}{}", place(), to_text(a), to_text(b), difference,
                     space, unit);
}

}  // namespace vw
