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

constexpr QuantityLabel labelled_quantities[] = {
    {.name = "came_in", .label = "Inflow particles", .doc = "Particles added by inflows since the start"},
    {.name = "density_error", .doc = "Mean relative compression of the fluid after the last substep"},
    {.name = "divergence_iterations",
     .label = "Velocity iterations",
     .doc = "Iterations of the velocity solve in the last substep"},
    {.name = "drained", .doc = "Particles removed by drains since the start"},
    {.name = "gone",
     .label = "Removed members",
     .doc = "Members removed since the start, by exits, age, hunters or commands"},
    {.name = "guarded",
     .label = "Wall corrections",
     .doc = "How often a particle was moved out of a wall or a body since the start"},
    {.name = "iterations", .doc = "Iterations of the density solve in the last substep"},
    {.name = "left_domain", .doc = "Particles removed since the start because they left the domain"},
    {.name = "neighbours", .doc = "Mean number of members that a member sees"},
    {.name = "not_placed",
     .doc = "Particles that the fills could not place, because obstacles or other particles left no space"},
    {.name = "numerical_damping_at_10_hz", .label = "Damping at 10 Hz"},
    {.name = "polarisation",
     .doc = "Length of the mean of all unit vectors of heading. 1 means that all members have the same heading"},
    {.name = "refused",
     .label = "Rejected members",
     .doc = "Members that could not be added since the start, because the flock was full or obstacles left no space"},
    {.name = "slowed",
     .label = "Speed corrections",
     .doc =
         "How often the speed of a particle was limited since the start, because the pressure would have ejected it"},
    {.name = "squeezed",
     .label = "Members without space",
     .doc = "Members for which obstacles leave no free position at present"},
    {.name = "strain", .label = "Strain (principal)"},
    {.name = "strain_max", .label = "Strain (largest)"},
    {.name = "strain_min", .label = "Strain (smallest)"},
    {.name = "strain_von_mises", .label = "Strain (von Mises)"},
    {.name = "stress", .label = "Stress (von Mises)"},
    {.name = "stress_axial", .label = "Stress (axial)"},
    {.name = "stress_max", .label = "Stress (largest)"},
    {.name = "stress_min", .label = "Stress (smallest)"},
    {.name = "substeps_ever", .label = "Total substeps", .doc = "Number of substeps since the start"},
    {.name = "touching", .doc = "Elements that touch an obstacle at present"},
};

const QuantityLabel* find_quantity(std::string_view name) {
  const auto* found = std::ranges::find(labelled_quantities, name, &QuantityLabel::name);
  return found == std::end(labelled_quantities) ? nullptr : found;
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
