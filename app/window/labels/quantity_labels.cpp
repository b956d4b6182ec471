#include "app/window/labels/quantity_labels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "sim/base/data/parameter.h"

namespace vw {
namespace {

struct QuantityLabel {
  std::string_view name;
  std::string_view label = {};  ///< label in the window; if empty, the label is spelt_out(name)
  const char* doc = nullptr;
};

constexpr QuantityLabel labelled_quantities[] = {
    {.name = "came_in", .label = "Inflow particles", .doc = "Number of particles added by inflows since the start"},
    {.name = "density_error", .doc = "Mean relative compression of the fluid after the last substep"},
    {.name = "divergence_iterations",
     .label = "Velocity iterations",
     .doc = "Number of iterations of the velocity solve in the last substep"},
    {.name = "drained", .doc = "Number of particles removed by drains since the start"},
    {.name = "gone",
     .label = "Removed members",
     .doc = "Number of members removed since the start by exits, age, hunters or commands"},
    {.name = "guarded",
     .label = "Wall corrections",
     .doc = "Number of times since the start that a particle was moved out of a wall or a body"},
    {.name = "iterations", .doc = "Number of iterations of the density solve in the last substep"},
    {.name = "left_domain", .doc = "Number of particles removed since the start because they left the domain"},
    {.name = "neighbours", .doc = "Mean number of other members that a member sees"},
    {.name = "not_placed",
     .doc = "Number of particles that the fills could not place, because obstacles or other particles left no space"},
    {.name = "numerical_damping_at_10_hz", .label = "Damping at 10 Hz"},
    {.name = "polarisation",
     .doc = "Magnitude of the mean heading, where each heading is a unit vector. 1 means that all members have the "
            "same heading"},
    {.name = "refused",
     .label = "Rejected members",
     .doc = "Number of members that could not be added since the start, because the flock was full or obstacles left "
            "no space"},
    {.name = "slowed",
     .label = "Speed corrections",
     .doc = "Number of times since the start that the speed of a particle was limited, because the pressure would have "
            "ejected it"},
    {.name = "squeezed",
     .label = "Members without space",
     .doc = "Number of members that have no free position at present, because obstacles surround them"},
    {.name = "strain", .label = "Strain (principal)"},
    {.name = "strain_max", .label = "Strain (largest)"},
    {.name = "strain_min", .label = "Strain (smallest)"},
    {.name = "strain_von_mises", .label = "Strain (von Mises)"},
    {.name = "stress", .label = "Stress (von Mises)"},
    {.name = "stress_axial", .label = "Stress (axial)"},
    {.name = "stress_max", .label = "Stress (largest)"},
    {.name = "stress_min", .label = "Stress (smallest)"},
    {.name = "substeps_ever", .label = "Total substeps", .doc = "Number of substeps since the start"},
    {.name = "touching", .doc = "Number of elements that touch an obstacle at present"},
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

std::string choice_label(std::string_view choice) {
  constexpr std::pair<std::string_view, std::string_view> labels[] = {{"auto", "Automatic"},
                                                                      {"dfsph", "DFSPH"},
                                                                      {"lamb_oseen", "Lamb-Oseen"},
                                                                      {"log", "Logarithmic"},
                                                                      {"max", "Maximum"},
                                                                      {"min", "Minimum"},
                                                                      {"rk4", "RK4"},
                                                                      {"rms", "RMS"},
                                                                      {"velocity_verlet", "Velocity Verlet"},
                                                                      {"von_karman", "Von Karman"},
                                                                      {"wcsph", "WCSPH"}};
  const bool is_axes = choice.find_first_not_of("xyz") == std::string_view::npos;
  if (is_axes) return std::string(choice);
  const auto* found = std::ranges::find(labels, choice, [](const auto& row) { return row.first; });
  return found == std::end(labels) ? quantity_label(choice) : std::string(found->second);
}

const char* quantity_doc(std::string_view name) {
  const QuantityLabel* known = find_quantity(name);
  return known == nullptr ? nullptr : known->doc;
}

std::string clock_text(double time_s, double step_s) {
  constexpr int least = 3, most = 7;
  constexpr double rounding = 1e-9;
  const double decimals = step_s > 0 ? std::ceil(-std::log10(step_s) - rounding) : least;
  return fmt::format("{:.{}f} s", time_s, std::clamp(static_cast<int>(decimals), least, most));
}

}  // namespace vw
