#include "app/window/labels/quantity_labels.h"

#include <algorithm>
#include <iterator>

#include "sim/base/data/parameter.h"

namespace vw {
namespace {

struct QuantityLabel {
  std::string_view name;
  std::string_view label = {};  ///< label in the window; if empty, spelt_out(name)
  const char* doc = nullptr;
};

constexpr QuantityLabel quantities[] = {
    {.name = "came_in", .label = "Inflow particles", .doc = "Particles added by inflows since the start"},
    {.name = "density_error", .doc = "Mean relative compression that remains after a substep"},
    {.name = "divergence_iterations",
     .label = "Velocity iterations",
     .doc = "Iterations of the divergence solver in the last substep"},
    {.name = "drained", .doc = "Particles removed by drains since the start"},
    {.name = "gone",
     .label = "Removed members",
     .doc = "Members removed since the start: by exits, by age, eaten, or by a command"},
    {.name = "guarded",
     .label = "Wall corrections",
     .doc = "Particles since the start that were moved out of a wall or a body"},
    {.name = "iterations", .doc = "Iterations of the density solver in the last substep"},
    {.name = "left_domain", .doc = "Particles removed since the start because they left the domain"},
    {.name = "neighbours", .doc = "Mean number of members that a member sees"},
    {.name = "not_placed",
     .doc = "Particles of fills that were omitted because obstacles or other particles left no space"},
    {.name = "numerical_damping_at_10_hz", .label = "Damping at 10 Hz"},
    {.name = "polarisation", .doc = "Length of the mean direction of the members; 1 if all have the same direction"},
    {.name = "refused",
     .label = "Rejected members",
     .doc = "Members that could not be added because the flock was full or obstacles left no space"},
    {.name = "slowed",
     .label = "Speed corrections",
     .doc = "Particles since the start whose speed was limited because pressure would have ejected them"},
    {.name = "squeezed",
     .label = "Members without space",
     .doc = "Members without a position free of all obstacles at present"},
    {.name = "strain", .label = "Strain (principal)"},
    {.name = "strain_max", .label = "Strain (largest)"},
    {.name = "strain_min", .label = "Strain (smallest)"},
    {.name = "strain_von_mises", .label = "Strain (von Mises)"},
    {.name = "stress", .label = "Stress (von Mises)"},
    {.name = "stress_axial", .label = "Stress (axial)"},
    {.name = "stress_max", .label = "Stress (largest)"},
    {.name = "stress_min", .label = "Stress (smallest)"},
    {.name = "substeps_ever", .label = "Total substeps", .doc = "Number of substeps since the start"},
    {.name = "touching", .doc = "Members that are kept out of an obstacle at present"},
};

const QuantityLabel* find_quantity(std::string_view name) {
  const auto* found = std::ranges::find(quantities, name, &QuantityLabel::name);
  return found == std::end(quantities) ? nullptr : found;
}

}  // namespace

std::string quantity_label(std::string_view name) {
  const QuantityLabel* known = find_quantity(name);
  return known == nullptr || known->label.empty() ? spelt_out(name) : std::string(known->label);
}

const char* quantity_doc(std::string_view name) {
  const QuantityLabel* known = find_quantity(name);
  return known == nullptr ? nullptr : known->doc;
}

}  // namespace vw
