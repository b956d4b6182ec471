// Picture of the cells that the voxel editor shows: flat faces with thin lines between cells, translucent faces and
// straight lines. Coordinates are lattice coordinates, in which a cell is a unit cube. The camera uses the same unit.
// The class requires a current OpenGL 4.5 context, and all calls must come from one thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "render/camera.h"
#include "sim/base/error.h"

namespace vw {

/// A face of a cell. The number of a face is 2 * axis, plus 1 for the upper face of that axis.
struct GridFace {
  std::int16_t x = 0, y = 0, z = 0;
  std::uint8_t face = 0;
  bool is_marked = false;  ///< whether the face is drawn in the colour of the selection
  std::uint32_t rgba = 0;  ///< sRGB colour: red in the lowest byte; the opacity counts for translucent faces only
};
/// A straight line. Opaque faces in front of the line hide it.
struct GridLine {
  glm::vec3 a{0}, b{0};
  std::uint32_t rgba = 0;
};
/// Packs an sRGB colour with components from 0 to 1 into GridFace::rgba.
[[nodiscard]] std::uint32_t packed_rgba(const glm::vec3& srgb, float opacity = 1);

class VoxelGridPicture {
 public:
  /// Compiles the shaders. Returns an error if they do not compile.
  [[nodiscard]] static Result<std::unique_ptr<VoxelGridPicture>> create();
  ~VoxelGridPicture();

  /// Replaces the opaque faces. The call sorts the faces by direction. Its cost is proportional to their number.
  void set_faces(std::span<const GridFace> faces);
  /// Replaces the faces that are blended over the opaque ones.
  void set_translucent_faces(std::span<const GridFace> faces);
  void set_lines(std::span<const GridLine> lines);
  /// Clears the framebuffer `target` and draws into it. `width` and `height` are in pixels.
  void draw(const Camera& camera, int width, int height, unsigned target);

 private:
  struct Impl;
  explicit VoxelGridPicture(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw
