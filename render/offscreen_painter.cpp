#include "render/offscreen_painter.h"

#include <utility>

#include "render/film/film_renderer.h"
#include "render/framing.h"
#include "render/gl/context.h"
#include "render/software/software_renderer.h"

namespace vw {
namespace {

glm::vec3 camera_point(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

}  // namespace

OffscreenPainter::OffscreenPainter() = default;

OffscreenPainter::~OffscreenPainter() {
  if (context_ == nullptr) return;
  context_->make_current();  // the renderer deletes its objects in the context
  renderer_.reset();
}

Result<std::unique_ptr<OffscreenPainter>> OffscreenPainter::create_opengl(std::optional<Error>& unavailable) {
  auto context = OffscreenContext::create();
  if (!context) {
    unavailable = context.error();
    return nullptr;
  }
  auto renderer = Renderer::create();
  if (!renderer) return Unexpected(renderer.error());
  std::unique_ptr<OffscreenPainter> made(new OffscreenPainter);
  made->context_ = std::move(*context);
  made->renderer_ = std::move(*renderer);
  made->context_->release_current();
  return made;
}

std::unique_ptr<OffscreenPainter> OffscreenPainter::create_software() {
  std::unique_ptr<OffscreenPainter> made(new OffscreenPainter);
  made->software_ = std::make_unique<SoftwareRenderer>();
  return made;
}

Result<std::unique_ptr<OffscreenPainter>> OffscreenPainter::create_film(FilmSettings settings) {
  auto film = FilmRenderer::create(std::move(settings));
  if (!film) return Unexpected(film.error());
  std::unique_ptr<OffscreenPainter> made(new OffscreenPainter);
  made->film_ = std::move(*film);
  return made;
}

const FilmReport* OffscreenPainter::film_report() const { return film_ != nullptr ? &film_->report() : nullptr; }

Result<Image> OffscreenPainter::draw(const Frame& frame, const Camera& camera, const ViewParams& view, int width,
                                     int height) {
  const LegendOverlay legends = view.legend ? LegendOverlay::drawn : LegendOverlay::none;
  if (film_ != nullptr) return film_->draw_image(frame, camera, view, width, height, legends);
  if (software_ != nullptr) return software_->draw_image(frame, camera, view, {}, width, height, legends);
  context_->make_current();
  auto image = renderer_->draw_image(frame, camera, view, {}, width, height, legends);
  context_->release_current();
  return image;
}

Result<Image> OffscreenPainter::draw_exposure(std::span<const Frame> moments, const Camera& camera,
                                              const ViewParams& view, int width, int height) {
  if (film_ == nullptr) return draw(moments.back(), camera, view, width, height);
  const LegendOverlay legends = view.legend ? LegendOverlay::drawn : LegendOverlay::none;
  return film_->draw_exposure(moments, camera, view, width, height, legends);
}

void OffscreenPainter::note(const Snapshot& snapshot, const ViewParams& view) {
  if (film_ != nullptr) return film_->note(snapshot, view);
  if (software_ != nullptr) return software_->note(snapshot, view);
  context_->make_current();
  renderer_->note(snapshot, view);
  context_->release_current();
}

const std::vector<Legend>& OffscreenPainter::legends() const {
  if (film_ != nullptr) return film_->legends();
  return software_ != nullptr ? software_->legends() : renderer_->legends();
}

std::array<VectorLegend, 3> OffscreenPainter::vector_legends() const {
  const auto of = [](const auto& renderer) -> std::array<VectorLegend, 3> {
    return {renderer.air_legend(), renderer.vector_legend(), renderer.force_legend()};
  };
  if (film_ != nullptr) return {};  // a picture in film quality has no arrows
  return software_ != nullptr ? of(*software_) : of(*renderer_);
}

ViewParams scene_view(const Node& scene) {
  const Node* view = scene.only("view");
  return view != nullptr ? view_params().read(view->values) : view_params().defaults();
}

Camera view_camera(const ViewParams& view, const Snapshot& snapshot, float aspect) {
  Camera camera;
  camera.eye = camera_point(view.eye);
  camera.target = camera_point(view.target);
  camera.fov_deg = static_cast<float>(view.fov_deg);
  camera.is_orthographic = view.orthographic;
  if (view.auto_frame) frame_subject(camera, snapshot, aspect);
  return camera;
}

Vec3 scene_point(const glm::vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Node with_camera(Node scene, const Camera& camera) {
  (void)set_parameter(scene, "view.eye", Value(scene_point(camera.eye)));
  (void)set_parameter(scene, "view.target", Value(scene_point(camera.target)));
  (void)set_parameter(scene, "view.auto_frame", Value(false));
  (void)set_parameter(scene, "view.orthographic", Value(camera.is_orthographic));
  return scene;
}

}  // namespace vw
