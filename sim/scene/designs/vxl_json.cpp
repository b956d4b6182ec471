// Converts Voxelyze designs (.vxl.json) to a scene. The z axis points up, as in VoxCAD. docs/voxcad.md describes each
// member.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/scene/designs/vxa_parts.h"
#include "sim/scene/toml/text.h"
#include "sim/world/state/json.h"

namespace vw {
namespace {

constexpr double standard_gravity = 9.80665;  // Voxelyze's value of g

/// Reads members of JSON objects and keeps the first error. After an error, all reads return their fallback, so that
/// callers need not check every read.
class JsonReader {
 public:
  explicit JsonReader(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  void refuse(std::string key, const std::string& found, std::string expected) {
    if (error_) return;
    error_.emplace();
    error_->file = file_;
    error_->key = std::move(key);
    error_->found = one_line(found, 60);
    error_->expected = std::move(expected);
  }

  [[nodiscard]] const Json* member(const Json& object, const char* name) const {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found == object.end() ? nullptr : &*found;
  }

  /// Returns the list `name` in `object`, or null if there is none. A value of another type is an error.
  const Json* list(const Json& object, const char* name) {
    const Json* value = member(object, name);
    if (value != nullptr && !value->is_array()) refuse(name, short_text(*value), "must be a list");
    return error_ ? nullptr : value;
  }

  double number(const Json& object, const char* name, double fallback) {
    const Json* value = member(object, name);
    if (value == nullptr || error_) return fallback;
    return finite(*value, name, fallback);
  }

  double checked(const Json& object, const char* name, const ParamSpec& spec, double fallback) {
    const double x = number(object, name, fallback);
    if (error_ || member(object, name) == nullptr) return fallback;
    if (x < spec.bounds.min || x > spec.bounds.max)
      refuse(name, fmt::format("{}", x),
             fmt::format("must lie in [{:g}, {:g}] {}", spec.bounds.min, spec.bounds.max, unit_symbol(spec.unit)));
    return x;
  }

  bool flag(const Json& object, const char* name) {
    const Json* value = member(object, name);
    if (value == nullptr || error_) return false;
    if (!value->is_boolean()) refuse(name, short_text(*value), "must be true or false");
    return !error_ && value->get<bool>();
  }

  Vec3 vector(const Json& object, const char* name, const Vec3& fallback, Bounds bounds) {
    const Json* value = list(object, name);
    if (value == nullptr) return fallback;
    if (value->size() != 3)
      return refuse(name, fmt::format("{} numbers", value->size()), "must have three numbers"), fallback;
    Vec3 v;
    for (int i = 0; i < 3; ++i) {
      v[i] = finite((*value)[static_cast<std::size_t>(i)], name, 0);
      if (v[i] < bounds.min || v[i] > bounds.max)
        refuse(name, fmt::format("{}", v[i]), fmt::format("must lie in [{:g}, {:g}]", bounds.min, bounds.max));
    }
    return error_ ? fallback : v;
  }

  double finite(const Json& value, const char* name, double fallback) {
    if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
    refuse(name, short_text(value), "must be a finite number");
    return fallback;
  }

  std::int64_t whole(const Json& value, const char* name, std::int64_t min, std::int64_t max) {
    const bool good = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(max)
                                                 : value.is_number_integer() && value.get<std::int64_t>() >= min &&
                                                       value.get<std::int64_t>() <= max;
    if (good) return value.get<std::int64_t>();
    refuse(name, short_text(value), fmt::format("must be a whole number from {} to {}", min, max));
    return min;
  }

  static std::string short_text(const Json& value) {
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    return one_line(dump_json(value), 40);
  }

 private:
  std::string file_;
  std::optional<Error> error_;
};

NumberList number_list(JsonReader& json, const Json& object, const char* name, Bounds bounds) {
  NumberList out;
  const Json* values = json.list(object, name);
  if (values == nullptr) return out;
  for (const Json& value : *values) {
    const double x = json.finite(value, name, 0);
    if (x < bounds.min || x > bounds.max)
      json.refuse(name, fmt::format("{}", x), fmt::format("must lie in [{:g}, {:g}]", bounds.min, bounds.max));
    if (json.error()) return {};
    out.push_back(x);
  }
  return out;
}

/// Reads strainData and stressData under the conditions of Voxelyze's CVX_Material::setModel. The material fails at the
/// last pair.
void read_json_table(JsonReader& json, const Json& object, DesignMaterial& material) {
  NumberList strains = number_list(json, object, "strainData", material_spec("strain_data").bounds);
  NumberList stresses = number_list(json, object, "stressData", material_spec("stress_data").bounds);
  if (json.error()) return;
  if (strains.size() != stresses.size())
    return json.refuse("stressData", fmt::format("{} stresses", stresses.size()),
                       fmt::format("must have one stress for each strain in strainData, {} in all", strains.size()));
  if (!strains.empty() && strains[0] == 0 && stresses[0] == 0) {
    strains.erase(strains.begin());
    stresses.erase(stresses.begin());
  }
  if (strains.empty())
    return json.refuse("strainData", "no pair except (0, 0)",
                       "must have at least one pair with a strain and a stress above 0");
  for (std::size_t i = 0; i < strains.size(); ++i)
    if (const double before = i == 0 ? 0.0 : strains[i - 1]; !(strains[i] > before))
      return json.refuse("strainData", fmt::format("{} after {}", strains[i], before),
                         "strains must increase, and the first must be above 0");
  const double slope = stresses[0] / strains[0];
  const Bounds bounds = material_spec("youngs_modulus").bounds;
  if (!(slope >= bounds.min && slope <= bounds.max))
    return json.refuse("stressData", fmt::format("initial slope {:g} Pa", slope),
                       fmt::format("must lie in [{:g}, {:g}] Pa", bounds.min, bounds.max));
  material.model = StressModel::data;
  material.youngs_pa = slope;
  material.failure_strain = strains.back();
  material.strains = std::move(strains);
  material.stresses_pa = std::move(stresses);
}

DesignMaterial read_json_material(JsonReader& json, const Json& object, VoxelDesign& design) {
  DesignMaterial material;
  if (!object.is_object())
    return json.refuse("materials", JsonReader::short_text(object), "must contain one object for each material"),
           material;
  const Json* name = json.member(object, "name");
  material.name = name != nullptr && name->is_string() ? name->get<std::string>()
                                                       : fmt::format("material_{}", design.materials.size() + 1);
  int channel = 0;
  for (const char* color : {"red", "green", "blue"}) {
    const double level = json.number(object, color, -1);  // -1 means that the file gives no colour
    material.display_rgb[channel++] = level < 0 ? 0.5 : std::min(level / 255, 1.0);
  }
  if (json.member(object, "strainData") != nullptr)
    read_json_table(json, object, material);
  else
    material.youngs_pa = json.checked(object, "youngsModulus", material_spec("youngs_modulus"), 1);
  if (const double fail = json.number(object, "epsilonFail", -1); fail >= 0)  // a negative value means no failure
    material.failure_strain = json.checked(object, "epsilonFail", material_spec("failure_strain"), 0);
  material.density = json.checked(object, "density", material_spec("density"), 1);
  material.poissons_ratio = json.checked(object, "poissonsRatio", material_spec("poissons_ratio"), 0);
  material.cte = json.checked(object, "CTE", material_spec("cte"), 0);
  material.mu_static = json.checked(object, "staticFriction", material_spec("mu_static"), 0);
  material.mu_dynamic = json.checked(object, "kineticFriction", material_spec("mu_dynamic"), 0);
  material.bond_zeta = json.checked(object, "internalDamping", material_spec("bond_damping"), 1);
  material.slow_zeta = json.checked(object, "globalDamping", material_spec("global_damping"), 0);
  material.contact_zeta = std::clamp(json.number(object, "collisionDamping", 0), 0.0, 1.0);
  if (json.vector(object, "externalScaleFactor", Vec3::Ones(), {-1e9, 1e9}) != Vec3::Ones())
    add_unsupported(design, "voxels that are not cubes (externalScaleFactor)");
  return material;
}

struct Voxels {
  std::vector<std::array<std::int64_t, 3>> place;
  std::array<std::int64_t, 3> low{}, high{};
};

/// Reads the voxels from a flat list that contains four numbers for each voxel: x, y, z and material.
Voxels read_places(JsonReader& json, const Json& flat) {
  constexpr std::int64_t farthest = 1'000'000'000;
  Voxels voxels;
  voxels.low.fill(std::numeric_limits<std::int64_t>::max());
  voxels.high.fill(std::numeric_limits<std::int64_t>::min());
  for (std::size_t i = 0; i + 3 < flat.size() && !json.error(); i += 4) {
    std::array<std::int64_t, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at[axis] = json.whole(flat[i + axis], "voxels", -farthest, farthest);
      voxels.low[axis] = std::min(voxels.low[axis], at[axis]);
      voxels.high[axis] = std::max(voxels.high[axis], at[axis]);
    }
    voxels.place.push_back(at);
  }
  return voxels;
}

std::size_t cell_of(const VoxelDesign& design, const Voxels& voxels, std::size_t v) {
  const auto from_low = [&](std::size_t axis) {
    return static_cast<std::size_t>(voxels.place[v][axis] - voxels.low[axis]);
  };
  return from_low(0) + design.nx * (from_low(1) + design.ny * from_low(2));
}

Voxels read_voxels(JsonReader& json, const Json& root, VoxelDesign& design) {
  const Json* flat = json.list(root, "voxels");
  if (flat == nullptr || flat->empty() || flat->size() % 4 != 0) {
    json.refuse("voxels", flat == nullptr ? "none" : fmt::format("{} numbers", flat->size()),
                "must list four numbers for each voxel (x, y, z and material), and at least one voxel");
    return {};
  }
  Voxels voxels = read_places(json, *flat);
  if (json.error()) return {};
  std::array<double, 3> size{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    size[axis] = static_cast<double>(voxels.high[axis] - voxels.low[axis]) + 1;
  if (size[0] * size[1] * size[2] > static_cast<double>(max_lattice_cells)) {
    json.refuse("voxels", fmt::format("{:g} x {:g} x {:g} cells", size[0], size[1], size[2]),
                fmt::format("must span at most {} cells", max_lattice_cells));
    return {};
  }
  design.nx = static_cast<std::size_t>(size[0]);
  design.ny = static_cast<std::size_t>(size[1]);
  design.nz = static_cast<std::size_t>(size[2]);
  design.code.assign(design.cells(), 0);
  for (std::size_t v = 0; v < voxels.place.size() && !json.error(); ++v) {
    const std::int64_t material =
        json.whole((*flat)[4 * v + 3], "voxels", 0, static_cast<std::int64_t>(design.materials.size()) - 1);
    design.code[cell_of(design, voxels, v)] = static_cast<std::uint16_t>(material + 1);
  }
  return voxels;
}

/// Reads an object of the list "external": boundary conditions, and the list of voxels on which they act.
void read_external(JsonReader& json, const Json& object, const Voxels& voxels, VoxelDesign& design) {
  DesignRegion like;
  if (const Json* fixed = json.list(object, "fixed")) {
    if (fixed->size() != 6)
      return json.refuse("fixed", fmt::format("{} values", fixed->size()),
                         "must have six values, each of them true or false");
    for (std::size_t i = 0; i < 6; ++i) {
      if (!(*fixed)[i].is_boolean())
        return json.refuse("fixed", JsonReader::short_text((*fixed)[i]),
                           "must have six values, each of them true or false");
      if ((*fixed)[i].get<bool>()) like.held |= 1U << i;
    }
  }
  like.force = json.vector(object, "force", Vec3::Zero(), region_spec("force").bounds);
  like.torque = json.vector(object, "moment", Vec3::Zero(), region_spec("torque").bounds);
  like.displacement = json.vector(object, "translate", Vec3::Zero(), region_spec("displacement").bounds);
  like.rotation = json.vector(object, "rotate", Vec3::Zero(), region_spec("rotation").bounds);
  for (int i = 0; i < 3; ++i) {
    if ((like.held >> i & 1U) == 0) like.displacement[i] = 0;  // the source displaces only fixed degrees of freedom
    if ((like.held >> (i + 3) & 1U) == 0) like.rotation[i] = 0;
  }
  const Json* indices = json.list(object, "voxelIndices");
  if (indices == nullptr || json.error()) return;  // the object lists no voxels, or there is an error
  std::vector<std::uint8_t> marked(design.cells(), 0);
  for (const Json& index : *indices) {
    const std::int64_t v = json.whole(index, "voxelIndices", 0, static_cast<std::int64_t>(voxels.place.size()) - 1);
    if (json.error()) return;
    marked[cell_of(design, voxels, static_cast<std::size_t>(v))] = 1;
  }
  const double most = region_spec("force").bounds.max / static_cast<double>(max_lattice_cells);
  if (like.force.cwiseAbs().maxCoeff() > most || like.torque.cwiseAbs().maxCoeff() > most)
    return json.refuse(
        "force", "",
        fmt::format("must be at most {0:g} N per voxel, and the moment must be at most {0:g} N m per voxel", most));
  if (like.held == 0 && like.force.isZero(0) && like.torque.isZero(0)) return;
  if (!add_regions_of_cells(marked, like, design))
    add_unsupported(design, fmt::format("externals whose voxels form more than {} boxes", most_design_regions));
}

void read_externals(JsonReader& json, const Json& root, const Voxels& voxels, VoxelDesign& design) {
  const Json* externals = json.list(root, "externals");
  if (externals == nullptr) return;
  if (externals->size() > most_design_regions)
    return json.refuse("externals", fmt::format("{}", externals->size()),
                       fmt::format("must have at most {} externals", most_design_regions));
  for (const Json& external : *externals)
    if (!json.error()) read_external(json, external, voxels, design);
}

void read_design(JsonReader& json, const Json& root, VoxelDesign& design) {
  if (!root.is_object())
    return json.refuse("", JsonReader::short_text(root), "must be an object; the file is not a Voxelyze design");
  const ParamSpec& edge = spec_of(voxel_body_schema(), "voxel_size");
  if (json.member(root, "voxelSize") == nullptr)
    return json.refuse("voxelSize", "none", "is required; the file is not a Voxelyze design");
  design.edge_m = json.checked(root, "voxelSize", edge, 0.001);
  const Json* materials = json.list(root, "materials");
  if (materials == nullptr || materials->empty() || materials->size() > most_design_materials)
    return json.refuse("materials", materials == nullptr ? "none" : fmt::format("{}", materials->size()),
                       fmt::format("must have 1 to {} materials", most_design_materials));
  for (const Json& material : *materials)
    if (!json.error()) design.materials.push_back(read_json_material(json, material, design));
  if (json.error()) return;
  const Voxels voxels = read_voxels(json, root, design);
  if (!json.error()) read_externals(json, root, voxels, design);

  design.volume_effects = true;  // Voxelyze always applies Poisson's ratio
  design.self_collision = json.flag(root, "collisionsEnabled");
  design.floor_on = json.flag(root, "floorEnabled");
  design.gravity = -standard_gravity * json.number(root, "gravityAcceleration", 0);
  design.gravity_on = design.gravity != 0;
  if (std::abs(design.gravity) > 1e4)
    json.refuse("gravityAcceleration", fmt::format("{:g} g", -design.gravity / standard_gravity),
                "must have a magnitude of at most 1000 g");
  design.temperature_amplitude =
      json.checked(root, "relativeAmbientTemperature", spec_of(voxel_body_schema(), "temperature_amplitude"), 0);
  design.temperature_on = design.temperature_amplitude != 0;
}

/// Parses the file. Voxelyze omits the last brace of files without externals; in this case, the brace is added.
Result<Json> parse(const std::string& bytes) {
  // In memory, a member of an object takes about a hundred bytes, but a number in a list takes only sixteen. Members
  // therefore have a separate limit, so that memory stays bounded.
  constexpr std::ptrdiff_t most_members = 1'000'000;
  if (std::count(bytes.begin(), bytes.end(), ':') > most_members) return fail("contains more than 1000000 members");
  const JsonLimits limits{.depth = 8, .values = (std::size_t{1} << 23)};
  auto whole = parse_json(bytes, limits);
  if (whole) return whole;
  auto closed = parse_json(bytes + "}", limits);
  return closed ? closed : whole;
}

}  // namespace

Result<LoadedScene> read_vxl(const std::string& bytes, const std::string& file, const LoadOptions& options) {
  auto root = parse(bytes);
  if (!root) {
    Error error = root.error();
    error.file = file;
    return fail(std::move(error));
  }
  JsonReader json(file);
  VoxelDesign design;
  read_design(json, *root, design);
  if (json.error()) return fail(*json.error());
  return finish_design(std::move(design), file, options);
}

}  // namespace vw
