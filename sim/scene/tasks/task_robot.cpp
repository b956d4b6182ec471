// Puts a robot into the scene of a task and checks it against the limits of the task.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "sim/base/data/layer_text.h"
#include "sim/scene/scene.h"
#include "sim/scene/tasks/robot_task.h"
#include "sim/scene/toml/text.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

Unexpected unfit_robot(const std::string& robot, std::string key, std::string found, std::string expected) {
  Error error;
  error.file = robot;
  error.key = std::move(key);
  error.found = std::move(found);
  error.expected = std::move(expected);
  return fail(std::move(error));
}

/// Returns the only voxel body of a scene.
Result<const Node*> body_of(const Node& scene, const std::string& robot) {
  const Node* body = nullptr;
  std::size_t count = 0;
  for (const Node* system : scene.all("system"))
    if (system->schema == &voxel_body_schema()) body = system, ++count;
  if (count != 1)
    return unfit_robot(robot, "system", fmt::format("{} voxel bodies", count), "must contain exactly one voxel body");
  return body;
}

/// Occupied part of the lattice: the lowest cell and the number of cells along each axis.
struct OccupiedCells {
  std::array<int, 3> low{0, 0, 0}, size{0, 0, 0};
};

OccupiedCells occupied(const VoxelLattice& lattice) {
  OccupiedCells box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    int low = lattice.cell.front()[axis], high = low;
    for (const auto& cell : lattice.cell) low = std::min(low, cell[axis]), high = std::max(high, cell[axis]);
    box.low[axis] = low;
    box.size[axis] = high - low + 1;
  }
  return box;
}

/// Returns the number of groups of voxels that are connected by faces.
std::size_t piece_count(const VoxelLattice& lattice) {
  std::map<std::array<int, 3>, bool> seen;
  for (const auto& cell : lattice.cell) seen[cell] = false;
  std::size_t pieces = 0;
  std::vector<std::array<int, 3>> open;
  for (const auto& start : lattice.cell) {
    if (seen[start]) continue;
    ++pieces;
    seen[start] = true;
    open.push_back(start);
    while (!open.empty()) {
      const std::array<int, 3> at = open.back();
      open.pop_back();
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const int way : {-1, 1}) {
          std::array<int, 3> next = at;
          next[axis] += way;
          const auto found = seen.find(next);
          if (found == seen.end() || found->second) continue;
          found->second = true;
          open.push_back(next);
        }
    }
  }
  return pieces;
}

/// Checks all limits for a robot. Keeps the first error.
class RobotCheck {
 public:
  RobotCheck(const RobotTask& task, const std::string& robot, const Node& body, const VoxelLattice& lattice)
      : limits_(task.limits), task_(task), robot_(robot), body_(body), lattice_(lattice) {}

  Result<void> run() {
    features();
    shape();
    for (const std::uint16_t used : std::set<std::uint16_t>(lattice_.material.begin(), lattice_.material.end()))
      material(used);
    voxels();
    if (error_) return fail(*error_);
    return {};
  }

 private:
  void refuse(std::string key, std::string found, std::string expected) {
    if (!error_) error_ = unfit_robot(robot_, std::move(key), std::move(found), std::move(expected)).value();
  }
  /// Checks that a value lies in a range. `unit` is empty or begins with a blank.
  void within(const std::string& key, double value, double least, double most, const char* unit = "") {
    if (!(value >= least && value <= most))
      refuse(key, fmt::format("{:g}{}", value, unit),
             fmt::format("must lie in [{:g}, {:g}]{} in {}", least, most, unit, task_.id()));
  }

  void features() {
    for (const char* slot : {"region", "muscle"})
      if (!body_.all(slot).empty())
        refuse("system." + body_.name + "." + slot, fmt::format("{} tables", body_.all(slot).size()),
               "must not exist, because robots of a task move only by their temperature wave");
    if (std::get<double>(body_.value("temperature_period")) < limits_.least_period_s && waves())
      refuse("temperature_period", fmt::format("{:g} s", std::get<double>(body_.value("temperature_period"))),
             fmt::format("must be at least {:g} s in {}", limits_.least_period_s, task_.id()));
  }
  [[nodiscard]] bool waves() const { return voxel_body_params().read(body_.values).wave != TemperatureWave::none; }

