// Pictures with an alpha channel (ViewParams::transparent). Objects, shadows and fluids
// are blended over the background in several colour spaces. A transparent picture is therefore computed from two
// pictures over different backgrounds (A. Smith, J. Blinn, "Blue screen matting", 1996, triangulation), so that it
// looks right over any background that is blended in sRGB, as programs for documents do.
#pragma once

#include "render/image.h"
#include "render/labels/legend_picture.h"
#include "sim/base/error.h"
#include "sim/snapshot/view.h"

namespace vw {

/// rgb: displayed colour of the matte (sRGB). w: 1, or 0 if the picture shows the background and the ground of the
/// scene. The matte of a view with a transparent background is white where the picture has no alpha channel.
[[nodiscard]] glm::vec4 plain_background(const ViewParams& view);
/// Returns the picture with alpha whose blends over the white and the dark background equal the two pictures. Both
/// pictures have the same size.
[[nodiscard]] Image matted(const Image& over_white, const Image& over_dark);
/// Colours and size of the legends of a picture.
[[nodiscard]] LegendStyle legend_style(const ViewParams& view);

/// Returns the picture with alpha. `draw` draws a picture with the given view. A transparent picture has no grid, whose
/// many thin lines would cover the background as a veil.
template <class Draw>
[[nodiscard]] Result<Image> draw_transparent(const ViewParams& view, const Draw& draw) {
  ViewParams plain = view;
  plain.ground_grid = false;
  plain.transparent = false;
  plain.matte = Matte::dark;
  const Result<Image> over_dark = draw(plain);
  if (!over_dark) return over_dark;
  plain.matte = Matte::white;
  const Result<Image> over_white = draw(plain);
  if (!over_white) return over_white;
  return matted(*over_white, *over_dark);
}

}  // namespace vw
