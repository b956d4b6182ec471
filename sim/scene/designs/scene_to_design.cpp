// Converts a voxel body of a scene back to a VoxelDesign: z up, the damping convention of the source, and only one set
// of damping ratios and one floor for all materials. This is the inverse of design_to_scene. If possible, reading an
// exported number gives the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sim/base/srgb.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/scene/designs/xml_reader.h"
#include "sim/system/voxel/lattice/regions.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

constexpr std::size_t most_written_materials = 255;  // a file stores the material of a voxel in one byte

/// Finds a number x near `initial_guess` for which f(x) == target holds exactly. Roundings of `initial_guess` to few
/// digits are tried first, then its floating-point neighbours. Returns `initial_guess` if no such number is found.
template <class F>
double exact_inverse(double target, double initial_guess, F f) {
  for (const char* digits : {"{:.3g}", "{:.6g}", "{:.9g}", "{:.12g}", "{:.15g}"})
    if (const auto x = read_number(fmt::format(fmt::runtime(digits), initial_guess)); x && f(*x) == target) return *x;
  double below = initial_guess, above = initial_guess;
  for (int i = 0; i < 8; ++i) {
    if (f(below) == target) return below;
    if (f(above) == target) return above;
    below = std::nextafter(below, -HUGE_VAL);
    above = std::nextafter(above, HUGE_VAL);
  }
  return initial_guess;
}

/// Rotates a vector from axes with y up to axes with z up: (x, y, z) becomes (x, -z, y).
Vec3 turned_back(const Vec3& v) { return {v.x(), 0 - v.z(), v.y()}; }

template <class T>
const T& value_of(const Node& node, const char* param) {
  return std::get<T>(node.value(param));
}

/// Builds the design and lists all features that a file cannot represent.
class Exporter {
 public:
  Exporter(const Node& scene, const Node& body, VoxelLattice lattice)
      : scene_(scene), body_(body), params_(voxel_body_params().read(body.values)), lattice_(std::move(lattice)) {}

  Result<VoxelDesign> run() {
    if (!take_materials())
      return fail(fmt::format(
          "system.{}: uses more than {} materials, which is the largest number that a design file can contain",
          body_.name, most_written_materials));
    take_cells();
    take_damping();
    take_temperature();
    auto regions = read_regions(body_);
    if (!regions) return Unexpected(regions.error());
    for (const VoxelRegion& region : *regions) take_region(region);
    take_world();
    report_remaining();
    return std::move(design_);
  }

 private:
  void report_unsupported(std::string phrase) { add_unsupported(design_, std::move(phrase)); }

  /// Adds the complete palette or, if it is too large, only the materials in use. Returns false if more than
  /// most_written_materials are in use.
  bool take_materials() {
    std::vector<std::size_t> used(lattice_.materials.size(), 0);
    for (const std::uint16_t m : lattice_.material) ++used[m];
    const bool all = lattice_.materials.size() <= most_written_materials;
    code_of_.assign(used.size(), 0);
    for (std::size_t m = 0; m < used.size(); ++m) {
      if (!all && used[m] == 0) continue;
      if (design_.materials.size() == most_written_materials) return false;
      design_.materials.push_back(material_of(lattice_.material_name[m], lattice_.materials[m]));
      code_of_[m] = static_cast<std::uint16_t>(design_.materials.size());
    }
    return true;
  }

  DesignMaterial material_of(const std::string& name, const VoxelMaterial& from) {
    DesignMaterial to;
    to.name = name;
    for (int c = 0; c < 3; ++c)
      to.display_rgb[c] =
          std::clamp(exact_inverse(from.color[c], srgb_of_linear(from.color[c]), linear_of_srgb), 0.0, 1.0);
    to.youngs_pa = from.youngs_modulus;
    to.density = from.density;
    to.poissons_ratio = from.poissons_ratio;
    design_.volume_effects = design_.volume_effects || from.poissons_ratio != 0;
    to.cte = from.cte;
    to.mu_static = from.mu_static;
    to.mu_dynamic = from.mu_dynamic;
    to.model = from.model;
    to.failure_pa = from.failure_stress;
    to.failure_strain = from.failure_strain;
    if (from.model == StressModel::bilinear) {
      to.yield_pa = from.yield_stress;
      to.plastic_pa = from.plastic_modulus;
    }
    if (from.model == StressModel::data) {
      to.strains = from.strain_data;
      to.stresses_pa = from.stress_data;
      to.youngs_pa = to.stresses_pa.front() / to.strains.front();
      if (to.failure_pa != 0 || to.failure_strain != to.strains.back())
        report_unsupported(
            "failure limit of a material with model = \"data\" (replaced by the last strain of strain_data)");
    } else if (to.failure_pa != 0 && to.failure_strain != 0) {
      report_unsupported("failure strain of a material that also has a failure stress");
    }
    return to;
  }

  void take_cells() {
    design_.edge_m = lattice_.edge_m;
    design_.nx = static_cast<std::size_t>(lattice_.nx);
    design_.ny = static_cast<std::size_t>(lattice_.nz);
    design_.nz = static_cast<std::size_t>(lattice_.ny);
    design_.code.assign(design_.cells(), 0);
    const auto any = [](const NumberList& list, double idle) {
      return std::any_of(list.begin(), list.end(), [&](double x) { return x != idle; });
    };
    if (any(lattice_.phase, 0)) design_.phase_cycles.assign(design_.cells(), 0.0);
    if (any(lattice_.youngs_override, 0)) design_.stiffness_pa.assign(design_.cells(), 0.0);
    if (any(lattice_.amplitude_scale, 1))
      report_unsupported("temperature amplitude of single cells (temperature_amplitude_scale)");
    for (std::size_t v = 0; v < lattice_.cell.size(); ++v) {
      const auto [x, y, z] = lattice_.cell[v];
      const std::size_t cell =
          static_cast<std::size_t>(x) +
          design_.nx * (design_.ny - 1 - static_cast<std::size_t>(z) + design_.ny * static_cast<std::size_t>(y));
      design_.code[cell] = code_of_[lattice_.material[v]];
      if (!design_.phase_cycles.empty()) design_.phase_cycles[cell] = lattice_.phase_of(v);
      if (design_.stiffness_pa.empty()) continue;
      const double own = lattice_.youngs_override_of(v);
      design_.stiffness_pa[cell] = own != 0 ? own : lattice_.materials[lattice_.material[v]].youngs_modulus;
    }
  }

  /// Returns the damping ratio to write. A file has only one ratio for all materials. If the ratios of the voxels
  /// differ, their mean is written, and `phrase` is reported as unsupported.
  double mean_of(double VoxelMaterial::*ratio, const char* phrase) {
    const double first = lattice_.materials[lattice_.material.front()].*ratio;
    double sum = 0;
    bool same = true;
    for (const std::uint16_t m : lattice_.material) {
      sum += lattice_.materials[m].*ratio;
      same = same && lattice_.materials[m].*ratio == first;
    }
    if (same) return first;
    report_unsupported(phrase);
    return sum / static_cast<double>(lattice_.material.size());
  }

  void take_damping() {
    const double bond = mean_of(&VoxelMaterial::bond_damping, "bond damping per material (replaced by the mean)");
    // Reading divides the ratio in a file by sqrt 2 (see design_to_scene).
    design_.bond_zeta = exact_inverse(bond, bond * std::sqrt(2.0), [](double z) { return z / std::sqrt(2.0); });
    design_.contact_zeta =
        mean_of(&VoxelMaterial::contact_damping, "contact damping per material (replaced by the mean)");
    design_.slow_zeta = mean_of(&VoxelMaterial::global_damping, "global damping per material (replaced by the mean)");
    if (design_.bond_zeta > most_zeta) {
      design_.bond_zeta = most_zeta;
      report_unsupported("bond damping above the limit of the format (replaced by the limit)");
    }
  }

