#include "app/window/film_picture.h"

#include "render/film/film_renderer.h"

namespace vw {

double FilmProgress::remaining_s() const {
  constexpr double least_share = 0.02;
  const double share = share_;
  if (share < least_share) return -1;
  const double passed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  return passed_s * (1 - share) / share;
}

bool FilmProgress::report(double share) {
  share_ = share;
  return !ends_early_;
}

Result<Image> trace_film_picture(const FilmPlan& plan, FilmProgress& progress) {
  FilmSettings settings = plan.settings;
  settings.keep_going = [&progress](double share) { return progress.report(share); };
  settings.is_cancelled = [&progress] { return progress.is_cancelled(); };
  auto renderer = FilmRenderer::create(std::move(settings));
  if (!renderer) return Unexpected(renderer.error());
  return (*renderer)->draw_image({nullptr, &plan.shown, 1}, plan.camera, plan.view, plan.width, plan.height,
                                 plan.view.legend ? LegendOverlay::drawn : LegendOverlay::none);
}

}  // namespace vw
