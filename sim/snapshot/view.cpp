// The one place where view parameters are declared.
#include "sim/snapshot/view.h"

namespace vw {

const ParamTable<ViewParams>& view_params() {
  using V = ViewParams;
  static const Bounds anywhere{-1e6, 1e6};
  static const Bounds any_value{-1e12, 1e12};
  static const ParamTable<V> table{
      {&V::eye, "eye", Unit::meter, {0.6, 0.4, 0.8}, anywhere, Live::yes, "Where the camera stands."},
      {&V::target, "target", Unit::meter, {0, 0.1, 0}, anywhere, Live::yes, "The point that the camera looks at."},
      {&V::fov_deg,
       "fov_deg",
       Unit::none,
       40.0,
       {5, 120},
       Scale::linear,
       Live::yes,
       "Vertical field of view in degrees, of pictures of 16:9 and wider; narrower ones show as much from left to right."},
      {&V::auto_frame, "auto_frame", true, Live::yes, "At the start, move the camera along its direction until everything is in the picture."},
      {&V::color_by, "color_by", "material", Live::yes, "What colours the elements: material, or a channel such as speed or strain."},
      {&V::range_auto, "range_auto", true, Live::yes, "Take the colour range from the values shown."},
      {&V::range_min, "range_min", Unit::none, 0.0, any_value, Scale::linear, Live::yes, "Lower end of the colour range when it is not automatic."},
      {&V::range_max, "range_max", Unit::none, 1.0, any_value, Scale::linear, Live::yes, "Upper end of the colour range when it is not automatic."},
      {&V::vectors, "vectors", false, Live::yes, "Draw each element's velocity as an arrow."},
      {&V::vector_scale,
       "vector_scale",
       VectorScale::automatic,
       {"automatic", "manual"},
       Live::yes,
       "Arrow length: fitted to the fastest element, or set by vector_seconds."},
      {&V::vector_length,
       "vector_length",
       VectorLength::linear,
       {"linear", "logarithmic", "constant"},
       Live::yes,
       "How an arrow's length follows the speed."},
      {&V::vector_seconds,
       "vector_seconds",
       Unit::second,
       0.05,
       {1e-6, 1e3},
       Scale::log,
       Live::yes,
       "Manual scale: an arrow is as long as the way travelled in this time."},
      {&V::vector_limit, "vector_limit", Unit::count, 3000, {1, 1e6}, Scale::log, Live::yes, "Arrows at most; beyond it an even selection is drawn."},
      {&V::ground_grid, "ground_grid", true, Live::yes, "Draw the grid on the ground."},
      {&V::colliders, "colliders", true, Live::yes, "Draw the obstacles."},
      {&V::wireframe, "wireframe", false, Live::yes, "Draw the voxel edges on the skin."},
      {&V::legend, "legend", true, Live::yes, "Show the legend of colours and arrows."},
      {&V::trace, "trace", false, Live::yes, "Draw the path of each body's centre of mass since the start."},
      {&V::particle_style,
       "particle_style",
       ParticleStyle::balls,
       {"balls", "discs"},
       Live::yes,
       "Particles as shaded balls, or as flat antialiased discs in exactly the legend's colours."},
      {&V::fluid_style,
       "fluid_style",
       FluidStyle::automatic,
       {"automatic", "surface", "particles"},
       Live::yes,
       "Fluids as one surface that is seen through, or as their particles; automatic: particles while they are coloured by a channel, and in windows "
       "without a graphics device."},
      {&V::fluid_clarity_m,
       "fluid_clarity",
       Unit::meter,
       0.0,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "How deep into a fluid's surface one sees before it has taken on its colour; 0: as fits its size."},
      {&V::foam, "foam", true, Live::yes, "Whiten a fluid's surface where it breaks."},
      {&V::cut, "cut", Cut::none, {"none", "x", "y", "z"}, Live::yes, "Cut the picture open across this axis: what lies beyond cut_at is not drawn."},
      {&V::cut_at_m, "cut_at", Unit::meter, 0.0, anywhere, Scale::linear, Live::yes, "Where the picture is cut."},
      {&V::cut_flip, "cut_flip", false, Live::yes, "Take away what lies below cut_at in place of what lies above it."},
      {&V::quality,
       "quality",
       Quality::automatic,
       {"automatic", "low", "medium", "high"},
       Live::yes,
       "Effort of the picture; automatic follows the graphics device and the frame time."},
  };
  return table;
}

const Schema& view_schema() {
  static const Schema schema{
      "view", "How the world is looked at: camera, colours, overlays. No part of the simulation's state.", view_params().specs(), {}};
  return schema;
}

}  // namespace vw