  void take_temperature() {
    design_.temperature_on = params_.wave != TemperatureWave::none;
    design_.temperature_varies = params_.wave == TemperatureWave::sine || params_.wave == TemperatureWave::square;
    if (params_.wave == TemperatureWave::square)
      report_unsupported("square temperature wave (replaced by a sine wave)");
    design_.temperature_amplitude = params_.temperature_amplitude;
    design_.temperature_period_s = params_.temperature_period_s;
  }

  static unsigned held_bits(const VoxelRegion& region) {
    constexpr auto theirs = std::to_array<std::pair<const char*, unsigned>>(
        {{"x", 1}, {"y", 4}, {"z", 2}, {"rx", 8}, {"ry", 32}, {"rz", 16}});
    if (!region.fixed) return 0;
    if (region.freedoms.empty()) return held_everything;
    unsigned bits = 0;
    for (const auto& [name, bit] : theirs)
      if (std::find(region.freedoms.begin(), region.freedoms.end(), name) != region.freedoms.end()) bits |= bit;
    return bits;
  }

  void take_region(const VoxelRegion& from) {
    DesignRegion to;
    to.held = held_bits(from);
    to.force = turned_back(from.force);
    to.torque = turned_back(from.torque);
    to.displacement = turned_back(from.displacement);
    to.rotation = turned_back(from.rotation);
    for (int i = 0; i < 3; ++i) {
      if ((to.held >> i & 1U) == 0) to.displacement[i] = 0;
      if ((to.held >> (i + 3) & 1U) == 0) to.rotation[i] = 0;
    }
    if (to.held == 0 && to.force.isZero(0) && to.torque.isZero(0)) return;
    const bool moved = !to.displacement.isZero(0) || !to.rotation.isZero(0);
    if (moved && from.ramp_s != ramp_seconds(design_))
      report_unsupported("ramp time of displacements (a .vxa file applies displacements at once)");
    to.shape = from.shape;
    // A position z in the scene is 1 - y in the file. This function chooses y so that 1 - y has the same bits as z.
    const auto from_other_end = [](double ours) {
      return exact_inverse(ours, 1 - ours, [](double y) { return 1 - y; });
    };
    to.min = {from.min.x(), from_other_end(from.max.z()), from.min.y()};
    to.max = {from.max.x(), from_other_end(from.min.z()), from.max.y()};
    to.center = {from.center.x(), from_other_end(from.center.z()), from.center.y()};
    to.axis = turned_back(from.axis);
    to.radius = from.radius;
    if (design_.regions.size() == most_design_regions)
      return report_unsupported(fmt::format("regions after the first {}", most_design_regions));
    design_.regions.push_back(to);
  }

  static bool is_level_floor(const Node& collider) {
    return collider.schema->kind == "plane" && value_of<Vec3>(collider, "position").y() == 0 &&
           value_of<Vec3>(collider, "rotation").isZero(0) && value_of<Vec3>(collider, "velocity").isZero(0) &&
           value_of<Vec3>(collider, "angular_velocity").isZero(0) && collider.all("key").empty() &&
           value_of<std::string>(collider, "carried_by").empty();
  }

  /// Changes the friction of each material to the friction between its voxels and this floor, because the floor in a
  /// file has no friction of its own. This is the inverse of floor_friction().
  void take_friction(const Node& floor) {
    const std::string& law = value_of<std::string>(floor, "friction");
    if (law != "dry" && law != "frictionless")
      report_unsupported(fmt::format("friction law of collider {} (replaced by dry friction)", floor.name));
    const double share = law == "frictionless" ? 0 : 1;
    const double floor_static = share * value_of<double>(floor, "mu_static"),
                 floor_dynamic = share * value_of<double>(floor, "mu_dynamic");
    if (value_of<bool>(floor, "decides") || law == "frictionless") {  // the friction of the material has no effect
      for (DesignMaterial& material : design_.materials) {
        material.mu_static = floor_static;
        material.mu_dynamic = floor_dynamic;
      }
      return;
    }
    const FloorFriction plain = floor_friction(design_);
    if (!plain.squares && floor_static == plain.mu_static && floor_dynamic == plain.mu_dynamic) return;
    const auto square = [](double mu) { return std::min(mu, most_floor_friction) * std::min(mu, most_floor_friction); };
    const auto met = [&](double own, double floors) {
      return floors == 1 ? exact_inverse(own, std::sqrt(own), square) : std::sqrt(own * floors);
    };
    for (DesignMaterial& material : design_.materials) {
      material.mu_static = met(material.mu_static, floor_static);
      material.mu_dynamic = met(material.mu_dynamic, floor_dynamic);
    }
  }

