// Draws pictures of snapshots without a window: by OpenGL in an offscreen context, by the software renderer on the CPU,
// or by the path tracer in film quality. An object must be used by one thread at a time.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/film/film_settings.h"
#include "render/renderer.h"
#include "sim/base/data/node.h"

namespace vw {

class FilmRenderer;
class OffscreenContext;
class SoftwareRenderer;

class OffscreenPainter {
 public:
  /// Creates an OpenGL context and a renderer for it. Returns null and sets `unavailable` to the reason if there is no
  /// context. Returns an error if the shaders cannot be compiled.
  [[nodiscard]] static Result<std::unique_ptr<OffscreenPainter>> create_opengl(std::optional<Error>& unavailable);
  /// Creates a painter that draws on the CPU without OpenGL.
  [[nodiscard]] static std::unique_ptr<OffscreenPainter> create_software();
  /// Creates a painter that draws in film quality. Returns an error if the program was built without Embree.
  [[nodiscard]] static Result<std::unique_ptr<OffscreenPainter>> create_film(FilmSettings settings);
  ~OffscreenPainter();
  OffscreenPainter(const OffscreenPainter&) = delete;
  OffscreenPainter& operator=(const OffscreenPainter&) = delete;

  /// Draws a picture with the legends that `view` selects (Renderer::draw_image). An OpenGL context is current on the
  /// calling thread during the call only.
  [[nodiscard]] Result<Image> draw(const Frame& frame, const Camera& camera, const ViewParams& view, int width,
                                   int height);
  /// Draws an exposure in film quality (FilmRenderer::draw_exposure()). Painters of other kinds draw the last moment
  /// only. Requires at least one moment.
  [[nodiscard]] Result<Image> draw_exposure(std::span<const Frame> moments, const Camera& camera,
                                            const ViewParams& view, int width, int height);
  /// Records a snapshot for trails without drawing it (Renderer::note).
  void note(const Snapshot& snapshot, const ViewParams& view);
  /// Legends of the colours of the last picture.
  [[nodiscard]] const std::vector<Legend>& legends() const;
  /// Legends of the arrows of fields, of elements and of forces in the last picture.
  [[nodiscard]] std::array<VectorLegend, 3> vector_legends() const;
  [[nodiscard]] bool uses_opengl() const { return context_ != nullptr; }
  /// Report on the last picture in film quality, or null for other painters.
  [[nodiscard]] const FilmReport* film_report() const;

 private:
  OffscreenPainter();
  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<SoftwareRenderer> software_;  ///< if it is set, it replaces `context_` and `renderer_`
  std::unique_ptr<FilmRenderer> film_;          ///< if it is set, it replaces the other members
};

/// Returns the view parameters of the scene, or the default view parameters if the scene has no view.
[[nodiscard]] ViewParams scene_view(const Node& scene);
/// Returns the camera of a view. If the view frames the scene automatically, the subject of the snapshot fills about
/// two thirds of the picture (render/framing.h). `aspect` is the width of the picture divided by its height.
[[nodiscard]] Camera view_camera(const ViewParams& view, const Snapshot& snapshot, float aspect);
/// Converts a point of a camera to double precision.
[[nodiscard]] Vec3 scene_point(const glm::vec3& v);
/// Returns the scene with the eye, target and kind of projection of `camera` in its view, and without automatic
/// framing. The field of view is not changed.
[[nodiscard]] Node with_camera(Node scene, const Camera& camera);

}  // namespace vw
