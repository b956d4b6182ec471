#include "app/window/voxel_edit/cells/voxel_faces.h"

#include <algorithm>
#include <bit>

namespace vw {
namespace {

constexpr std::size_t word_bits = 64;

/// One bit for each cell of some layers of a grid, set for voxels in the box `shown`. Each row along x begins a new
/// word.
class VisibleBits {
 public:
  VisibleBits(const VoxelGrid& grid, const VoxelBox& shown, const LayerRange& layers, std::vector<std::uint64_t>& bits)
      : layers_(layers),
        nz_(static_cast<std::size_t>(grid.box().size.z())),
        words_((static_cast<std::size_t>(grid.box().size.x()) + word_bits - 1) / word_bits),
        bits_(bits) {
    bits_.assign(static_cast<std::size_t>(layers.end - layers.begin) * nz_ * words_ + words_, 0);
    const VoxelBox box = common(shown, grid.box());
    for (int y = std::max(box.lower.y(), layers.begin); y < std::min(box.upper().y(), layers.end); ++y)
      for (int z = box.lower.z(); z < box.upper().z(); ++z) set_row(grid, box, y, z);
  }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// Returns the bits of a row, where z is relative to the grid. Rows outside the layers or the grid are empty.
  [[nodiscard]] const std::uint64_t* row(int y, std::ptrdiff_t z) const {
    if (y < layers_.begin || y >= layers_.end || z < 0 || z >= static_cast<std::ptrdiff_t>(nz_))
      return bits_.data() + (bits_.size() - words_);
    return bits_.data() + (static_cast<std::size_t>(y - layers_.begin) * nz_ + static_cast<std::size_t>(z)) * words_;
  }

 private:
  void set_row(const VoxelGrid& grid, const VoxelBox& box, int y, int z) {
    const std::uint16_t* codes = grid.codes().data() + grid.index({grid.box().lower.x(), y, z});
    const auto begin = static_cast<std::size_t>(box.lower.x() - grid.box().lower.x()),
               end = begin + static_cast<std::size_t>(box.size.x());
    std::uint64_t* row = bits_.data() + (static_cast<std::size_t>(y - layers_.begin) * nz_ +
                                         static_cast<std::size_t>(z - grid.box().lower.z())) *
                                            words_;
    for (std::size_t word = begin / word_bits; word * word_bits < end; ++word) {
      const std::size_t first = std::max(begin, word * word_bits), last = std::min(end, (word + 1) * word_bits);
      std::uint64_t bits = 0;
      for (std::size_t x = first; x < last; ++x) bits |= std::uint64_t{codes[x] != 0} << (x % word_bits);
      row[word] = bits;
    }
  }

  LayerRange layers_;
  std::size_t nz_, words_;
  std::vector<std::uint64_t>& bits_;
};

/// Appends the faces in one direction of the voxels whose bits are set in a word.
void append_faces(std::uint64_t bits, std::size_t first_cell, const std::uint16_t* codes, CellFace face, bool is_onion,
                  std::vector<VoxelFace>& faces) {
  if (bits == 0) return;
  std::size_t at = faces.size();
  faces.resize(at + static_cast<std::size_t>(std::popcount(bits)));
  for (; bits != 0; bits &= bits - 1) {
    const std::size_t cell = first_cell + static_cast<std::size_t>(std::countr_zero(bits));
    faces[at++] = {static_cast<std::uint32_t>(cell), codes[cell], face, is_onion};
  }
}

/// Appends the exposed faces of the visible voxels of one layer.
void append_layer_faces(const VoxelGrid& grid, const VisibleBits& visible, int y, bool is_onion,
                        std::vector<VoxelFace>& faces) {
  const VoxelBox& box = grid.box();
  const std::uint16_t* codes = grid.codes().data();
  const std::size_t words = visible.words();
  for (std::ptrdiff_t z = 0; z < box.size.z(); ++z) {
    const std::uint64_t* row = visible.row(y, z);
    const std::uint64_t *below = visible.row(y - 1, z), *above = visible.row(y + 1, z), *back = visible.row(y, z - 1),
                        *front = visible.row(y, z + 1);
    const std::size_t row_cell = grid.index({box.lower.x(), y, box.lower.z() + static_cast<int>(z)});
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t bits = row[w];
      if (bits == 0) continue;
      const std::uint64_t before = bits << 1 | (w > 0 ? row[w - 1] >> 63 : 0),
                          after = bits >> 1 | (w + 1 < words ? row[w + 1] << 63 : 0);
      const std::size_t cell = row_cell + w * word_bits;
      append_faces(bits & ~before, cell, codes, CellFace::minus_x, is_onion, faces);
      append_faces(bits & ~after, cell, codes, CellFace::plus_x, is_onion, faces);
      append_faces(bits & ~below[w], cell, codes, CellFace::minus_y, is_onion, faces);
      append_faces(bits & ~above[w], cell, codes, CellFace::plus_y, is_onion, faces);
      append_faces(bits & ~back[w], cell, codes, CellFace::minus_z, is_onion, faces);
      append_faces(bits & ~front[w], cell, codes, CellFace::plus_z, is_onion, faces);
    }
  }
}

/// Returns the part of a box that lies in layers begin to end - 1 of an axis.
VoxelBox slab_of(const VoxelBox& box, int axis, std::int64_t begin, std::int64_t end) {
  VoxelBox slab = box;
  const std::int64_t lower = std::max<std::int64_t>(begin, box.lower[axis]),
                     upper = std::min<std::int64_t>(end, box.upper()[axis]);
  if (upper <= lower) return {box.lower, VoxelCell::Zero()};
  slab.lower[axis] = static_cast<int>(lower);
  slab.size[axis] = static_cast<int>(upper - lower);
  return slab;
}

}  // namespace

VoxelBox VoxelVisibility::visible_box(const VoxelGrid& grid) const {
  const VoxelBox box = section ? common(grid.box(), *section) : grid.box();
  return layer ? slab_of(box, layer->axis, layer->coordinate, std::int64_t{layer->coordinate} + 1) : box;
}

LayerRange VoxelFaceList::update(const VoxelGrid& grid, const VoxelVisibility& visibility, const LayerRange& changed) {
  const VoxelBox& box = grid.box();
  const LayerRange all{box.lower.y(), box.upper().y()};
  LayerRange updated{std::max(changed.begin - 1, all.begin), std::min(changed.end + 1, all.end)};
  if (!box_ || !(*box_ == box) || !(visibility_ == visibility)) updated = all;
  if (changed.is_empty() && !(updated.begin == all.begin && updated.end == all.end)) return {};
  box_ = box;
  visibility_ = visibility;
  lower_ = all.begin;
  faces_.resize(static_cast<std::size_t>(box.size.y()));
  for (int y = updated.begin; y < updated.end; ++y) faces_[static_cast<std::size_t>(y - lower_)].clear();

  const auto append = [&](const VoxelBox& shown, bool is_onion) {
    if (shown.is_empty()) return;
    const LayerRange needed{std::max(updated.begin - 1, all.begin), std::min(updated.end + 1, all.end)};
    const VisibleBits visible(grid, shown, needed, bits_);
    for (int y = std::max(updated.begin, shown.lower.y()); y < std::min(updated.end, shown.upper().y()); ++y)
      append_layer_faces(grid, visible, y, is_onion, faces_[static_cast<std::size_t>(y - lower_)]);
  };
  append(visibility.visible_box(grid), false);
  if (const auto& layer = visibility.layer) {
    const VoxelBox section = visibility.section ? common(box, *visibility.section) : box;
    const std::int64_t at = layer->coordinate, skins = std::max(layer->onion_skins, 0);
    append(slab_of(section, layer->axis, at - skins, at), true);
    append(slab_of(section, layer->axis, at + 1, at + 1 + skins), true);
  }
  return updated;
}

std::size_t VoxelFaceList::face_count() const {
  std::size_t count = 0;
  for (const auto& layer : faces_) count += layer.size();
  return count;
}

}  // namespace vw
