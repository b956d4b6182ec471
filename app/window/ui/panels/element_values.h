// Values of one element as rows of text with units, and the quantity that each row can plot over time. This file draws
// nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/results/picked_plots.h"
#include "sim/snapshot/snapshot.h"

namespace vw::ui {

struct ElementValue {
  std::string label, text;
  std::string hint = {};
  std::optional<PickedValue> curve = std::nullopt;
};

/// Title of an element, such as "school, fish 17" or "bricks, crate-3".
[[nodiscard]] std::string element_title(const SystemSnapshot& system, std::size_t row);
/// Title of a followed element ("school.17") or the name of a followed system. If the element does not exist, the title
/// is `followed` itself.
[[nodiscard]] std::string followed_title(const Snapshot& snapshot, const std::string& followed);
/// Persistent id of the element in row `row` of the snapshot.
[[nodiscard]] std::uint32_t element_id(const SystemSnapshot& system, std::size_t row);
/// Text of a position [m], with three decimals or, for positions closer to the origin than a millimetre, with a prefix.
[[nodiscard]] std::string place_text(const Vec3f& v);
/// Values of an element: position, velocity, all vectors and channels, forces of rules, and joints. `system` must
/// belong to `snapshot`. `scene` provides the names of the joints.
[[nodiscard]] std::vector<ElementValue> element_values(const Snapshot& snapshot, const SystemSnapshot& system,
                                                       std::size_t row, const Node& scene);

}  // namespace vw::ui
