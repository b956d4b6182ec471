// Surfaces of fluids for the path tracer. They are closed meshes around the particles (sim/surface), fitted to the
// walls and bodies that the fluid touches.
#pragma once

#include "render/film/film_rays.h"
#include "render/film/film_scene.h"
#include "sim/base/error.h"

namespace vw::film {

/// Adds the surfaces of all fluids of the frame that are drawn as a surface to `scene`. `rays` must contain all parts
/// that `scene` has on entry. The caller must add the new parts to `rays` afterwards. Returns an error if a surface
/// cannot be built.
[[nodiscard]] Result<void> add_fluids(const FrameData& set, const ViewParams& view, const FilmRays& rays,
                                      FilmScene& scene);

}  // namespace vw::film
