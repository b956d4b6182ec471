#include "sim/interaction/flock/flock_side.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace vw {
namespace {

/// Returns the target of goals that refer to the entire system: centre of mass, mean velocity and bounding radius of
/// all elements.
FlockMark whole(const Elements& rows, double age) {
  FlockMark mark;
  double mass = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    mass += rows.mass[i];
    mark.position += rows.mass[i] * (rows.position[i] + age * rows.velocity[i]);
    mark.velocity += rows.mass[i] * rows.velocity[i];
  }
  if (!(mass > 0)) return mark;
  mark.position /= mass, mark.velocity /= mass;
  for (std::size_t i = 0; i < rows.size(); ++i)
    mark.radius =
        std::max(mark.radius, (rows.position[i] + age * rows.velocity[i] - mark.position).norm() + rows.radius[i]);
  return mark;
}

std::optional<std::size_t> row_named(std::string_view element, const Elements& rows,
                                     const std::vector<std::string_view>& names) {
  if (const auto named = std::find(names.begin(), names.end(), element); named != names.end())
    return static_cast<std::size_t>(named - names.begin());
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(element.data(), element.data() + element.size(), id);
  if (error != std::errc() || end != element.data() + element.size()) return std::nullopt;
  if (rows.id.empty()) return id < rows.size() ? std::optional<std::size_t>(id) : std::nullopt;
  const auto found = std::lower_bound(rows.id.begin(), rows.id.end(), id);
  return found != rows.id.end() && *found == id ? std::optional(static_cast<std::size_t>(found - rows.id.begin()))
                                                : std::nullopt;
}

}  // namespace

ParamTable<FrightParams> fright_table(const std::string& what) {
  using P = FrightParams;
  return {
      rule_params("Whether members of the flock avoid " + what + " and collide with them."),
      Param<P>{.member = &P::fright_reach_m,
               .key = "fright_reach",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Distance within which members flee from objects that approach faster than `fright_speed`. 0 "
                      "means no fleeing. Members then only avoid objects."},
      Param<P>{.member = &P::fright_speed_mps,
               .key = "fright_speed",
               .unit = Unit::meter_per_second,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Speed of approach above which members flee from an object. Slower objects are only avoided."},
      Param<P>{.member = &P::restitution,
               .key = "restitution",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Coefficient of restitution of collisions between members and objects, which is the fraction of "
                      "the normal speed that remains after a bounce. Collisions have no friction."},
  };
}

Box3 minded_by(const FlockSystem& flock, double fright_reach_m) {
  double reach = fright_reach_m;
  for (const SpeciesParams& species : flock.plan().species)
    reach = std::max({reach, species.flight_reach_m,
                      2 * species.look_ahead_s * species.max_speed_mps + species.clearance_m + species.length_m});
  Box3 box;
  for (const Vec3& place : flock.elements().position)
    if (place.allFinite()) box.extend(place);
  if (!box.isEmpty()) box.min().array() -= reach, box.max().array() += reach;
  return box;
}

void offer_marks(FlockSystem& flock, const System& other, double age, const std::vector<std::string_view>& names) {
  const Elements& rows = other.elements();
  for (const std::string& wanted : flock.wanted_marks()) {
    const std::string_view name = wanted;
    if (!name.starts_with(other.name()) || rows.size() == 0) continue;
    if (name.size() == other.name().size()) {
      flock.around().marks.push_back(whole(rows, age));
    } else {
      if (name[other.name().size()] != '.') continue;
      const auto row = row_named(name.substr(other.name().size() + 1), rows, names);
      if (!row) continue;
      flock.around().marks.push_back(
          {{}, rows.position[*row] + age * rows.velocity[*row], rows.velocity[*row], rows.radius[*row]});
    }
    flock.around().marks.back().body = wanted;
  }
}

}  // namespace vw