  /// Exports the medium. A file describes it by one number, c = rho C_d / 2, where rho is the density and C_d is the
  /// drag coefficient. This number determines the pressure on front faces.
  void take_medium(double density) {
    if (density == 0 || !params_.wind) return;
    const double drag = 0.5 * density * params_.wind_drag;
    if (drag > most_fluid_drag) report_unsupported("drag of the medium above the limit of the format");
    // A file with a fluid has no floor, so a medium without drag is not written as a fluid.
    if (drag > 0) design_.fluid_drag = std::min(drag, most_fluid_drag);
    if (params_.wind_friction != 0) report_unsupported("friction of the medium along faces (wind_friction)");
    if (params_.wind_suction != 0) report_unsupported("suction of the medium behind the body (wind_suction)");
    if (params_.wind_lift != 0) report_unsupported("pressure of the medium on thin plates (wind_lift)");
    if (params_.wind_shielding != 0) report_unsupported("shelter of faces from the medium (wind_shielding)");
  }

  void take_world() {
    design_.self_collision = params_.self_contact;
    const Node* world = scene_.only("world");
    const Vec3 gravity = world == nullptr ? Vec3(0, 0, 0) : value_of<Vec3>(*world, "gravity");
    design_.gravity = gravity.y();
    design_.gravity_on = gravity.y() != 0;
    if (gravity.x() != 0 || gravity.z() != 0) report_unsupported("gravity that is not vertical");
    if (world != nullptr) take_medium(value_of<double>(*world, "medium_density"));
    design_.floor_on = false;
    for (const Node* collider : scene_.all("collider")) {
      if (design_.floor_on || design_.fluid_drag || !is_level_floor(*collider)) {
        report_unsupported("collider " + collider->name);
        continue;
      }
      design_.floor_on = true;
      take_friction(*collider);
    }
    read_stop_note(value_of<std::string>(scene_, "description"), design_);
  }

  void report_remaining() {
    const Vec3 place(0, 0, -static_cast<double>(lattice_.nz) * lattice_.edge_m);
    if ((params_.position - place).norm() > 1e-9 * lattice_.edge_m || !params_.rotation.isZero(0))
      report_unsupported("position and rotation of the body (replaced by a start at the origin without rotation)");
    if (!params_.velocity.isZero(0) || !params_.angular_velocity.isZero(0))
      report_unsupported("initial velocity of the body");
    for (const Node* muscle : body_.all("muscle")) report_unsupported("muscle " + muscle->name);
    for (const Node* actuator : scene_.all("actuator")) report_unsupported("actuator " + actuator->name);
    for (const Node* field : scene_.all("field")) report_unsupported("field " + field->name);
    for (const Node* system : scene_.all("system"))
      if (system != &body_) report_unsupported("system " + system->name);
  }

  // Upper limits of BondDampingZ and AggregateDragCoefficient when a file is read.
  static constexpr double most_zeta = 10, most_fluid_drag = 1e4;

  const Node& scene_;
  const Node& body_;
  VoxelBodyParams params_;
  VoxelLattice lattice_;
  std::vector<std::uint16_t> code_of_;
  VoxelDesign design_;
};

}  // namespace

Result<VoxelDesign> scene_to_design(const Node& scene, const Node& body) {
  auto lattice = make_lattice(body, scene);
  if (!lattice) return Unexpected(lattice.error());
  return Exporter(scene, body, std::move(*lattice)).run();
}

}  // namespace vw
