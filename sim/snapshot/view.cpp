// Parameter table of the view settings.
#include "sim/snapshot/view.h"

#include "sim/snapshot/view_fields.h"

namespace vw {

const ParamTable<ViewParams>& view_params() {
  using V = ViewParams;
  static const Bounds anywhere{-1e6, 1e6};
  static const Bounds any_value{-1e12, 1e12};
  const auto camera = [](const std::string& number, NumberList V::*member) {
    return Param<V>{.member = member,
                    .key = "camera_" + number,
                    .unit = Unit::meter,
                    .range = anywhere,
                    .live = Live::yes,
                    .doc = "Stored camera " + number +
                           ": position of the camera (x, y, z), then the point that it looks at (x, y, z). Empty means "
                           "that no camera is stored."};
  };
  static const ParamTable<V> table{
      Param<V>{.member = &V::eye,
               .key = "eye",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Position of the camera. If `auto_frame` is on, `eye` and `target` determine only the viewing "
                      "direction at the start."},
      Param<V>{.member = &V::target,
               .key = "target",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Point that the camera looks at."},
      Param<V>{.member = &V::fov_deg,
               .key = "fov_deg",
               .label = "Field of view",
               .unit = Unit::degree,
               .range = {5, 120},
               .live = Live::yes,
               .doc = "Vertical field of view of pictures with an aspect ratio of 16:9 or wider. Narrower pictures "
                      "have the same horizontal field of view as a picture of 16:9."},
      Param<V>{.member = &V::auto_frame,
               .key = "auto_frame",
               .label = "Automatic framing",
               .live = Live::yes,
               .doc = "Whether the camera moves at the start, without changing its viewing direction, so that the "
                      "subject of the scene is in the middle and fills about two thirds of the picture. The subject "
                      "consists of the bodies, particles and fluids, except for a few elements far from the others."},
      Param<V>{.member = &V::auto_follow,
               .key = "auto_follow",
               .label = "Automatic camera",
               .live = Live::yes,
               .doc = "Whether a camera that `auto_frame` has placed follows the subject smoothly when the subject "
                      "leaves the picture. The camera stops following when the user moves it. `auto_follow` has no "
                      "effect if `follow` is not empty."},
      Param<V>{.member = &V::orthographic,
               .key = "orthographic",
               .label = "Orthographic",
               .live = Live::yes,
               .doc = "Whether the picture shows an orthographic projection, in which the size of an object does not "
                      "depend on its distance."},
      Param<V>{.member = &V::color_by,
               .key = "color_by",
               .label = "Colour by",
               .live = Live::yes,
               .doc = "Quantity that determines the colour of elements: material, or a channel such as speed or "
                      "strain. With material, elements have the colours that the scene gives to their materials."},
      Param<V>{.member = &V::range_auto,
               .key = "range_auto",
               .label = "Automatic range",
               .live = Live::yes,
               .doc = "Whether the colour range of elements fits the displayed values. If off, the range extends from "
                      "`range_min` to `range_max`."},
      Param<V>{.member = &V::range_min,
               .key = "range_min",
               .label = "Range from",
               .range = any_value,
               .live = Live::yes,
               .doc = "Lower end of the colour range of elements, in the unit of the displayed channel. It is used "
                      "only if `range_auto` is off."},
      Param<V>{.member = &V::range_max,
               .key = "range_max",
               .label = "Range to",
               .range = any_value,
               .live = Live::yes,
               .doc = "Upper end of the colour range of elements, in the unit of the displayed channel. It is used "
                      "only if `range_auto` is off."},
      Param<V>{.member = &V::range_symmetric,
               .key = "range_symmetric",
               .label = "Symmetric range",
               .live = Live::yes,
               .doc = "Whether the colour range of elements is extended to be symmetric about zero, so that the middle "
                      "of the colour map is zero. If `range_auto` is on, the range of a channel that can be negative "
                      "is symmetric even without this setting. It has no effect on a logarithmic scale."},
      Param<V>{.member = &V::color_map,
               .key = "color_map",
               .label = "Colour map",
               .live = Live::yes,
               .choices = {"automatic", "viridis", "cividis", "coolwarm"},
               .doc = "Colour map of elements coloured by a channel, and of slice planes. automatic: a map that suits "
                      "the sign of the values. viridis: dark violet to yellow. cividis: dark blue to yellow, which "
                      "looks almost the same with a colour vision deficiency. coolwarm: blue over light grey to red, "
                      "for values on both sides of zero. All maps can be read with the common colour vision "
                      "deficiencies."},
      Param<V>{.member = &V::color_levels,
               .key = "color_levels",
               .label = "Colour levels",
               .unit = Unit::count,
               .range = {0, 64},
               .live = Live::yes,
               .doc = "Number of discrete colours into which the colour map is divided. 0 means continuous colours."},
      Param<V>{.member = &V::color_scale,
               .key = "color_scale",
               .label = "Colour scale",
               .live = Live::yes,
               .choices = {"linear", "logarithmic"},
               .doc = "Relation between values and colours of elements. linear: equal differences of values have equal "
                      "colour steps. logarithmic: equal ratios of values have equal colour steps. Values of zero and "
                      "below have the first colour. If the lower end of the range is not positive, the scale covers "
                      "four decades below the upper end."},
      Param<V>{.member = &V::vectors,
               .key = "vectors",
               .label = "Vector arrows",
               .live = Live::yes,
               .doc = "Whether arrows at the elements show the vector `vector_of`."},
      Param<V>{.member = &V::vector_of,
               .key = "vector_of",
               .label = "Vector",
               .live = Live::yes,
               .doc = "Vector that the arrows of elements show: velocity, acceleration, net_force (mass times "
                      "acceleration), or a vector that a system provides, such as vorticity."},
      Param<V>{.member = &V::vector_systems,
               .key = "vector_systems",
               .label = "Systems with arrows",
               .live = Live::yes,
               .doc = "Names of the systems whose elements have arrows. Empty means all systems."},
      Param<V>{.member = &V::vector_scale,
               .key = "vector_scale",
               .label = "Arrow scale",
               .live = Live::yes,
               .choices = {"automatic", "manual"},
               .doc = "Scaling of the length of arrows. automatic: the longest arrows are about as long as the "
                      "distance between arrows. manual: `vector_seconds` determines the length."},
      Param<V>{.member = &V::vector_length,
               .key = "vector_length",
               .label = "Arrow length",
               .live = Live::yes,
               .choices = {"linear", "logarithmic", "constant"},
               .doc = "Relation between the length of an arrow and the magnitude of its vector. linear: the length is "
                      "proportional to the magnitude. logarithmic: the length grows with the logarithm of the "
                      "magnitude. The length is zero at `vector_decades` decades below the upper end of the arrow "
                      "range. constant: all arrows have the same length."},
      Param<V>{.member = &V::vector_seconds,
               .key = "vector_seconds",
               .label = "Arrow time",
               .unit = Unit::second,
               .range = {1e-6, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length of an arrow in metres for a vector of magnitude 1, if `vector_scale` is manual. An arrow "
                      "of a velocity is as long as the distance that the element travels in this time."},
      Param<V>{.member = &V::vector_limit,
               .key = "vector_limit",
               .label = "Maximum arrows",
               .unit = Unit::count,
               .range = {1, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest number of arrows. If there are more elements, only a part of the elements, evenly "
                      "distributed, has arrows."},
      Param<V>{.member = &V::vector_color,
               .key = "vector_color",
               .label = "Arrow colour",
               .live = Live::yes,
               .choices = {"magnitude", "direction", "system"},
               .doc = "Property that determines the colour of an arrow. magnitude: the magnitude of the vector. "
                      "direction: the direction of the vector. The directions x, y and z are red, green and blue, and "
                      "the opposite directions are cyan, magenta and yellow. system: the system of the element."},
      Param<V>{.member = &V::vector_clamp,
               .key = "vector_clamp",
               .label = "Longest arrow",
               .unit = Unit::ratio,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Largest length of an arrow, as a multiple of the length at the upper end of the arrow range. "
                      "Longer arrows are shortened to this length. 0 means no limit."},
      Param<V>{.member = &V::vector_range_auto,
               .key = "vector_range_auto",
               .label = "Automatic arrow range",
               .live = Live::yes,
               .doc = "Whether the upper end of the arrow range is the 95th percentile of the displayed magnitudes. If "
                      "off, `vector_range` is the upper end. The lower end is 0, or follows from `vector_decades` if "
                      "`vector_length` is logarithmic."},
      Param<V>{.member = &V::vector_range,
               .key = "vector_range",
               .label = "Upper end of arrow range",
               .range = {1e-12, 1e12},
               .scale = Scale::log,
               .live = Live::yes,
               .doc =
                   "Upper end of the arrow range, in the unit of the vector. It is used only if `vector_range_auto` is "
                   "off. A vector of this magnitude has an arrow of full length with the last colour of the legend."},
      Param<V>{.member = &V::vector_decades,
               .key = "vector_decades",
               .label = "Arrow decades",
               .range = {0.1, 12},
               .live = Live::yes,
               .doc = "Number of decades that the lengths and colours of arrows cover, counted down from the upper end "
                      "of the arrow range. It is used only if `vector_length` is logarithmic. Vectors of smaller "
                      "magnitude have no arrow."},
      Param<V>{.member = &V::ground_grid,
               .key = "ground_grid",
               .live = Live::yes,
               .doc = "Whether the grid on the ground is drawn. Only the floors `plain` and `sweep` have a grid."},
      Param<V>{.member = &V::environment,
               .key = "environment",
               .live = Live::yes,
               .choices = {"sky", "studio", "overcast", "white", "night", "dark"},
               .doc = "Light, reflections and background of the picture. sky: sun and blue sky. studio: a strong lamp "
                      "and two soft ones before a grey background. overcast: an even grey sky with faint shadows. "
                      "white: soft light before a white background, for print. night: moonlight. dark: the lamps of "
                      "the studio before an almost black background, for talks."},
      Param<V>{.member = &V::floor,
               .key = "floor",
               .live = Live::yes,
               .choices = {"plain", "sweep", "checker", "wood", "concrete", "sand", "grass"},
               .doc = "Surface of the ground. plain: the colour of the ground, with a grid if `ground_grid` is on. "
                      "sweep: as plain, but without a horizon, because the ground passes smoothly into the background. "
                      "The others are patterns that are tinted with the colour of the ground. Low quality shows their "
                      "mean colours."},
      Param<V>{.member = &V::exposure,
               .key = "exposure",
               .range = {-8, 8},
               .live = Live::yes,
               .doc = "Brightness of all light in stops. Each stop doubles the light. Typical: -1 to 1."},
      Param<V>{.member = &V::white_balance_k,
               .key = "white_balance",
               .unit = Unit::kelvin,
               .range = {2500, 15000},
               .live = Live::yes,
               .doc = "Colour temperature of the light that appears white. Lower values make the picture cooler, "
                      "higher values make it warmer. Typical: 5000 to 8000 K."},
      Param<V>{.member = &V::colliders,
               .key = "colliders",
               .label = "Obstacles",
               .live = Live::yes,
               .doc = "Whether obstacles (the colliders of the scene) are drawn."},
      Param<V>{.member = &V::hidden,
               .key = "hidden",
               .label = "Hidden objects",
               .live = Live::yes,
               .doc = "Names of systems and obstacles that are not drawn in pictures. Their shadows are not drawn "
                      "either. The simulation still includes them."},
      Param<V>{.member = &V::locked,
               .key = "locked",
               .label = "Locked objects",
               .live = Live::yes,
               .doc = "Names of systems and obstacles that the mouse neither selects nor drags in the picture. A click "
                      "reaches the object behind them."},
      Param<V>{.member = &V::wireframe,
               .key = "wireframe",
               .label = "Voxel edges",
               .live = Live::yes,
               .doc = "Whether the edges of voxels are drawn on the surface of voxel bodies."},
      Param<V>{.member = &V::legend,
               .key = "legend",
               .live = Live::yes,
               .doc = "Whether the legends of colours and arrows are shown."},
      Param<V>{.member = &V::legend_theme,
               .key = "legend_theme",
               .label = "Legend theme",
               .live = Live::yes,
               .choices = {"automatic", "dark", "light"},
               .doc = "Colours of the legends in pictures and videos. dark: light text on a dark plate. light: black "
                      "text on a light plate. automatic: light if the environment is `white` or the background "
                      "transparent, else dark."},
      Param<V>{.member = &V::legend_size,
               .key = "legend_size",
               .label = "Legend size",
               .unit = Unit::ratio,
               .range = {0.25, 8},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Size of the legends in pictures and videos, relative to the size that suits the height of the "
                      "picture."},
      Param<V>{.member = &V::transparent,
               .key = "transparent",
               .label = "Transparent background",
               .live = Live::yes,
               .doc = "Whether pictures have an alpha channel, with a transparent background and ground. Shadows on "
                      "the ground remain visible. The window and videos show white in place of the background and the "
                      "ground."},
      Param<V>{.member = &V::trace,
               .key = "trace",
               .label = "Centre-of-mass paths",
               .live = Live::yes,
               .doc = "Whether the path of the centre of mass since the start is drawn, for each voxel body and each "
                      "rigid system with a single body."},
      Param<V>{.member = &V::trails,
               .key = "trails",
               .live = Live::yes,
               .doc = "Whether the recent paths of elements (trails) are drawn."},
      Param<V>{.member = &V::trail_s,
               .key = "trail_time",
               .label = "Trail duration",
               .unit = Unit::second,
               .range = {1e-3, 1e4},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length of time that the trail of an element covers, up to the present time."},
      Param<V>{.member = &V::trail_limit,
               .key = "trail_limit",
               .label = "Maximum trails",
               .unit = Unit::count,
               .range = {1, 1e5},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest number of trails. If there are more elements, only a part of the elements, evenly "
                      "distributed, has trails."},
      Param<V>{.member = &V::trail_systems,
               .key = "trail_systems",
               .label = "Systems with trails",
               .live = Live::yes,
               .doc = "Names of the systems whose elements have trails, or of single elements such as school.17. Empty "
                      "means all systems."},
      Param<V>{.member = &V::trail_color,
               .key = "trail_color",
               .label = "Trail colour",
               .live = Live::yes,
               .choices = {"magnitude", "direction", "system"},
               .doc = "Property that determines the colour of a trail. magnitude: the speed of the element. direction: "
                      "the direction of its motion. system: the system of the element."},
      Param<V>{.member = &V::follow,
               .key = "follow",
               .live = Live::yes,
               .doc = "Name of the system whose centre of mass the camera follows, or name of a single element that "
                      "the camera follows, such as school.17. If empty, the camera follows nothing."},
      Param<V>{.member = &V::particle_style,
               .key = "particle_style",
               .live = Live::yes,
               .choices = {"balls", "discs"},
               .doc = "Drawing style of particles. balls: shaded balls. discs: flat discs in exactly the colours of "
                      "the legend."},
      Param<V>{
          .member = &V::fluid_style,
          .key = "fluid_style",
          .label = "Fluid style",
          .live = Live::yes,
          .choices = {"automatic", "surface", "particles"},
          .doc =
              "Drawing style of fluids. automatic: a surface, but particles if a channel colours the fluid or if the "
              "window runs without a graphics device. surface: one transparent surface. particles: single particles."},
      Param<V>{.member = &V::fluid_clarity_m,
               .key = "fluid_clarity",
               .label = "Fluid clarity",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Depth at which a fluid is no longer transparent and has its full colour. Larger values make the "
                      "fluid clearer. 0 means automatic, from the size of the fluid."},
      Param<V>{.member = &V::foam,
               .key = "foam",
               .label = "Foam",
               .live = Live::yes,
               .doc = "Whether breaking parts of a fluid surface are drawn white, as foam."},
      fluid_view_params(),
      Param<V>{.member = &V::glow,
               .key = "glow",
               .label = "Glowing objects",
               .live = Live::yes,
               .doc = "Names of systems and obstacles that emit light in their own colours, such as embers and lamps. "
                      "Only pictures in film quality, which `voxwake render --film` draws, show this light."},
      Param<V>{.member = &V::glow_strength,
               .key = "glow_strength",
               .unit = Unit::ratio,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Brightness of the objects that `glow` lists, as the ratio of their radiance to their colour. "
                      "At 1, a glowing object is about as bright as an object of the same colour in the sun. It has an "
                      "effect only in film quality."},
      Param<V>{.member = &V::rigid_style,
               .key = "rigid_style",
               .label = "Rigid body style",
               .live = Live::yes,
               .choices = {"surface", "particles"},
               .doc = "Drawing style of rigid bodies. surface: the surfaces of the bodies. particles: particles that "
                      "fill the bodies. Their diameter is `particle_size` of the system or, if that is 0, the particle "
                      "spacing of a fluid that interacts with the bodies. Without such a fluid, the surfaces are "
                      "drawn."},
      Param<V>{.member = &V::joints,
               .key = "joints",
               .live = Live::yes,
               .choices = {"links", "all", "none"},
               .doc = "Kinds of joints between rigid bodies that pictures show. links: only ropes, rods and springs. "
                      "all: all joints, with anchors and axes. none: no joints."},
      Param<V>{.member = &V::body_frames,
               .key = "body_frames",
               .label = "Body axes",
               .live = Live::yes,
               .doc = "Whether the principal axes of inertia of rigid bodies are drawn at the centre of mass, in red, "
                      "green and blue."},
      Param<V>{.member = &V::mass_centers,
               .key = "mass_centers",
               .label = "Centres of mass",
               .live = Live::yes,
               .doc = "Whether the centre of mass of each rigid body and of each voxel body is marked."},
      Param<V>{
          .member = &V::sleepers,
          .key = "sleepers",
          .label = "Dark sleeping bodies",
          .live = Live::yes,
          .doc = "Whether sleeping rigid bodies are drawn darker. It has no effect if a channel colours the bodies."},
      Param<V>{.member = &V::contacts,
               .key = "contacts",
               .live = Live::yes,
               .doc = "Whether the contacts of rigid bodies are marked, with an arrow for the force at each contact. "
                      "The arrows have the scale `force_scale`."},
      Param<V>{.member = &V::actuators,
               .key = "actuators",
               .label = "Driven parts",
               .live = Live::yes,
               .doc = "Whether a glowing dot marks each joint, emitter, inflow, drain, source of wind and obstacle "
                      "that an actuator drives. The dot is orange if the value of the actuator is positive and blue if "
                      "the value is negative. Its size and brightness grow with the magnitude of the value, relative "
                      "to the largest magnitude so far."},
      Param<V>{.member = &V::forces,
               .key = "forces",
               .label = "Force arrows",
               .live = Live::yes,
               .doc = "Names of the interactions between systems whose forces on elements are drawn as arrows. Empty "
                      "means no force arrows."},
      Param<V>{.member = &V::force_scale,
               .key = "force_scale",
               .label = "Force arrow scale",
               .unit = Unit::meter_per_newton,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Length of a force arrow per newton of force. 0 means automatic, from the largest force."},
      Param<V>{.member = &V::cut,
               .key = "cut",
               .label = "Cut axis",
               .live = Live::yes,
               .choices = {"none", "x", "y", "z"},
               .doc = "Axis perpendicular to the cut plane. The part of the scene where the coordinate on this axis is "
                      "greater than `cut_at` is not drawn. If `cut_flip` is on, the part where it is less is not drawn "
                      "instead. none: the whole scene is drawn."},
      Param<V>{.member = &V::cut_at_m,
               .key = "cut_at",
               .label = "Cut position",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Coordinate of the cut plane on the axis that `cut` selects."},
      Param<V>{.member = &V::cut_flip,
               .key = "cut_flip",
               .label = "Reversed cut",
               .live = Live::yes,
               .doc = "Whether the cut removes the part below `cut_at` instead of the part above."},
      Param<V>{.member = &V::cut_thickness_m,
               .key = "cut_thickness",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Thickness of the slab that remains behind the cut plane. 0 means that everything behind the "
                      "plane remains."},
      Param<V>{.member = &V::cut_2,
               .key = "cut_2",
               .label = "Cut 2 axis",
               .live = Live::yes,
               .choices = {"none", "x", "y", "z"},
               .doc = "Axis perpendicular to the second cut plane. Parts that any of the cut planes removes are not "
                      "drawn."},
      Param<V>{.member = &V::cut_2_at_m,
               .key = "cut_2_at",
               .label = "Cut 2 position",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Coordinate of the second cut plane on the axis that `cut_2` selects."},
      Param<V>{.member = &V::cut_2_flip,
               .key = "cut_2_flip",
               .label = "Reversed cut 2",
               .live = Live::yes,
               .doc = "Whether the second cut removes the part below `cut_2_at` instead of the part above."},
      Param<V>{.member = &V::cut_2_thickness_m,
               .key = "cut_2_thickness",
               .label = "Cut 2 thickness",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Thickness of the slab that remains behind the second cut plane. 0 means that everything behind "
                      "the plane remains."},
      Param<V>{.member = &V::cut_3,
               .key = "cut_3",
               .label = "Cut 3 axis",
               .live = Live::yes,
               .choices = {"none", "x", "y", "z"},
               .doc = "Axis perpendicular to the third cut plane. Parts that any of the cut planes removes are not "
                      "drawn."},
      Param<V>{.member = &V::cut_3_at_m,
               .key = "cut_3_at",
               .label = "Cut 3 position",
               .unit = Unit::meter,
               .range = anywhere,
               .live = Live::yes,
               .doc = "Coordinate of the third cut plane on the axis that `cut_3` selects."},
      Param<V>{.member = &V::cut_3_flip,
               .key = "cut_3_flip",
               .label = "Reversed cut 3",
               .live = Live::yes,
               .doc = "Whether the third cut removes the part below `cut_3_at` instead of the part above."},
      Param<V>{.member = &V::cut_3_thickness_m,
               .key = "cut_3_thickness",
               .label = "Cut 3 thickness",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Thickness of the slab that remains behind the third cut plane. 0 means that everything behind "
                      "the plane remains."},
      Param<V>{.member = &V::cut_caps,
               .key = "cut_caps",
               .label = "Capped cuts",
               .live = Live::yes,
               .doc = "Whether a face closes each body where a cut plane cuts it, so that the body does not look "
                      "hollow. On a voxel body, the face has the colours of the cut voxels, which show the channel "
                      "`color_by` if one is chosen."},
      field_view_params(),
      Param<V>{.member = &V::quality,
               .key = "quality",
               .live = Live::yes,
               .choices = {"automatic", "low", "medium", "high", "ultra"},
               .doc = "Quality of the picture. Higher quality takes more time for each picture. automatic: the quality "
                      "depends on the graphics device and on the time that pictures take; it is at most high. ultra: "
                      "for fast graphics devices, with the finest shadows, refraction and edges."},
      camera("1", &V::camera_1),
      camera("2", &V::camera_2),
      camera("3", &V::camera_3),
      camera("4", &V::camera_4),
  };
  return table;
}

const Schema& view_schema() {
  static const Schema schema{"view",
                             "Camera, colours and overlays of the picture. The view does not affect the simulation.",
                             view_params().specs(),
                             {}};
  return schema;
}

}  // namespace vw
