#include "sim/world/health/run_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/system/flock/flock.h"
#include "sim/system/fluid/fluid.h"
#include "sim/system/voxel/lattice/region_shape.h"
#include "sim/system/voxel/voxel_body.h"
#include "sim/world/parts.h"

namespace vw {
namespace {

/// A total that causes a warning when it becomes positive.
struct Case {
  std::string_view total;
  std::string_view noun;      ///< what the total counts
  std::string_view sentence;  ///< rest of the sentence that begins with "NAME: COUNT NOUNs "
};
constexpr std::array<Case, 8> cases{
    {{"fast", "particle",
      "passed an obstacle by more than half its width in one step, so collisions may have been missed. Set detection = "
      "\"swept\" or shorten "
      "collision_dt"},
     {"stiff", "particle",
      "entered a repulsion that is too stiff for the step and may be ejected. Raise subdivisions, lower repulsion_gain "
      "or shorten collision_dt"},
     {"capped", "particle",
      "stopped for one step, because surrounding obstacles left no free direction. Widen the gaps between obstacles"},
     {"left_domain", "particle",
      "left the domain, which removes particles. Raise domain_size or close the tank to keep them"},
     {"not_placed", "particle",
      "left out of the fills, because an obstacle, a body or another fill occupies the space. This is usual if bodies "
      "start in liquid"},
     {"refused", "member",
      "could not be added, because obstacles or other members were too near or the capacity was reached. Enlarge the "
      "swarm or raise capacity"},
     {"slowed", "particle",
      "moved at a limited speed, because the full pressure would eject fluid. This is usual where liquid is squeezed"},
     {"separated_joints", "joint",
      "separated by more than 5 % of the rod length or of the lever arms. Use mass ratios below 10,000, lower speeds "
      "or a shorter longest_dt"}}};

}  // namespace

std::vector<std::string> RunWarnings::note(const std::string& system, std::span<const Total> totals) {
  std::vector<std::string> out;
  for (const Total& total : totals)
    for (const Case& one : cases) {
      if (total.name != one.total || !(total.value > 0) || !reported_.emplace(system, std::string(total.name)).second)
        continue;
      const std::string_view were = total.name != "not_placed" ? "" : total.value == 1 ? "was " : "were ";
      out.push_back(fmt::format("{}: {} {}{} {}{}", system, total.value, one.noun, total.value == 1 ? "" : "s", were,
                                one.sentence));
    }
  return out;
}

namespace {

/// Whether an enabled rule joins the flock with the system of that name. The result is also true if `name` is not the
/// name of a system, because a goal at a collider needs no rule.
bool has_rule_with(const WorldParts& parts, std::size_t flock, std::string_view name) {
  bool is_system = false;
  for (const auto& system : parts.systems) is_system = is_system || system->name() == name;
  const auto tells = [&](const Rule& rule) {
    const bool joins = rule.pair.a == flock || rule.pair.b == flock;
    return joins && rule.interaction->enabled() &&
           parts.systems[rule.pair.a == flock ? rule.pair.b : rule.pair.a]->name() == name;
  };
  return !is_system || std::any_of(parts.rules.begin(), parts.rules.end(), tells);
}

std::string point_text(const Vec3& point) {
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", point.x(), point.y(), point.z());
}

/// Describes the shape of a region. Lengths are fractions of the lattice's extent, as in the region's parameters.
std::string shape_text(const VoxelRegion& region) {
  const std::string center = point_text(region.center);
  if (region.shape == RegionShape::box)
    return fmt::format("the box from {} to {}", point_text(region.min), point_text(region.max));
  if (region.shape == RegionShape::sphere)
    return fmt::format("the sphere of radius {:g} about {}", region.radius, center);
  return fmt::format("the cylinder of radius {:g} from {} to {}", region.radius, center,
                     point_text(region.center + region.axis));
}

/// Adds a warning for each region that is fixed or loaded but contains no voxel. A region without any effect gives no
/// warning, because an edit may give it one later.
void note_empty_regions(const VoxelBody& body, const Node& node, std::vector<std::string>& out) {
  const VoxelLattice& lattice = body.lattice();
  const Vec3 extent(lattice.nx, lattice.ny, lattice.nz);
  const auto regions = read_regions(node);
  if (!regions) return;
  for (std::size_t i = 0; i < regions->size(); ++i) {
    const VoxelRegion& region = (*regions)[i];
    const bool acts = region.fixed || !region.force.isZero(0) || !region.torque.isZero(0);
    if (!acts || !voxels_in(lattice, region).empty()) continue;
    Vec3 low = extent, high = Vec3::Zero();
    for (const auto& [x, y, z] : lattice.cell) {
      low = low.cwiseMin(Vec3(x, y, z));
      high = high.cwiseMax(Vec3(x + 1, y + 1, z + 1));
    }
    out.push_back(fmt::format(
        "{}: region {} touches no voxel: {} {} of the voxels from {} to {}, in fractions of the lattice's extent",
        body.name(), node.all("region")[i]->name, shape_text(region),
        region.shape == RegionShape::box ? "overlaps none" : "contains the centre of none",
        point_text(low.cwiseQuotient(extent)), point_text(high.cwiseQuotient(extent))));
  }
}

}  // namespace

std::vector<std::string> notes_on_systems(const WorldParts& parts, const Node& scene) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    if (const auto* fluid = dynamic_cast<const FluidSystem*>(parts.systems[i].get()))
      for (const std::string& note : fluid->notes()) out.push_back(note);
    if (const auto* body = dynamic_cast<const VoxelBody*>(parts.systems[i].get())) {
      for (const std::string& note : body->notes()) out.push_back(note);
      if (const Node* node = scene.find("system", body->name()); node != nullptr) note_empty_regions(*body, *node, out);
    }
    const auto* flock = dynamic_cast<const FlockSystem*>(parts.systems[i].get());
    if (flock == nullptr) continue;
    for (const Goal& goal : flock->plan().goals) {
      const std::string followed = goal.params.body.substr(0, goal.params.body.find('.'));
      if (goal.kind == GoalKind::body && !has_rule_with(parts, i, followed))
        out.push_back(
            fmt::format("{}: no member follows the goal {}, because no enabled rule couples {} with {}. Add an "
                        "interaction between the two",
                        flock->name(), goal.name, flock->name(), followed));
    }
    const auto wets = [&](const Rule& rule) {
      return rule.kind == "flock_fluid" && rule.pair.a == i && rule.interaction->enabled();
    };
    if (std::any_of(parts.rules.begin(), parts.rules.end(), wets)) continue;
    for (std::size_t s = 0; s < flock->plan().species.size(); ++s)
      if (flock->plan().species[s].medium == SpeciesMedium::water)
        out.push_back(
            fmt::format("{}: species {} has medium = \"water\", but no enabled rule couples {} with a fluid, so its "
                        "members fall. Add a fluid, or set "
                        "medium = \"none\" or \"air\"",
                        flock->name(), flock->plan().species_names[s], flock->name()));
  }
  return out;
}

}  // namespace vw
