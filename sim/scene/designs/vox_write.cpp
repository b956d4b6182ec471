// Writes designs as MagicaVoxel files (.vox). A design of at most 256 cells along each axis becomes one model. A larger
// design is divided into blocks, each of which becomes one model. A scene graph contains their positions.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/scene/designs/vox_file.h"
#include "sim/scene/designs/voxel_design.h"

namespace vw {
namespace {

constexpr std::size_t most_colors = 255;

void append_number(std::string& bytes, std::size_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
}

void append_text(std::string& bytes, std::string_view text) {
  append_number(bytes, text.size());
  bytes += text;
}

void append_chunk(std::string& bytes, std::string_view name, const std::string& content,
                  const std::string& children = {}) {
  bytes += name;
  append_number(bytes, content.size());
  append_number(bytes, children.size());
  bytes += content;
  bytes += children;
}

/// Returns N if `name` has the form "color_N" and N is a colour index. The import of .vox files gives materials such
/// names.
std::optional<std::size_t> index_in_name(std::string_view name) {
  constexpr std::string_view prefix = "color_";
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size() || index < 1 || index > most_colors) return {};
  return index;
}

/// Chooses the colour index of each material: the index in its name, else the lowest free index.
std::vector<std::size_t> color_indices(const std::vector<DesignMaterial>& materials) {
  std::vector<std::size_t> indices(materials.size(), 0);
  std::array<bool, most_colors + 1> taken{};
  for (std::size_t m = 0; m < materials.size(); ++m)
    if (const auto index = index_in_name(materials[m].name); index && !taken[*index]) {
      taken[*index] = true;
      indices[m] = *index;
    }
  std::size_t next = 1;
  for (std::size_t& index : indices) {
    if (index != 0) continue;
    while (taken[next]) ++next;
    index = next++;
  }
  return indices;
}

std::string palette_bytes(const VoxelDesign& design, const std::vector<std::size_t>& color_of) {
  VoxPalette palette = default_vox_palette();
  for (std::size_t m = 0; m < design.materials.size(); ++m)
    for (std::size_t c = 0; c < 3; ++c)
      palette[color_of[m]][c] = static_cast<std::uint8_t>(
          std::lround(255 * std::clamp(design.materials[m].display_rgb[static_cast<int>(c)], 0.0, 1.0)));
  std::string bytes;
  for (std::size_t i = 1; i < palette.size(); ++i) {
    for (const std::uint8_t channel : palette[i]) bytes += static_cast<char>(channel);
    bytes += '\xff';
  }
  return bytes.append(4, '\0');  // the last of the 256 entries is not used
}

using BlockCell = std::array<std::size_t, 3>;

class VoxWriter {
 public:
  VoxWriter(const VoxelDesign& design, std::vector<std::size_t> color_of)
      : design_(design), color_of_(std::move(color_of)), size_{design.nx, design.ny, design.nz} {}

  std::string run() {
    constexpr std::size_t block = largest_vox_model;
    BlockCell low{};
    for (low[2] = 0; low[2] < size_[2]; low[2] += block)
      for (low[1] = 0; low[1] < size_[1]; low[1] += block)
        for (low[0] = 0; low[0] < size_[0]; low[0] += block) write_block(low);
    const bool graph = std::any_of(size_.begin(), size_.end(), [](std::size_t n) { return n > block; });
    if (graph) write_graph();
    append_chunk(chunks_, "RGBA", palette_bytes(design_, color_of_));
    std::string bytes = "VOX ";
    append_number(bytes, graph ? 200 : 150);
    append_chunk(bytes, "MAIN", {}, chunks_);
    return bytes;
  }

 private:
  /// Writes the model of the block of cells that begins at `low`, unless the block is empty.
  void write_block(const BlockCell& low) {
    BlockCell size{};
    for (std::size_t i = 0; i < 3; ++i) size[i] = std::min<std::size_t>(largest_vox_model, size_[i] - low[i]);
    std::string voxels;
    for (std::size_t z = 0; z < size[2]; ++z)
      for (std::size_t y = 0; y < size[1]; ++y)
        for (std::size_t x = 0; x < size[0]; ++x) {
          const std::size_t row = low[1] + y + design_.ny * (low[2] + z);
          const std::uint16_t code = design_.code[low[0] + x + design_.nx * row];
          if (code == 0) continue;
          for (const std::size_t byte : {x, y, z, color_of_[code - 1U]}) voxels += static_cast<char>(byte);
        }
    if (voxels.empty()) return;
    std::string lengths, content;
    for (const std::size_t n : size) append_number(lengths, n);
    append_number(content, voxels.size() / 4);
    append_chunk(chunks_, "SIZE", lengths);
    append_chunk(chunks_, "XYZI", content += voxels);
    // The translation is that of the model's cell floor(size / 2). The lattice is centred in x and y and begins at z 0.
    std::array<std::int64_t, 3> at{};
    for (std::size_t i = 0; i < 3; ++i)
      at[i] = static_cast<std::int64_t>(low[i] + size[i] / 2) - (i < 2 ? static_cast<std::int64_t>(size_[i] / 2) : 0);
    places_.push_back(fmt::format("{} {} {}", at[0], at[1], at[2]));
  }

  /// Writes a group of all models. Node 0 is the transform of the group, and node 1 is the group. Node 2 k + 2 is the
  /// transform of model k, and node 2 k + 3 is its shape.
  void write_graph() {
    constexpr std::size_t none = 0xffffffff;  // the number -1
    write_transform(0, 1, none, {});
    std::string group;
    append_number(group, 1);
    append_number(group, 0);  // attributes
    append_number(group, places_.size());
    for (std::size_t k = 0; k < places_.size(); ++k) append_number(group, 2 * k + 2);
    append_chunk(chunks_, "nGRP", group);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      write_transform(2 * k + 2, 2 * k + 3, 0, places_[k]);
      std::string shape;
      for (const std::size_t number : {2 * k + 3, std::size_t{0}, std::size_t{1}, k, std::size_t{0}})
        append_number(shape, number);  // identifier, attributes, number of models, model, its attributes
      append_chunk(chunks_, "nSHP", shape);
    }
    std::string layer;
    for (const std::size_t number : {std::size_t{0}, std::size_t{0}, none}) append_number(layer, number);
    append_chunk(chunks_, "LAYR", layer);
  }

  void write_transform(std::size_t id, std::size_t child, std::size_t layer, const std::string& translation) {
    constexpr std::size_t reserved = 0xffffffff;
    std::string content;
    // Identifier, attributes, child, a reserved number, layer, number of frames, attributes of the frame.
    for (const std::size_t number : {id, std::size_t{0}, child, reserved, layer, std::size_t{1}})
      append_number(content, number);
    append_number(content, translation.empty() ? 0 : 1);
    if (!translation.empty()) {
      append_text(content, "_t");
      append_text(content, translation);
    }
    append_chunk(chunks_, "nTRN", content);
  }

  const VoxelDesign& design_;
  std::vector<std::size_t> color_of_;
  BlockCell size_;
  std::string chunks_;
  std::vector<std::string> places_;  ///< translation of each model
};

}  // namespace

Result<std::string> design_to_vox(const VoxelDesign& design) {
  if (design.materials.size() > most_colors)
    return fail(fmt::format("has {} materials: a .vox file can contain at most {} colours", design.materials.size(),
                            most_colors));
  return VoxWriter(design, color_indices(design.materials)).run();
}

}  // namespace vw
