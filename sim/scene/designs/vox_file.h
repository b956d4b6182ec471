// Content of a MagicaVoxel file (.vox): models, palette and scene graph. The axes are those of the file, with z up.
// vox_chunks.cpp parses the bytes, vox_read.cpp arranges the models in one lattice, and vox_write.cpp writes files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace vw {

/// Bytes red, green and blue (sRGB) of each colour index. Index 0 means an empty cell, so its entry is not used.
using VoxPalette = std::array<std::array<std::uint8_t, 3>, 256>;

/// Returns the palette of files without a chunk RGBA: the 215 colours other than black whose channels are multiples of
/// 51, followed by ten shades of red, green, blue and grey.
[[nodiscard]] VoxPalette default_vox_palette();

/// Largest number of cells of one model along each axis. A voxel has one byte for each coordinate.
inline constexpr int largest_vox_model = 256;

struct VoxModel {
  std::array<int, 3> size{};  ///< number of cells along x, y, z
  /// Four bytes per voxel: x, y, z, colour index. Coordinates are below `size`, and colour indices are above 0. The
  /// view refers to the bytes of the file.
  std::string_view voxels;
};

/// Rigid motion of a lattice: component i of the image of p is sign[i] * p[axis[i]] + shift[i]. The number of negative
/// signs may be odd, so the motion may be a reflection.
struct VoxMotion {
  std::array<std::uint8_t, 3> axis{0, 1, 2};
  std::array<std::int8_t, 3> sign{1, 1, 1};
  std::array<std::int64_t, 3> shift{};

  /// Returns the motion that applies `inner` first and then this motion.
  [[nodiscard]] VoxMotion after(const VoxMotion& inner) const;
  /// Returns the cell to which this motion moves the cell `from` of a model. The motion acts on the cell's centre,
  /// relative to the lower corner of the model's cell floor(size / 2).
  [[nodiscard]] std::array<std::int64_t, 3> cell(const VoxModel& model, const std::array<int, 3>& from) const;
};

/// Stores the first error of a reader of a .vox file.
class FirstVoxError {
 public:
  explicit FirstVoxError(std::string file) { error_.file = std::move(file); }
  /// Returns whether there is an error.
  explicit operator bool() const { return has_error_; }
  [[nodiscard]] const Error& error() const { return error_; }
  void set(std::string key, std::string found, std::string expected) {
    if (has_error_) return;
    has_error_ = true;
    error_.key = std::move(key);
    error_.found = std::move(found);
    error_.expected = std::move(expected);
  }

 private:
  Error error_;
  bool has_error_ = false;
};

enum class VoxNodeKind : std::uint8_t { transform, group, shape };

/// Node of the scene graph. A transform has one child, and a group has any number of children. The child of a shape is
/// a model.
struct VoxNode {
  VoxNodeKind kind = VoxNodeKind::group;
  bool hidden = false;      ///< whether the node itself is hidden; its layer may be hidden, too
  std::int32_t id = 0;      ///< identifier in the file
  std::int32_t layer = -1;  ///< identifier of the layer of a transform; -1 means none
  std::size_t offset = 0;   ///< position of the node's chunk in the file, for messages
  VoxMotion motion;         ///< motion of a transform
  /// Identifiers of the child nodes of a transform or group, or index of the model of a shape.
  std::vector<std::int32_t> children;
};

struct VoxFile {
  std::vector<VoxModel> models;
  VoxPalette palette = default_vox_palette();
  /// Position (1 to 256) of each colour index in the palette that MagicaVoxel displays. It differs from the colour
  /// index if the user has moved colours (chunk IMAP).
  std::array<int, 256> display_number{};
  std::vector<VoxNode> nodes;               ///< ordered by identifier; empty if the file has no scene graph
  std::vector<std::int32_t> hidden_layers;  ///< identifiers, in ascending order
  bool animated = false;                    ///< whether a transform or shape has more than one frame
};

/// Parses the file. `bytes` must outlive the result. An error names the file, the chunk, its offset, the value found
/// and the expected values. The memory is proportional to the size of the file.
[[nodiscard]] Result<VoxFile> parse_vox_file(std::string_view bytes, const std::string& file);

}  // namespace vw
