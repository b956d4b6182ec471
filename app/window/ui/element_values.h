// What is known of one element, as rows of text with units, and of each row the curve over time that it can become. No drawing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/picked_plots.h"
#include "sim/snapshot/snapshot.h"

namespace vw::ui {

struct ElementValue {
  std::string label, text;
  std::string hint = {};
  std::optional<PickedValue> curve = std::nullopt;
};

/// "school, fish 17"; "bricks, crate-3".
[[nodiscard]] std::string element_title(const SystemSnapshot& system, std::size_t row);
/// The title of a followed element, "school.17", or the name of a followed system; the same whether it is selected or not.
[[nodiscard]] std::string followed_title(const Snapshot& snapshot, const std::string& followed);
/// Lasting identity of a row.
[[nodiscard]] std::uint32_t element_id(const SystemSnapshot& system, std::size_t row);
/// Place, motion, every vector and channel, what rules give it, what its joints hold. `system` is the snapshot's own; `scene` names the joints.
[[nodiscard]] std::vector<ElementValue> element_values(const Snapshot& snapshot, const SystemSnapshot& system, std::size_t row, const Node& scene);

}  // namespace vw::ui
