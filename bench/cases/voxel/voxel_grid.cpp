// Picture of the voxel editor, drawn by OpenGL. The body is a cube of n^3 voxels. A section hides one eighth of it, so
// that the inner faces of the section are drawn.
#include "render/voxel_grid/voxel_grid_picture.h"

#include <array>
#include <vector>

#include "bench/measure.h"
#include "render/gl/context.h"
#include "render/labels/canvas.h"

namespace vw::bench {
namespace {

constexpr int grid_width_px = 1280, grid_height_px = 720;

/// Returns the faces between a visible voxel and a hidden or missing one.
std::vector<GridFace> sectioned_cube(int n) {
  const auto is_visible = [n](int x, int y, int z) {
    const bool is_inside = x >= 0 && y >= 0 && z >= 0 && x < n && y < n && z < n;
    return is_inside && !(x >= n / 2 && y >= n / 2 && z >= n / 2);
  };
  std::vector<GridFace> faces;
  for (int y = 0; y < n; ++y)
    for (int z = 0; z < n; ++z)
      for (int x = 0; x < n; ++x) {
        if (!is_visible(x, y, z)) continue;
        for (int face = 0; face < 6; ++face) {
          std::array<int, 3> beside{x, y, z};
          beside[static_cast<std::size_t>(face / 2)] += face % 2 == 0 ? -1 : 1;
          if (is_visible(beside[0], beside[1], beside[2])) continue;
          faces.push_back({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y), static_cast<std::int16_t>(z),
                           static_cast<std::uint8_t>(face), false, packed_rgba({0.8F, 0.4F, 0.3F})});
        }
      }
  return faces;
}

}  // namespace

Result<Outcome> voxel_grid(const Arguments& arguments) {
  auto context = OffscreenContext::create();
  if (!context) return Unexpected(context.error());
  auto picture = VoxelGridPicture::create();
  if (!picture) return Unexpected(picture.error());
  const auto n = static_cast<int>(arguments.whole("edge"));
  const std::vector<GridFace> faces = sectioned_cube(n);
  const Canvas canvas(grid_width_px, grid_height_px);
  Camera camera;
  camera.target = glm::vec3(0.5F * static_cast<float>(n));
  camera.eye = camera.target + 1.5F * static_cast<float>(n) * glm::vec3(0.7F, 0.6F, 0.8F);
  const auto frame = [&] {
    camera.orbit(0.01F, 0);
    (*picture)->draw(camera, grid_width_px, grid_height_px, canvas.framebuffer());
    glFinish();
    return 1.0;
  };
  (*picture)->set_faces(faces);
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  const Windows still = measure(milliseconds, frame);
  const Windows edited = measure(milliseconds, [&] {
    (*picture)->set_faces(faces);
    return frame();
  });
  Outcome outcome;
  outcome.rates = {{"frames_per_s", still.median_rate()}, {"edited_frames_per_s", edited.median_rate()}};
  outcome.figures = {{"edge", arguments.real("edge")},
                     {"faces", static_cast<double>(faces.size())},
                     {"frame_ms", 1000 / still.median_rate()},
                     {"edited_frame_ms", 1000 / edited.median_rate()}};
  return outcome;
}

}  // namespace vw::bench