  void shape() {
    const OccupiedCells box = occupied(lattice_);
    for (std::size_t axis = 0; axis < 3; ++axis)
      within(fmt::format("cells along {}", "xyz"[axis]), box.size[axis], 1, limits_.cells[static_cast<int>(axis)]);
    within("voxels", static_cast<double>(lattice_.cell.size()), static_cast<double>(limits_.least_voxels),
           static_cast<double>(limits_.most_voxels));
    const double height = box.size[1] * task_.voxel_size_m;
    if (height < limits_.least_height_m - 1e-9)
      refuse("height", fmt::format("{:g} m", height),
             fmt::format("must be at least {:g} m in {}", limits_.least_height_m, task_.id()));
    if (error_) return;  // the following checks need a bounded number of cells
    if (const std::size_t pieces = piece_count(lattice_); pieces != 1)
      refuse("voxels", fmt::format("{} pieces", pieces), "must be one piece, joined by faces");
  }

  void material(std::size_t index) {
    const VoxelMaterial& m = lattice_.materials[index];
    const std::string key = "material." + lattice_.material_name[index] + ".";
    within(key + "density", m.density, limits_.least_density, limits_.most_density, " kg/m^3");
    within(key + "youngs_modulus", m.youngs_modulus, limits_.least_modulus_pa, limits_.most_modulus_pa, " Pa");
    if (m.model != StressModel::linear) refuse(key + "model", "another model", "must be \"linear\"");
    constexpr const char* unbreakable = "must be 0, because the materials of a task must not break";
    if (m.failure_stress > 0) refuse(key + "failure_stress", fmt::format("{:g} Pa", m.failure_stress), unbreakable);
    if (m.failure_strain > 0) refuse(key + "failure_strain", fmt::format("{:g}", m.failure_strain), unbreakable);
  }

  void voxels() {
    if (error_) return;
    const VoxelBodyParams params = voxel_body_params().read(body_.values);
    std::set<std::uint16_t> used;
    for (std::size_t i = 0; i < lattice_.cell.size() && !error_; ++i) {
      used.insert(lattice_.material[i]);
      const VoxelMaterial& m = lattice_.materials[lattice_.material[i]];
      const double modulus = lattice_.youngs_override_of(i);
      if (modulus != 0)
        within("youngs_modulus_per_cell", modulus, limits_.least_modulus_pa, limits_.most_modulus_pa, " Pa");
      const double strain = std::abs(m.cte * params.temperature_amplitude * lattice_.amplitude_scale_of(i));
      // The limit has a tolerance, because numbers from a file have rounding errors.
      if (waves() && !(strain <= limits_.most_strain * (1 + 1e-9)))
        refuse("strain of a voxel", fmt::format("{:g}", strain),
               fmt::format("must be at most {:g} in {}", limits_.most_strain, task_.id()));
    }
    within("materials", static_cast<double>(used.size()), 1, static_cast<double>(limits_.most_materials));
  }

  const RobotLimits& limits_;
  const RobotTask& task_;
  const std::string& robot_;
  const Node& body_;
  const VoxelLattice& lattice_;
  std::optional<Error> error_;
};

/// Adds the robot's materials to the scene, with the contact and damping parameters of the task's material `like`.
/// Returns their names.
TextList take_materials(const VoxelLattice& lattice, const Node& like, Node& scene) {
  TextList names;
  for (std::size_t i = 0; i < lattice.materials.size(); ++i) {
    const std::string name = fmt::format("robot-{}", i + 1);
    Node& to = add_child(scene, "material", voxel_material_schema().kind, name);
    to.values = like.values;
    const VoxelMaterial& from = lattice.materials[i];
    to.set("youngs_modulus", from.youngs_modulus);
    to.set("density", from.density);
    to.set("poissons_ratio", from.poissons_ratio);
    to.set("cte", from.cte);
    to.set("color", from.color);
    names.push_back(name);
  }
  return names;
}

/// Returns the values for each cell of the occupied part of the lattice. Returns an empty list if the robot has no such
/// values.
NumberList per_cell(const VoxelLattice& lattice, const OccupiedCells& box, const std::vector<double>& of_voxel) {
  if (of_voxel.empty()) return {};
  const auto nx = static_cast<std::size_t>(box.size[0]), nz = static_cast<std::size_t>(box.size[2]);
  NumberList values(nx * nz * static_cast<std::size_t>(box.size[1]), 0);
  for (std::size_t i = 0; i < of_voxel.size(); ++i) {
    const auto at = [&](std::size_t axis) { return static_cast<std::size_t>(lattice.cell[i][axis] - box.low[axis]); };
    values[at(0) + nx * (at(2) + nz * at(1))] = of_voxel[i];
  }
  return values;
}

/// Copies the robot into the body of the task's scene.
void take_body(const RobotTask& task, const Node& from, const VoxelLattice& lattice, const TextList& palette,
               Node& body) {
  const OccupiedCells box = occupied(lattice);
  const LatticeSize size{static_cast<std::size_t>(box.size[0]), static_cast<std::size_t>(box.size[1]),
                         static_cast<std::size_t>(box.size[2])};
  std::vector<double> codes;
  for (const std::uint16_t material : lattice.material) codes.push_back(material + 1.0);
  const NumberList of_cells = per_cell(lattice, box, codes);
  body.set("source", std::string());
  body.set("shape", std::string("layers"));
  body.set("size", Vec3(box.size[0], box.size[1], box.size[2]));
  body.set("voxel_size", task.voxel_size_m);
  body.set("palette", palette);
  body.set("layers", encode_layers(std::vector<std::uint16_t>(of_cells.begin(), of_cells.end()), size));
  body.set("phase", per_cell(lattice, box, lattice.phase));
  body.set("temperature_amplitude_scale", per_cell(lattice, box, lattice.amplitude_scale));
  body.set("youngs_modulus_per_cell", per_cell(lattice, box, lattice.youngs_override));
  for (const char* param : {"temperature_wave", "temperature_amplitude", "temperature_period", "self_contact"})
    body.set(param, from.value(param));
  const Vec3 half = 0.5 * task.voxel_size_m * Vec3(box.size[0], box.size[1], box.size[2]);
  Vec3 corner = task.place - half;
  if (task.anchor == RobotAnchor::bottom) corner.y() = task.place.y();
  body.set("position", corner);
}

}  // namespace

Result<Node> scene_with_robot(const RobotTask& task, const std::string& robot) {
  const auto path = find_scene(robot);
  if (!path) return Unexpected(path.error());
  const auto loaded = load_scene(*path);
  if (!loaded) return Unexpected(loaded.error());
  const auto from = body_of(loaded->root, robot);
  if (!from) return Unexpected(from.error());
  const auto lattice = make_lattice(**from, loaded->root);
  if (!lattice) {
    Error error = lattice.error();
    error.file = robot;
    return fail(std::move(error));
  }
  if (auto good = RobotCheck(task, robot, **from, *lattice).run(); !good) return Unexpected(good.error());
  auto scene = load_scene(task.scene);
  if (!scene) return Unexpected(scene.error());
  Node& root = scene->root;
  const Node* body = root.find("system", task.system);
  const auto materials = root.all("material");
  if (body == nullptr || body->schema != &voxel_body_schema() || materials.empty())
    return wrong_file(task.scene, fmt::format("must have a material and the voxel body \"{}\"", one_line(task.system)));
  const Node like = *materials.front();
  const TextList palette = take_materials(*lattice, like, root);
  for (Node& child : root.children)
    if (child.schema == &voxel_body_schema() && child.name == task.system)
      take_body(task, **from, *lattice, palette, child);
  root.set("title", fmt::format("{}: {}", task.title, one_line(robot, 60)));
  return std::move(root);
}

}  // namespace vw
