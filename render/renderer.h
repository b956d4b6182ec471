// Draws snapshots: ground, sky, colliders, voxel skins, particles, arrows, grab spring. Needs a current OpenGL 4.5 context (render/context.h);
// one thread; knows nothing of the simulation but the snapshot.
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

/// What is at a pixel.
struct Pick {
  std::string system;  ///< empty: an obstacle or nothing
  std::int64_t element = -1;
  glm::vec3 point{0};  ///< [m]
  float distance = 0;
  std::string obstacle = {};  ///< name of the obstacle at the pixel
};
struct Selection {
  std::string system;
  std::int64_t element = -1;
  std::string obstacle = {};  ///< name of a selected obstacle; then no element is selected
};

/// The colour map in force, for a legend: `colors` from low to high, or names and colours of materials.
struct Legend {
  std::string title, unit;
  float min = 0, max = 1;
  std::vector<glm::vec3> colors;                           ///< sRGB, 256 entries; empty for materials
  std::vector<std::pair<std::string, glm::vec3>> entries;  ///< materials
};
/// An overlay's scale: an arrow of `arrow_px` pixels at the target's depth stands for `speed`, of velocities in m/s.
struct VectorLegend {
  bool shown = false;
  float speed = 0, arrow_px = 0, max_speed = 0;  ///< of a round value below `range`; the largest value that is shown
  std::size_t arrows = 0, elements = 0;
  std::string unit = "m/s";
  std::vector<std::pair<std::string, glm::vec3>> entries = {};  ///< what arrows of one colour are, sRGB
  std::string title = {};                                       ///< what the vectors are: "velocity"
  VectorLength length = VectorLength::linear;
  VectorColor color = VectorColor::system;  ///< what colours say; system: what `entries` do, if they say anything
  float range = 0, decades = 0;             ///< value of a full arrow and of the last colour; of logarithmic lengths: decades below it
  float clamp = 0;                          ///< value beyond which arrows grow no longer; 0: none
  std::size_t clipped = 0;                  ///< arrows of values beyond it
  bool turns = false;                       ///< axes of turning, right-handed: arrows have two heads
  glm::mat3 axes{1};                        ///< where x, y and z point on the picture: right, up, to the eye
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

  /// Draws into framebuffer `target` (0 = the window) at that size. Legends as 2-D overlay only when `legend_overlay` (the window draws its own).
  void draw(const Frame& frame, const Camera& camera, const ViewParams& view, const Selection& selection, int width, int height, unsigned target,
            bool legend_overlay);
  /// Draws to an offscreen target of any size up to 16384 (tiled above the GL limit) and reads it back.
  [[nodiscard]] Result<Image> draw_image(const Frame& frame, const Camera& camera, const ViewParams& view, const Selection& selection, int width,
                                         int height, bool legend_overlay);

  /// What trails and traces need of a snapshot that is not drawn.
  void note(const Snapshot& snapshot, const ViewParams& view);

  /// Exact, on the CPU. Through fluids that the last draw showed as a clear surface bodies are picked first, where they are seen in calm water.
  /// What is `hidden` by name is not picked.
  [[nodiscard]] std::optional<Pick> pick(const Snapshot& snapshot, const Ray& ray, std::span<const std::string> hidden = {}) const;
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< of the last draw
  [[nodiscard]] const VectorLegend& vector_legend() const;   ///< of the last draw
  [[nodiscard]] const VectorLegend& force_legend() const;    ///< of the last draw
  [[nodiscard]] const VectorLegend& air_legend() const;      ///< of the last draw: of the air's arrows
  [[nodiscard]] bool is_software() const;                    ///< the processor draws
  [[nodiscard]] bool shows_surfaces() const;                 ///< of fluids, in draw() with fluid_style = automatic
  [[nodiscard]] std::string quality_in_force() const;        ///< "low (llvmpipe)"
  /// Frame time [ms] measured by the caller: lets the automatic tier adapt.
  void report_frame_ms(float ms);

 private:
  struct Impl;
  explicit Renderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Box around everything but infinite planes; a small default when there is nothing.
[[nodiscard]] Bounds3 scene_bounds(const Snapshot& snapshot);
/// The box about the subject of the scene (subject_extent).
[[nodiscard]] Bounds3 subject_bounds(const Snapshot& snapshot);
/// Names that `color_by` may take for this snapshot: "material" and every available channel.
[[nodiscard]] std::vector<std::string> color_choices(const Snapshot& snapshot);

}  // namespace vw
