// Imports MagicaVoxel files (.vox): arranges the models of the scene graph in one lattice and creates a material for
// each colour in use. docs/voxcad.md describes the conversion.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/scene/designs/vox_file.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {
namespace {

constexpr double assumed_edge_m = 0.01;          // a file specifies no length
constexpr std::size_t deepest_vox_graph = 1000;  // limit of the recursion over the scene graph
// A node may be the child of several nodes. These limits bound the work for a small file that uses nodes many times.
constexpr std::size_t most_visits = std::size_t{1} << 20;
constexpr std::size_t most_placed_voxels = std::size_t{1} << 26;

using LatticeCell = std::array<std::int64_t, 3>;

/// One use of a model in the scene, with its motion.
struct Placement {
  const VoxModel* model = nullptr;
  VoxMotion motion;
};

/// Calls use(cell, colour index) for each voxel.
template <class F>
void for_each_voxel(const Placement& placement, F use) {
  const std::string_view voxels = placement.model->voxels;
  const auto byte = [&](std::size_t at) { return static_cast<int>(static_cast<unsigned char>(voxels[at])); };
  for (std::size_t at = 0; at < voxels.size(); at += 4)
    use(placement.motion.cell(*placement.model, {byte(at), byte(at + 1), byte(at + 2)}),
        static_cast<std::uint8_t>(byte(at + 3)));
}

/// Finds the visible models by following the scene graph from its root, the node 0.
class SceneWalk {
 public:
  SceneWalk(const VoxFile& vox, const std::string& file) : vox_(vox), open_(vox.nodes.size(), false), error_(file) {}

  Result<std::vector<Placement>> run() {
    if (vox_.nodes.empty()) {
      // If there is no scene graph, further models are frames of an animation.
      place(0, {});
    } else if (const std::optional<std::size_t> root = find(0)) {
      visit(*root, {}, 0);
    } else {
      refuse("scene graph", fmt::format("{} nodes", vox_.nodes.size()), "must contain the root, the node 0");
    }
    if (error_) return fail(error_.error());
    return std::move(placements_);
  }

 private:
  void refuse(std::string key, std::string found, std::string expected) {
    error_.set(std::move(key), std::move(found), std::move(expected));
  }
  void refuse(const VoxNode& node, std::string found, std::string expected) {
    refuse(fmt::format("node {} at byte {}", node.id, node.offset), std::move(found), std::move(expected));
  }

  [[nodiscard]] std::optional<std::size_t> find(std::int32_t id) const {
    const auto found = std::lower_bound(vox_.nodes.begin(), vox_.nodes.end(), id,
                                        [](const VoxNode& node, std::int32_t wanted) { return node.id < wanted; });
    if (found == vox_.nodes.end() || found->id != id) return {};
    return static_cast<std::size_t>(found - vox_.nodes.begin());
  }

  [[nodiscard]] bool is_hidden(const VoxNode& node) const {
    const auto& layers = vox_.hidden_layers;
    // A file may have millions of hidden layers and use a transform a million times, hence the binary search.
    return node.hidden || (node.kind == VoxNodeKind::transform && std::ranges::binary_search(layers, node.layer));
  }

  // Recursion is bounded by `deepest_vox_graph`.
  void visit(std::size_t index, const VoxMotion& motion, std::size_t depth) {
    const VoxNode& node = vox_.nodes[index];
    if (open_[index]) return refuse(node, "a node below itself", "the scene graph must not contain cycles");
    if (depth > deepest_vox_graph)
      return refuse(node, fmt::format("{} levels of nodes above it", depth),
                    fmt::format("may have at most {}", deepest_vox_graph));
    if (++visits_ > most_visits)
      return refuse(node, "too many uses of nodes",
                    fmt::format("the scene graph may use its nodes at most {} times in total", most_visits));
    if (is_hidden(node)) return;
    open_[index] = true;
    const VoxMotion below = node.kind == VoxNodeKind::transform ? motion.after(node.motion) : motion;
    for (const std::int32_t child : node.children) {
      if (error_) return;
      if (node.kind == VoxNodeKind::shape)
        show(node, child, below);
      else if (const std::optional<std::size_t> next = find(child))
        visit(*next, below, depth + 1);
      else
        refuse(node, fmt::format("child node {}", child), "must be the identifier of a node");
    }
    open_[index] = false;
  }

  void show(const VoxNode& shape, std::int32_t model, const VoxMotion& motion) {
    if (model < 0 || static_cast<std::size_t>(model) >= vox_.models.size())
      return refuse(shape, fmt::format("model {}", model), fmt::format("must be 0 to {}", vox_.models.size() - 1));
    place(static_cast<std::size_t>(model), motion);
  }

  void place(std::size_t model, const VoxMotion& motion) {
    voxels_ += vox_.models[model].voxels.size() / 4;
    if (voxels_ > most_placed_voxels)
      return refuse("scene graph", fmt::format("more than {} voxels", most_placed_voxels),
                    fmt::format("must place at most {} voxels, counting each use of a model", most_placed_voxels));
    placements_.push_back({&vox_.models[model], motion});
  }

