#include "bench/cases/voxel/voxel_scene.h"

#include "sim/world/registry.h"
#include "sim/world/world.h"

namespace vw::bench {
namespace {

/// Returns one text per layer, with n rows of n material codes.
TextList layers_of(CubeShape shape, int n) {
  TextList layers;
  for (int y = 0; y < n; ++y) {
    std::string text;
    for (int z = 0; z < n; ++z) {
      if (z > 0) text += '/';
      for (int x = 0; x < n; ++x) text += is_filled(shape, n, x, y, z) ? '1' : '0';
    }
    layers.push_back(std::move(text));
  }
  return layers;
}

std::vector<SetParameter> settings_of(const CubeScene& cube) {
  const Vec3 spin = cube.spin * Vec3(0.5, 1, 0.25).normalized();
  std::vector<SetParameter> settings{{"world.dt", cube.dt_s},
                                     {"material.rubber.youngs_modulus", cube.youngs_pa},
                                     {"material.rubber.density", 1000.0},
                                     {"material.rubber.poissons_ratio", cube.poisson},
                                     {"material.rubber.bond_damping", 0.1},
                                     {"system.cube.voxel_size", cube_edge_m},
                                     {"system.cube.size", Vec3(Vec3::Constant(cube.n))},
                                     {"system.cube.material", std::string("rubber")},
                                     {"system.cube.position", Vec3(0, cube.height_m, 0)},
                                     {"system.cube.angular_velocity", spin},
                                     {"system.cube.velocity", Vec3(0, cube.speed_mps, 0)},
                                     {"system.cube.wind", false},
                                     {"system.cube.self_contact", cube.self_contact}};
  if (cube.implicit) settings.push_back({"system.cube.integrator", std::string("implicit")});
  if (cube.shape != CubeShape::dense) {
    settings.push_back({"system.cube.shape", std::string("layers")});
    settings.push_back({"system.cube.palette", TextList{"rubber"}});
    settings.push_back({"system.cube.layers", layers_of(cube.shape, cube.n)});
  }
  return settings;
}

}  // namespace

bool is_filled(CubeShape shape, int n, int x, int y, int z) {
  const auto outside = [n](int i) { return i == 0 || i == n - 1; };
  if (shape == CubeShape::hollow) return outside(x) || outside(y) || outside(z);
  if (shape == CubeShape::sparse) return (x % 3 == 0) + (y % 3 == 0) + (z % 3 == 0) >= 2;
  return true;
}

std::vector<std::array<int, 3>> cells_of(CubeShape shape, int n) {
  std::vector<std::array<int, 3>> cells;
  for (int y = 0; y < n; ++y)
    for (int z = 0; z < n; ++z)
      for (int x = 0; x < n; ++x)
        if (is_filled(shape, n, x, y, z)) cells.push_back({x, y, z});
  return cells;
}

double bond_count(CubeShape shape, int n) {
  double bonds = 0;
  const auto joined = [&](int x, int y, int z) { return x < n && y < n && z < n && is_filled(shape, n, x, y, z); };
  for (const auto& [x, y, z] : cells_of(shape, n))
    bonds += joined(x + 1, y, z) + joined(x, y + 1, z) + joined(x, y, z + 1);
  return bonds;
}

Result<Node> make_scene(const CubeScene& cube) {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  add_child(scene, "material", "voxel_material", "rubber");
  add_child(scene, "system", "voxel_body", "cube");
  for (const SetParameter& setting : settings_of(cube))
    if (auto good = set_parameter(scene, setting.path, setting.value); !good) return Unexpected(good.error());
  return scene;
}

}  // namespace vw::bench
