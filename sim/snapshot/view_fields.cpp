#include "sim/snapshot/view_fields.h"

namespace vw {

const ParamTable<ViewParams>& field_view_params() {
  using V = ViewParams;
  static const Bounds anywhere{-1e6, 1e6};
  static const Bounds any_value{-1e12, 1e12};
  static const ParamTable<V> table{
      Param<V>{.member = &V::field,
               .key = "air",
               .label = "Air field",
               .live = Live::yes,
               .doc = "Name of the field that slice planes, arrows, lines and iso-surfaces show. Empty means the "
                      "sum of all fields."},
      Param<V>{.member = &V::quantity,
               .key = "air_quantity",
               .live = Live::yes,
               .doc = "Quantity that the slice planes show: speed, velocity_x (or _y, _z), vorticity, vorticity_x "
                      "(or _y, _z), q_criterion, value (of noise fields), or pressure (of fields that have one)."},
      Param<V>{.member = &V::plane_x,
               .key = "air_plane_x",
               .live = Live::yes,
               .doc = "Whether a slice plane perpendicular to the x axis shows the field."},
      Param<V>{.member = &V::plane_y,
               .key = "air_plane_y",
               .live = Live::yes,
               .doc = "Whether a slice plane perpendicular to the y axis shows the field."},
      Param<V>{.member = &V::plane_z,
               .key = "air_plane_z",
               .live = Live::yes,
               .doc = "Whether a slice plane perpendicular to the z axis shows the field."},
      Param<V>{.member = &V::planes_at,
               .key = "air_planes_at",
               .label = "Air plane position",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Point through which the slice planes of the field pass, if they are shown."},
      Param<V>{.member = &V::samples,
               .key = "air_samples",
               .unit = Unit::count,
               .range = {2, 1024},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Resolution of the slice planes: number of sample points of the field along the longest side of "
                      "a plane."},
      Param<V>{.member = &V::glyphs,
               .key = "air_glyphs",
               .label = "Air arrows",
               .live = Live::yes,
               .doc = "Whether arrows show the field. The arrows stand on the slice planes that are shown. If no slice "
                      "plane is shown, the arrows fill the box that `air_size` gives."},
      Param<V>{
          .member = &V::glyph_of,
          .key = "air_glyph_of",
          .label = "Air arrow quantity",
          .live = Live::yes,
          .doc =
              "Quantity that the arrows of the field show: velocity, acceleration (of the air itself), or vorticity."},
      Param<V>{.member = &V::glyph_count,
               .key = "air_glyph_count",
               .label = "Air arrow count",
               .unit = Unit::count,
               .range = {1, 200},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Number of arrows of the field along the longest side of the slice plane, or of the box if no "
                      "slice plane is shown."},
      Param<V>{.member = &V::air_seconds,
               .key = "air_seconds",
               .label = "Air arrow time",
               .unit = Unit::second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Length of an arrow of the field in metres for a vector of magnitude 1. An arrow of a velocity "
                      "is as long as the distance that the air travels in this time. 0 means automatic."},
      Param<V>{.member = &V::streamlines,
               .key = "air_streamlines",
               .unit = Unit::count,
               .range = {0, 5000},
               .live = Live::yes,
               .doc = "Number of streamlines of the field. A streamline is parallel to the present velocity of the air "
                      "at each of its points. 0 means no lines."},
      Param<V>{.member = &V::streamline_length_m,
               .key = "air_streamline_length",
               .label = "Air streamline length",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Length of each streamline of the field. 0 means twice the longest side of the box that "
                      "`air_size` gives."},
      Param<V>{.member = &V::pathlines,
               .key = "air_pathlines",
               .unit = Unit::count,
               .range = {0, 5000},
               .live = Live::yes,
               .doc = "Number of pathlines of the field. A pathline is the path of a marker that the air carries "
                      "along. 0 means no lines."},
      Param<V>{.member = &V::pathline_s,
               .key = "air_pathline_time",
               .label = "Air pathline time",
               .unit = Unit::second,
               .range = {1e-3, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length of time that each pathline covers."},
      Param<V>{.member = &V::ribbons,
               .key = "air_ribbons",
               .live = Live::yes,
               .doc = "Whether the streamlines of the field are drawn as ribbons. The twist of a ribbon shows the "
                      "rotation of the air about the line. The angular velocity of this rotation is half of the "
                      "vorticity component along the line."},
      Param<V>{.member = &V::streaklines,
               .key = "air_streaklines",
               .unit = Unit::count,
               .range = {0, 5000},
               .live = Live::yes,
               .doc = "Number of streaklines of the field. A streakline joins the markers that one fixed point has "
                      "released one after the other, and that the air carries along like smoke. 0 means no lines."},
      Param<V>{.member = &V::streakline_s,
               .key = "air_streakline_time",
               .label = "Air streakline time",
               .unit = Unit::second,
               .range = {1e-3, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Age of the oldest marker of each streakline of the field."},
      Param<V>{.member = &V::rake_from,
               .key = "air_rake_from",
               .label = "Air rake from",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "First end of the line on which the streamlines and streaklines of the field begin, at equal "
                      "distances. If both ends coincide, streamlines and streaklines begin at points that fill the box "
                      "evenly."},
      Param<V>{.member = &V::rake_to,
               .key = "air_rake_to",
               .label = "Air rake to",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Second end of the line on which the streamlines and streaklines of the field begin."},
      Param<V>{.member = &V::surface_of,
               .key = "air_surface_of",
               .label = "Air iso-surface quantity",
               .live = Live::yes,
               .doc = "Quantity of the iso-surfaces of the field: one of the quantities of `air_quantity`. Surfaces of "
                      "a positive value of q_criterion enclose the cores of vortices. Empty means no surface."},
      Param<V>{.member = &V::surface_at,
               .key = "air_surface_at",
               .label = "Air iso-surface values",
               .range = any_value,
               .live = Live::yes,
               .doc = "Values of `air_surface_of` on the iso-surfaces, in the unit of the quantity. Each value has a "
                      "surface. Empty means one automatic value. For q_criterion, it is the value that 4 % of the "
                      "sample points exceed, but at least 10 % and at most 30 % of the largest value, and small "
                      "separate parts of the surface are left out. For other quantities, it is the mean of the "
                      "smallest and the largest value."},
      Param<V>{.member = &V::surface_color,
               .key = "air_surface_color",
               .label = "Air iso-surface colour",
               .live = Live::yes,
               .doc = "Quantity that colours the iso-surfaces of the field: one of the quantities of `air_quantity`. "
                      "Empty means a single colour for each iso-surface."},
      Param<V>{.member = &V::surface_opacity,
               .key = "air_surface_opacity",
               .label = "Air iso-surface opacity",
               .range = {0.05, 1},
               .live = Live::yes,
               .doc = "Opacity of the iso-surfaces of the field, from 0 (invisible) to 1 (opaque). Below 1, surfaces "
                      "inside others are visible. Film quality draws the surfaces opaque."},
      Param<V>{.member = &V::surface_samples,
               .key = "air_surface_samples",
               .label = "Air iso-surface samples",
               .unit = Unit::count,
               .range = {4, 256},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Number of sample points of the field along the longest side of the box, from which the "
                      "iso-surfaces are computed. The computing time grows with the third power of this number."},
      Param<V>{.member = &V::box_center,
               .key = "air_center",
               .label = "Air box centre",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Centre of the box in which planes, arrows, lines and iso-surfaces of the field are shown. It "
                      "has no effect along an axis on which `air_size` is 0."},
      Param<V>{.member = &V::box_size,
               .key = "air_size",
               .label = "Air box size",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Edge lengths of the box in which planes, arrows, lines and iso-surfaces of the field are shown. "
                      "Along an axis with the length 0, the box contains the scene with a margin."},
      Param<V>{.member = &V::air_opacity,
               .key = "air_opacity",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Opacity of the slice planes, from 0 (invisible) to 1 (opaque)."},
      Param<V>{.member = &V::air_range_auto,
               .key = "air_range_auto",
               .label = "Air automatic range",
               .live = Live::yes,
               .doc = "Whether the colour range of slice planes and lines fits the displayed values. If off, the range "
                      "extends from `air_range_min` to `air_range_max`."},
      Param<V>{.member = &V::air_range_min,
               .key = "air_range_min",
               .label = "Air range from",
               .range = any_value,
               .live = Live::yes,
               .doc = "Lower end of the colour range of slice planes (in the unit of `air_quantity`) and lines (in "
                      "m/s). It is used only if `air_range_auto` is off."},
      Param<V>{.member = &V::air_range_max,
               .key = "air_range_max",
               .label = "Air range to",
               .range = any_value,
               .live = Live::yes,
               .doc = "Upper end of the colour range of slice planes (in the unit of `air_quantity`) and lines (in "
                      "m/s). It is used only if `air_range_auto` is off."},
  };
  return table;
}

const ParamTable<ViewParams>& fluid_view_params() {
  using V = ViewParams;
  static const Bounds anywhere{-1e6, 1e6};
  static const Bounds any_value{-1e12, 1e12};
  static const ParamTable<V> table{
      Param<V>{.member = &V::fluid_streamlines,
               .key = "fluid_streamlines",
               .unit = Unit::count,
               .range = {0, 5000},
               .live = Live::yes,
               .doc = "Number of streamlines in each fluid. A streamline is parallel to the present velocity of the "
                      "fluid at each of its points. 0 means no lines."},
      Param<V>{.member = &V::fluid_ribbons,
               .key = "fluid_ribbons",
               .live = Live::yes,
               .doc = "Whether the streamlines of fluids are drawn as ribbons. The twist of a ribbon shows the "
                      "rotation of the fluid about the line. The angular velocity of this rotation is half of the "
                      "vorticity component along the line."},
      Param<V>{.member = &V::fluid_streaklines,
               .key = "fluid_streaklines",
               .unit = Unit::count,
               .range = {0, 5000},
               .live = Live::yes,
               .doc = "Number of streaklines in each fluid. A streakline joins the markers that one fixed point has "
                      "released one after the other, and that the fluid carries along like dye. The points begin to "
                      "release markers when the lines are switched on. 0 means no lines."},
      Param<V>{.member = &V::fluid_streakline_s,
               .key = "fluid_streakline_time",
               .label = "Fluid streakline time",
               .unit = Unit::second,
               .range = {1e-3, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Age of the oldest marker of each streakline in a fluid."},
      Param<V>{.member = &V::fluid_rake_from,
               .key = "fluid_rake_from",
               .label = "Fluid rake from",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "First end of the line on which the streamlines and streaklines of fluids begin, at equal "
                      "distances. If both ends coincide, the lines begin at points that fill the fluid evenly."},
      Param<V>{.member = &V::fluid_rake_to,
               .key = "fluid_rake_to",
               .label = "Fluid rake to",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Second end of the line on which the streamlines and streaklines of fluids begin."},
      Param<V>{.member = &V::fluid_surface_of,
               .key = "fluid_surface_of",
               .label = "Fluid iso-surface quantity",
               .live = Live::yes,
               .doc = "Quantity of the iso-surfaces of fluids: speed, vorticity, q_criterion, or a channel such as "
                      "pressure. Surfaces of a positive value of q_criterion enclose the cores of vortices. Empty "
                      "means no surface."},
      Param<V>{.member = &V::fluid_surface_at,
               .key = "fluid_surface_at",
               .label = "Fluid iso-surface values",
               .range = any_value,
               .live = Live::yes,
               .doc = "Values of `fluid_surface_of` on the iso-surfaces, in the unit of the quantity. Each value has a "
                      "surface. Empty means one automatic value. For q_criterion, it is the value that 4 % of the "
                      "sample points exceed, but at least 10 % and at most 30 % of the largest value, and small "
                      "separate parts of the surface are left out. For other quantities, it is the mean of the "
                      "smallest and the largest value."},
      Param<V>{.member = &V::fluid_surface_opacity,
               .key = "fluid_surface_opacity",
               .label = "Fluid iso-surface opacity",
               .range = {0.05, 1},
               .live = Live::yes,
               .doc = "Opacity of the iso-surfaces of fluids, from 0 (invisible) to 1 (opaque). Below 1, surfaces "
                      "inside others are visible. Film quality draws the surfaces opaque."},
      Param<V>{.member = &V::fluid_surface_color,
               .key = "fluid_surface_color",
               .label = "Fluid iso-surface colour",
               .live = Live::yes,
               .doc = "Quantity that colours the iso-surfaces of fluids: speed, vorticity, q_criterion, or a channel. "
                      "Empty means a single colour for each iso-surface."},
  };
  return table;
}

}  // namespace vw
