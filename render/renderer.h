// Draws snapshots with OpenGL: ground, sky, colliders, voxel skins, particles, arrows, mouse spring. The renderer
// requires a current OpenGL 4.5 context (render/gl/context.h), and all calls must come from one thread. The renderer
// depends on the simulation through the snapshot only.
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
  std::string system;  ///< name of the system; empty if the pixel shows an obstacle or nothing
  std::int64_t element = -1;
  glm::vec3 point{0};         ///< point on the surface at the pixel [m]
  float distance = 0;         ///< distance from the origin of the ray [m]
  std::string obstacle = {};  ///< name of the obstacle at the pixel, or empty
};
struct Selection {
  std::string system;
  std::int64_t element = -1;
  std::string obstacle = {};  ///< name of the selected obstacle, or empty; if it is set, no element is selected
  std::vector<Selection> others = {};  ///< further elements and obstacles that only get an outline
};

/// Legend of colours: a colour map with the range of values, or the names and colours of materials.
struct Legend {
  std::string title, unit;
  float min = 0, max = 1;
  std::vector<glm::vec3> colors;                           ///< sRGB, 256 entries; empty for materials
  std::vector<std::pair<std::string, glm::vec3>> entries;  ///< names and colours of materials or of actuators
  bool lists_one = false;    ///< whether a single entry is listed below the title; several entries always are
  bool logarithmic = false;  ///< whether equal ratios of values have equal steps of colour
  int levels = 0;            ///< number of discrete colours in `colors`; 0 means continuous colours
};
/// Legend of a set of arrows. An arrow of `arrow_px` pixels at the distance of the camera's target represents the value
/// `speed` in `unit`.
struct VectorLegend {
  bool shown = false;
  /// Value of the sample arrow (a round number), length of the sample arrow, and the largest value shown.
  float speed = 0, arrow_px = 0, max_speed = 0;
  std::size_t arrows = 0, elements = 0;
  std::string unit = "m/s";
  /// Names and colours (sRGB) of arrows with a fixed colour.
  std::vector<std::pair<std::string, glm::vec3>> entries = {};
  std::string title = {};  ///< name of the vectors, such as "velocity"
  VectorLength length = VectorLength::linear;
  /// Meaning of the arrows' colours. If the value is `system`, the colours are listed in `entries`.
  VectorColor color = VectorColor::system;
  /// `range`: value whose arrow has full length and the last colour of the map. Logarithmic lengths reach zero at
  /// `range` / 10^`decades`.
  float range = 0, decades = 0;
  float clamp = 0;          ///< value above which arrows do not get longer; 0 means no limit
  std::size_t clipped = 0;  ///< number of arrows whose values exceed `clamp`
  bool turns = false;       ///< whether the vectors are axial (right-handed) and the arrows have two heads
  glm::mat3 axes{1};        ///< directions of the world's x, y and z axes in the picture (right, up, towards the eye)
};

struct Frame {
  const Snapshot* previous = nullptr;  ///< snapshot to interpolate from; may be null
  const Snapshot* newest = nullptr;
  float blend = 1;  ///< interpolation weight: 0 shows `previous`, 1 shows `newest`
};

/// Time of one pass of a picture. Passes do not overlap while they are measured.
struct PassTime {
  const char* name = "";
  double ms = 0;
};

/// Whether a picture contains the legends as a 2-D overlay.
enum class LegendOverlay { none, drawn };

/// Largest width and height of a picture [px].
inline constexpr int largest_picture_px = 16384;

class Renderer {
 public:
  /// Compiles the shaders (see render/gl/shader.h for the places from which their text is read).
  [[nodiscard]] static Result<std::unique_ptr<Renderer>> create();
  ~Renderer();

  /// Draws into the framebuffer `target` (0 is the window). The size is in pixels. The window draws its own legends and
  /// uses LegendOverlay::none.
  void draw(const Frame& frame, const Camera& camera, const ViewParams& view, const Selection& selection, int width,
            int height, unsigned target, LegendOverlay legends);
  /// Draws to an offscreen target of at most `largest_picture_px` pixels per side and reads it back. Pictures larger
  /// than 2048 pixels per side are drawn in tiles. Returns an error if the size is not valid or if there is nothing to
  /// draw.
  [[nodiscard]] Result<Image> draw_image(const Frame& frame, const Camera& camera, const ViewParams& view,
                                         const Selection& selection, int width, int height, LegendOverlay legends);

  /// Records a snapshot for trails and centre-of-mass paths without drawing it.
  void note(const Snapshot& snapshot, const ViewParams& view);

  /// Picks the nearest element or obstacle on a ray, computed exactly on the CPU. If the last draw showed a fluid as a
  /// transparent surface, the picked body is the body visible at the pixel through the calm surface. Systems and
  /// colliders whose names are in `hidden` are ignored. Returns nothing if the ray hits nothing.
  [[nodiscard]] std::optional<Pick> pick(const Snapshot& snapshot, const Ray& ray,
                                         std::span<const std::string> hidden = {}) const;
  [[nodiscard]] const std::vector<Legend>& legends() const;  ///< legends of the last draw
  [[nodiscard]] const VectorLegend& vector_legend() const;   ///< legend of the element vectors of the last draw
  [[nodiscard]] const VectorLegend& force_legend() const;    ///< legend of the force arrows of the last draw
  [[nodiscard]] const VectorLegend& air_legend() const;      ///< legend of the field's arrows of the last draw
  [[nodiscard]] bool is_software() const;                    ///< whether OpenGL runs on the CPU
  [[nodiscard]] bool shows_surfaces() const;                 ///< whether fluid_style = automatic shows surfaces
  [[nodiscard]] std::string quality_in_force() const;  ///< current quality tier and device, such as "low (llvmpipe)"
  /// Reports the frame time [ms] that the caller measured. The automatic quality tier adapts to this time.
  void report_frame_ms(float ms);
  /// Starts or ends measuring the passes of draw(). Drawing takes longer while passes are measured.
  void measure_passes(bool on);
  [[nodiscard]] bool measures_passes() const;
  [[nodiscard]] const std::vector<PassTime>& pass_times() const;  ///< passes of the last measured draw()

 private:
  struct Impl;
  explicit Renderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Bounding box of everything except infinite planes. If there is nothing else, the function returns the box in which
/// fields are displayed, or a small default box.
[[nodiscard]] Bounds3 scene_bounds(const Snapshot& snapshot);
/// Bounding box of the scene's subject (subject_extent).
[[nodiscard]] Bounds3 subject_bounds(const Snapshot& snapshot);
/// Valid values of `color_by` for this snapshot: "material" and every available channel.
[[nodiscard]] std::vector<std::string> color_choices(const Snapshot& snapshot);

}  // namespace vw
