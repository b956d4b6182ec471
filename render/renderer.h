// Draws snapshots with OpenGL: ground, sky, colliders, voxel skins, particles, arrows, mouse spring. Requires a current
// OpenGL 4.5 context (render/context.h) and use from one thread. The renderer depends on the simulation through the
// snapshot only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/image.h"
#include "sim/base/error.h"
#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/view.h"

namespace vw {

/// Result of picking at a pixel.
struct Pick {
  std::string system;  ///< name of the system; empty: an obstacle or nothing
  std::int64_t element = -1;
  glm::vec3 point{0};  ///< [m]
  float distance = 0;
  std::string obstacle = {};  ///< name of the obstacle at the pixel
};
struct Selection {
  std::string system;
  std::int64_t element = -1;
  std::string obstacle = {};  ///< name of the selected obstacle; no element is selected then
};

/// Legend of the current colours: a colour map with its range, or the names and colours of materials.
struct Legend {
  std::string title, unit;
  float min = 0, max = 1;
  std::vector<glm::vec3> colors;                           ///< sRGB, 256 entries; empty for materials
  std::vector<std::pair<std::string, glm::vec3>> entries;  ///< materials
};
/// Scale of a set of arrows: an arrow of `arrow_px` pixels at the target's depth stands for the value `speed` in
/// `unit`.
struct VectorLegend {
  bool shown = false;
  /// Value of the sample arrow (a round number), its length, and the largest value shown
  float speed = 0, arrow_px = 0, max_speed = 0;
  std::size_t arrows = 0, elements = 0;
  std::string unit = "m/s";
  /// Names and colours (sRGB) of arrows that have a fixed colour
  std::vector<std::pair<std::string, glm::vec3>> entries = {};
  std::string title = {};  ///< name of the vectors: "velocity"
  VectorLength length = VectorLength::linear;
  VectorColor color = VectorColor::system;  ///< meaning of the arrows' colours; system: as listed in `entries`
  /// Value of a full arrow and of the last colour; number of decades below it for logarithmic lengths
  float range = 0, decades = 0;
  float clamp = 0;          ///< value above which arrows do not get longer; 0: no limit
  std::size_t clipped = 0;  ///< number of arrows above `clamp`
  bool turns = false;       ///< axial vectors (right-handed): arrows have two heads
  glm::mat3 axes{1};        ///< directions of x, y and z in the picture: right, up, towards the eye
};

struct Frame {
  const Snapshot* previous = nullptr;  ///< may be null
  const Snapshot* newest = nullptr;
  float blend = 1;  ///< 0 = previous, 1 = newest
};

class Renderer {
 public:
  /// Compiles the shaders (from $VOXWAKE_SHADERS or the source tree when present, else those built in).
  [[nodiscard]] static Result<std::unique_ptr<Renderer>> create();
  ~Renderer();

  /// Draws into framebuffer `target` (0 is the window) at the given size. Legends are drawn as a 2-D overlay only if
  /// `legend_overlay` is set; the window draws its own.
  void draw(const Frame& frame, const Camera& camera, const ViewParams& view, const Selection& selection, int width,
            int height, unsigned target, bool legend_overlay);
  /// Draws to an offscreen target of up to 16384 pixels per side, in tiles if it exceeds 2048, and reads it back.
  [[nodiscard]] Result<Image> draw_image(const Frame& frame, const Camera& camera, const ViewParams& view,
                                         const Selection& selection, int width, int height, bool legend_overlay);

  /// Records a snapshot that is not drawn, for trails and traces.
  void note(const Snapshot& snapshot, const ViewParams& view);

  /// Exact picking on the CPU. If the last draw showed a fluid as a transparent surface, bodies behind it are picked
  /// where they are seen through calm water. Systems and colliders named in `hidden` are ignored.
  [[nodiscard]] std::optional<Pick> pick(const Snapshot& snapshot, const Ray& ray,
                                         std::span<const std::string> hidden = {}) const;
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< legends of the last draw
  [[nodiscard]] const VectorLegend& vector_legend() const;   ///< legend of the element vectors of the last draw
  [[nodiscard]] const VectorLegend& force_legend() const;    ///< legend of the force arrows of the last draw
  [[nodiscard]] const VectorLegend& air_legend() const;      ///< legend of the air's arrows of the last draw
  [[nodiscard]] bool is_software() const;                    ///< whether OpenGL runs on the CPU
  [[nodiscard]] bool shows_surfaces() const;  ///< whether draw() shows fluids as surfaces with fluid_style = automatic
  [[nodiscard]] std::string quality_in_force() const;  ///< quality tier in use and device: "low (llvmpipe)"
  /// Reports the frame time [ms] measured by the caller, from which the automatic tier adapts.
  void report_frame_ms(float ms);

 private:
  struct Impl;
  explicit Renderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Bounding box of everything except infinite planes; a small default box if there is nothing.
[[nodiscard]] Bounds3 scene_bounds(const Snapshot& snapshot);
/// Bounding box of the scene's subject (subject_extent).
[[nodiscard]] Bounds3 subject_bounds(const Snapshot& snapshot);
/// Values that `color_by` may take for this snapshot: "material" and every available channel.
[[nodiscard]] std::vector<std::string> color_choices(const Snapshot& snapshot);

}  // namespace vw
