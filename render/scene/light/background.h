// Pictures with an alpha channel (ViewParams::transparent). Objects, shadows and fluids are blended over the background
// in several colour spaces, so the alpha of a pixel is not known from a single picture. A transparent picture is
// therefore computed from two pictures over different backgrounds (triangulation; A. Smith, J. Blinn, "Blue screen
// matting", 1996). The result looks right over any background if it is blended in sRGB, as programs for documents do.
#pragma once

#include "render/image.h"
#include "render/labels/legend_picture.h"
#include "sim/base/error.h"
#include "sim/snapshot/view.h"

namespace vw {

/// Returns the uniform colour (matte) that replaces background and ground in a picture of this view. rgb: displayed
/// colour (sRGB). w: 1, or 0 if the picture shows background and ground. If a renderer draws a transparent view without
/// an alpha channel, the matte is white.
[[nodiscard]] glm::vec4 plain_background(const ViewParams& view);
/// Returns the picture with alpha that equals the two pictures if it is blended over the white and over the dark matte.
/// Both pictures must have the same size.
[[nodiscard]] Image matted(const Image& over_white, const Image& over_dark);
/// Returns the colours and the size of the legends in a picture of this view.
[[nodiscard]] LegendStyle legend_style(const ViewParams& view);

/// Returns a transparent picture. `draw` draws a picture of a given view, and is called once for each matte. The grid
/// of the ground is left out, because its many thin lines would partly cover any background. An error of `draw` is
/// returned.
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
