// Keys of scenes that earlier versions wrote. The reader of scenes converts them to the keys that have replaced them,
// with a warning that names the new key.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/base/data/value.h"

namespace vw {

/// Assignment that replaces a value of an old key.
struct NewValue {
  std::string_view old_value;  ///< text that the old key had
  std::string_view key;        ///< key of the same node; empty if the value was the default and needs no key
  Value value = {};
};

struct OldKey {
  std::string_view kind;  ///< Schema::kind of the node
  std::string_view key;
  /// Key with the same values that replaces this key. If it is empty, `values` lists the replacement of each value.
  std::string_view renamed = {};
  std::vector<NewValue> values = {};
};
/// Returns all old keys.
[[nodiscard]] std::span<const OldKey> old_keys();
/// Returns the old key of a kind of node, or null if there is none.
[[nodiscard]] const OldKey* find_old_key(std::string_view kind, std::string_view key);

}  // namespace vw