  const VoxFile& vox_;
  std::vector<bool> open_;  ///< whether a node is the visited node or an ancestor of it, to find cycles
  std::size_t visits_ = 0, voxels_ = 0;
  std::vector<Placement> placements_;
  FirstVoxError error_;
};

Unexpected wrong_scene(const std::string& file, std::string found, std::string expected) {
  Error error;
  error.file = file;
  error.key = "models";
  error.found = std::move(found);
  error.expected = std::move(expected);
  return fail(std::move(error));
}

/// Sets the lattice of the design, with colour indices as codes. The lattice is the bounding box of the visible voxels.
/// Where models overlap, the cell gets the colour of the model that comes last in the scene graph.
Result<void> fill_lattice(const std::vector<Placement>& placements, const std::string& file, VoxelDesign& design) {
  LatticeCell low, high;
  low.fill(std::numeric_limits<std::int64_t>::max());
  high.fill(std::numeric_limits<std::int64_t>::min());
  for (const Placement& placement : placements)
    for_each_voxel(placement, [&](const LatticeCell& cell, std::uint8_t) {
      for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], cell[i]);
        high[i] = std::max(high[i], cell[i]);
      }
    });
  if (low[0] > high[0]) return wrong_scene(file, "no visible voxel", "must contain at least one voxel");
  const LatticeCell size{high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1};
  if (static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]) >
      static_cast<double>(max_lattice_cells))
    return wrong_scene(file, fmt::format("{} x {} x {} cells", size[0], size[1], size[2]),
                       fmt::format("must span at most {} cells", max_lattice_cells));
  design.nx = static_cast<std::size_t>(size[0]);
  design.ny = static_cast<std::size_t>(size[1]);
  design.nz = static_cast<std::size_t>(size[2]);
  design.code.assign(design.cells(), 0);
  for (const Placement& placement : placements)
    for_each_voxel(placement, [&](const LatticeCell& cell, std::uint8_t color) {
      const auto from_low = [&](std::size_t axis) { return static_cast<std::size_t>(cell[axis] - low[axis]); };
      design.code[from_low(0) + design.nx * (from_low(1) + design.ny * from_low(2))] = color;
    });
  return {};
}

/// Replaces colour indices by codes of materials, one for each colour in use, in the order of the displayed palette.
void make_materials(const VoxFile& vox, VoxelDesign& design) {
  std::array<bool, 256> used{};
  for (const std::uint16_t color : design.code) used[color] = true;
  std::vector<std::size_t> colors;
  for (std::size_t color = 1; color < used.size(); ++color)
    if (used[color]) colors.push_back(color);
  std::sort(colors.begin(), colors.end(),
            [&](std::size_t a, std::size_t b) { return vox.display_number[a] < vox.display_number[b]; });
  std::array<std::uint16_t, 256> code_of{};
  for (const std::size_t color : colors) {
    DesignMaterial material = default_design_material(fmt::format("color_{}", vox.display_number[color]));
    for (std::size_t c = 0; c < 3; ++c) material.display_rgb[static_cast<int>(c)] = vox.palette[color][c] / 255.0;
    design.materials.push_back(std::move(material));
    code_of[color] = static_cast<std::uint16_t>(design.materials.size());
  }
  for (std::uint16_t& code : design.code) code = code_of[code];
}

}  // namespace

VoxMotion VoxMotion::after(const VoxMotion& inner) const {
  VoxMotion both;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = axis[i];
    both.axis[i] = inner.axis[j];
    both.sign[i] = static_cast<std::int8_t>(sign[i] * inner.sign[j]);
    both.shift[i] = sign[i] * inner.shift[j] + shift[i];
  }
  return both;
}

std::array<std::int64_t, 3> VoxMotion::cell(const VoxModel& model, const std::array<int, 3>& from) const {
  std::array<std::int64_t, 3> to{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = axis[i];
    // Twice the coordinate of the cell's centre is odd, so (twice - 1) / 2 is an integer.
    const int twice = 2 * (from[j] - model.size[j] / 2) + 1;
    to[i] = (sign[i] * twice - 1) / 2 + shift[i];
  }
  return to;
}

DesignMaterial default_design_material(std::string name) {
  const VoxelMaterial soft;
  DesignMaterial material;
  material.name = std::move(name);
  material.mu_static = soft.mu_static;
  material.mu_dynamic = soft.mu_dynamic;
  return material;
}

Result<VoxelDesign> parse_vox(std::string_view bytes, const std::string& file) {
  const auto vox = parse_vox_file(bytes, file);
  if (!vox) return Unexpected(vox.error());
  const auto placements = SceneWalk(*vox, file).run();
  if (!placements) return Unexpected(placements.error());
  VoxelDesign design;
  design.edge_m = assumed_edge_m;
  if (const auto good = fill_lattice(*placements, file, design); !good) return Unexpected(good.error());
  make_materials(*vox, design);
  if (vox->animated || (vox->nodes.empty() && vox->models.size() > 1))
    add_unsupported(design, "animation (only the first frame is used)");
  return design;
}

Result<LoadedScene> read_vox(const std::string& bytes, const std::string& file, const LoadOptions& options) {
  auto design = parse_vox(bytes, file);
  if (!design) return Unexpected(design.error());
  return finish_design(std::move(*design), file, options);
}

}  // namespace vw
