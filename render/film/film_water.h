// Fluids of the path tracer: closed meshes around the particles (sim/surface), fitted to the walls and bodies that the
// fluid touches.
#pragma once

#include "render/film/film_rays.h"
#include "render/film/film_scene.h"
#include "sim/base/error.h"

namespace vw::film {

/// Adds the surfaces of all fluids of the frame that are drawn as a surface. `rays` must hold the parts of `scene` so
/// far; the caller adds the new parts to it.
[[nodiscard]] Result<void> add_fluids(const FrameData& set, const ViewParams& view, const FilmRays& rays,
                                      FilmScene& scene);

}  // namespace vw::film
