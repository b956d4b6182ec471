// Reads the boundary conditions of a VoxCAD file: regions that are fixed, loaded or displaced, and voxcraft's fixed
// materials and uniform force fields.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/scene/designs/vxa_parts.h"

namespace vw {
namespace {

using Leaves = std::array<const char*, 3>;

Vec3 read_vector(XmlReader& xml, pugi::xml_node node, const Leaves& leaves, const char* param) {
  Vec3 v;
  for (int i = 0; i < 3; ++i) v[i] = xml.checked(node, leaves[static_cast<std::size_t>(i)], region_spec(param), 0);
  return v;
}

void read_box(XmlReader& xml, pugi::xml_node node, DesignRegion& region) {
  const Leaves corner{"X", "Y", "Z"}, size{"dX", "dY", "dZ"};
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    const double from = xml.number(node, corner[axis], 0), to = from + xml.number(node, size[axis], 0);
    // The workspace extends from 0 to 1, and no voxels lie outside it. Clamping therefore does not change the selected
    // voxels.
    region.min[i] = std::clamp(std::min(from, to), -1.0, 2.0);
    region.max[i] = std::clamp(std::max(from, to), -1.0, 2.0);
  }
}

void read_round(XmlReader& xml, pugi::xml_node node, DesignRegion& region) {
  const Leaves center{"X", "Y", "Z"}, axis{"dX", "dY", "dZ"};
  for (int i = 0; i < 3; ++i) {
    // These limits keep the values in the declared range of the parameters, even after y has been converted to 1 - y.
    region.center[i] = std::clamp(xml.number(node, center[static_cast<std::size_t>(i)], 0), -9.0, 10.0);
    region.axis[i] = std::clamp(xml.number(node, axis[static_cast<std::size_t>(i)], 0), -10.0, 10.0);
  }
  region.radius = xml.checked(node, "Radius", region_spec("radius"), 0);
}

/// Returns the components of a prescribed motion along fixed degrees of freedom. The other components are ignored, as
/// in VoxCAD, and are reported as unsupported.
Vec3 held_part(const Vec3& motion, unsigned held, VoxelDesign& design) {
  Vec3 out = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if ((held >> i & 1U) != 0)
      out[i] = motion[i];
    else if (motion[i] != 0)
      add_unsupported(design, "displacement in directions that are not fixed (Displace, AngDisplace)");
  return out;
}

void read_region(XmlReader& xml, pugi::xml_node node, VoxelDesign& design) {
  constexpr auto shapes = std::to_array<RegionShape>({RegionShape::box, RegionShape::cylinder, RegionShape::sphere});
  const std::int64_t shape = xml.integer(node, "PrimType", 0, 0, 3);
  if (shape == 3) return add_unsupported(design, "regions with the shape of a mesh");
  DesignRegion region;
  region.shape = shapes[static_cast<std::size_t>(shape)];
  if (region.shape == RegionShape::box)
    read_box(xml, node, region);
  else
    read_round(xml, node, region);
  region.held = static_cast<unsigned>(
      xml.integer(node, "DofFixed", xml.flag(node, "Fixed", false) ? held_everything : 0, 0, held_everything));
  region.force = read_vector(xml, node, {"ForceX", "ForceY", "ForceZ"}, "force");
  region.torque = read_vector(xml, node, {"TorqueX", "TorqueY", "TorqueZ"}, "torque");
  region.displacement =
      held_part(read_vector(xml, node, {"DisplaceX", "DisplaceY", "DisplaceZ"}, "displacement"), region.held, design);
  region.rotation = held_part(read_vector(xml, node, {"AngDisplaceX", "AngDisplaceY", "AngDisplaceZ"}, "rotation"),
                              region.held >> 3, design);
  if (region.held != 0 || !region.force.isZero(0) || !region.torque.isZero(0)) design.regions.push_back(region);
}

void read_regions_of(XmlReader& xml, pugi::xml_node block, VoxelDesign& design) {
  for (const pugi::xml_node node : block.children("FRegion")) {
    if (xml.error()) return;
    read_region(xml, node, design);
    if (design.regions.size() > most_design_regions)
      return xml.refuse(node, "FRegion", "", fmt::format("a design may have at most {} regions", most_design_regions));
  }
}

void hold_fixed_materials(VoxelDesign& design) {
  std::vector<std::uint8_t> marked(design.cells(), 0);
  bool any = false;
  for (std::size_t cell = 0; cell < design.cells(); ++cell)
    if (design.code[cell] != 0 && design.materials[design.code[cell] - 1U].held) {
      marked[cell] = 1;
      any = true;
    }
  if (!any) return;
  DesignRegion like;
  like.held = held_everything;
  if (!add_regions_of_cells(marked, like, design))
    add_unsupported(design,
                    fmt::format("fixed materials (Fixed) whose voxels form more than {} boxes", most_design_regions));
}

/// Reads voxcraft's force field, if the field is uniform. The value of the field is the force [N] on each voxel.
void read_force_field(XmlReader& xml, pugi::xml_node simulator, VoxelDesign& design) {
  const pugi::xml_node field = simulator.child("ForceField");
  const Leaves leaves{"x_forcefield", "y_forcefield", "z_forcefield"};
  const auto voxels = static_cast<double>(
      std::count_if(design.code.begin(), design.code.end(), [](std::uint16_t code) { return code != 0; }));
  DesignRegion region;
  for (int i = 0; i < 3; ++i) {
    const pugi::xml_node formula = field.child(leaves[static_cast<std::size_t>(i)]).first_child();
    if (!formula) continue;
    if (std::string_view(formula.name()) != "mtCONST" || formula.next_sibling()) {
      add_unsupported(design, "a force field that is not constant (ForceField)");
      continue;
    }
    region.force[i] = voxels * xml.checked(formula.parent(), "mtCONST", region_spec("force"), 0);
    const double most = region_spec("force").bounds.max;
    if (std::abs(region.force[i]) > most)
      return xml.refuse(formula, "ForceField", fmt::format("{:g} N", region.force[i]),
                        fmt::format("must have a magnitude of at most {:g} N for all voxels together", most));
  }
  if (!region.force.isZero(0)) design.regions.push_back(region);
}

struct Box {
  std::array<std::size_t, 3> low{}, high{};  ///< range [low, high) of cells along each axis
};

/// Covers the marked cells with boxes. Each box is extended as far as possible and may also contain empty cells.
class CellBoxes {
 public:
  CellBoxes(std::vector<std::uint8_t> marked, const VoxelDesign& design)
      : open_(std::move(marked)), design_(design), size_{design.nx, design.ny, design.nz} {}

  /// Computes a box that begins at the next marked cell, and the number of voxels in the box. Clears the marks in the
  /// box. Returns false if no cell is marked.
  bool next(Box& box, std::size_t& voxels) {
    while (cell_ < open_.size() && open_[cell_] == 0) ++cell_;
    if (cell_ == open_.size()) return false;
    box.low = {cell_ % size_[0], cell_ / size_[0] % size_[1], cell_ / (size_[0] * size_[1])};
    for (std::size_t axis = 0; axis < 3; ++axis) box.high[axis] = box.low[axis] + 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      while (box.high[axis] < size_[axis] && worth_taking(slab(box, axis))) ++box.high[axis];
    voxels = 0;
    visit(box, [&](std::size_t cell) {
      voxels += open_[cell];
      open_[cell] = 0;
      return true;
    });
    return true;
  }

 private:
  /// Returns the layer of cells that would be added if the box grew in the positive direction of an axis.
  static Box slab(Box box, std::size_t axis) {
    box.low[axis] = box.high[axis]++;
    return box;
  }
  template <class F>
  bool visit(const Box& box, F f) {
    for (std::size_t z = box.low[2]; z < box.high[2]; ++z)
      for (std::size_t y = box.low[1]; y < box.high[1]; ++y)
        for (std::size_t x = box.low[0]; x < box.high[0]; ++x)
          if (!f(x + size_[0] * (y + size_[1] * z))) return false;
    return true;
  }
  /// Returns whether the layer contains at least one marked cell, and no voxel that is not marked.
  bool worth_taking(const Box& box) {
    bool some = false;
    const bool free = visit(box, [&](std::size_t cell) {
      some = some || open_[cell] != 0;
      return open_[cell] != 0 || design_.code[cell] == 0;
    });
    return some && free;
  }

  std::vector<std::uint8_t> open_;
  const VoxelDesign& design_;
  std::array<std::size_t, 3> size_;
  std::size_t cell_ = 0;
};

}  // namespace

bool add_regions_of_cells(const std::vector<std::uint8_t>& marked, const DesignRegion& like, VoxelDesign& design) {
  const std::array<std::size_t, 3> size{design.nx, design.ny, design.nz};
  const std::size_t before = design.regions.size();
  CellBoxes boxes(marked, design);
  Box box;
  for (std::size_t voxels = 0; boxes.next(box, voxels);) {
    if (design.regions.size() >= most_design_regions) {
      design.regions.resize(before);
      return false;
    }
    DesignRegion region = like;
    region.shape = RegionShape::box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto dim = static_cast<Eigen::Index>(axis);
      region.min[dim] = static_cast<double>(box.low[axis]) / static_cast<double>(size[axis]);
      region.max[dim] = static_cast<double>(box.high[axis]) / static_cast<double>(size[axis]);
    }
    region.force *= static_cast<double>(voxels);
    region.torque *= static_cast<double>(voxels);
    design.regions.push_back(region);
  }
  return true;
}

void read_vxa_regions(XmlReader& xml, pugi::xml_node simulator, pugi::xml_node environment, VoxelDesign& design) {
  for (const char* block : {"Boundary_Conditions", "Fixed_Regions", "Forced_Regions"})
    read_regions_of(xml, environment.child(block), design);
  if (xml.error()) return;
  hold_fixed_materials(design);
  read_force_field(xml, simulator, design);
}

}  // namespace vw
