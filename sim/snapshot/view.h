// View settings of a world: camera, colouring, overlays, quality. They are stored in the slot `view` of a scene, but
// are not part of the state or its hash.
#pragma once

#include <algorithm>
#include <span>

#include "sim/base/data/node.h"

namespace vw {

enum class VectorScale { automatic, manual };
enum class VectorLength { linear, logarithmic, constant };
/// Property that determines an arrow's or a trail's colour: magnitude, direction, or the system.
enum class VectorColor { magnitude, direction, system };
enum class Quality { automatic, low, medium, high, ultra };
enum class ParticleStyle { balls, discs };
enum class FluidStyle { automatic, surface, particles };
enum class RigidStyle { surface, particles };
enum class JointStyle { links, all, none };
enum class Cut { none, x, y, z };
/// Light and background of the picture. All of them have the same direction of the key light.
enum class EnvironmentKind { sky, studio, overcast, white, night, dark };
/// Surface of the ground. `plain` has the colour of the ground and, if `ground_grid` is set, a grid. `sweep` continues
/// into the background without a horizon, as the backdrop of a photographer's studio.
enum class FloorMaterial { plain, sweep, checker, wood, concrete, sand, grass };
/// Colour map of channels and slice planes. `automatic` is a map of this program that suits the sign of the values.
enum class ColorMapKind { automatic, viridis, cividis, coolwarm };
enum class ColorScale { linear, logarithmic };
/// Colour that replaces background and ground while a transparent picture is computed (render/scene/background.h).
enum class Matte { none, white, dark };
/// Colours of legends: `dark` is light text on a dark plate. `automatic` suits the background.
enum class LegendTheme { automatic, dark, light };

/// Visualisation of the fields, as sampled by the simulation for each snapshot.
struct FieldViewParams {
  std::string field;  ///< name of the field to show; empty means the sum of all fields
  /// Quantity on the slice planes: speed, velocity_x (or _y, _z), vorticity, vorticity_x (or _y, _z), value, or
  /// pressure.
  std::string quantity{"speed"};
  bool plane_x = false, plane_y = false, plane_z = false;  ///< show a slice plane perpendicular to this axis
  Vec3 planes_at = Vec3::Zero();                           ///< point in which the slice planes intersect [m]
  bool glyphs = false;               ///< arrows on the slice planes, or throughout the box if no plane is shown
  std::string glyph_of{"velocity"};  ///< quantity of the arrows: velocity, acceleration, vorticity
  std::int64_t samples = 96;         ///< samples along the longest side of a slice plane
  std::int64_t glyph_count = 24;     ///< arrows along the longest side of a slice plane or of the box
  std::int64_t streamlines = 0;      ///< number of streamlines; 0 means none
  double streamline_length_m = 0;    ///< length of each streamline [m]; 0 means twice the longest side of the box
  std::int64_t pathlines = 0;        ///< number of pathlines (paths of markers carried by the air); 0 means none
  double pathline_s = 1;             ///< time span of each pathline [s]
  bool ribbons = false;              ///< streamlines are ribbons, which turn with the air about their line
  std::int64_t streaklines = 0;      ///< number of streaklines (particles that left one point one after the other)
  double streakline_s = 1;           ///< age of the oldest particle of a streakline [s]
  /// Ends of the line on which streamlines and streaklines begin [m]. If the ends coincide, they begin in the whole
  /// box.
  Vec3 rake_from = Vec3::Zero(), rake_to = Vec3::Zero();
  std::string surface_of;             ///< quantity of the iso-surfaces; empty means none
  NumberList surface_at;              ///< values on the iso-surfaces, in the quantity's unit; empty means automatic
  std::string surface_color;          ///< quantity that colours the iso-surfaces; empty means one colour for each value
  double surface_opacity = 1;         ///< opacity of the iso-surfaces
  std::int64_t surface_samples = 48;  ///< samples along the longest side of the box for iso-surfaces
  Vec3 box_center = Vec3::Zero();
  Vec3 box_size = Vec3::Zero();  ///< size of the displayed box [m]; 0 along an axis means the extent of the scene
  [[nodiscard]] bool any() const {
    return plane_x || plane_y || plane_z || glyphs || streamlines > 0 || pathlines > 0 || streaklines > 0 ||
           !surface_of.empty();
  }
  bool operator==(const FieldViewParams&) const = default;
};

/// Visualisation of the flow in fluids, as computed by the simulation for each snapshot.
struct FluidViewParams {
  std::int64_t fluid_streamlines = 0;  ///< number of streamlines in each fluid; 0 means none
  bool fluid_ribbons = false;          ///< streamlines of fluids are ribbons, which turn with the rotation of the flow
  std::int64_t fluid_streaklines = 0;  ///< number of streaklines in each fluid; 0 means none
  double fluid_streakline_s = 1;       ///< age of the oldest particle of a streakline [s]
  /// Ends of the line on which streamlines and streaklines begin [m]. If the ends coincide, they begin in all of the
  /// fluid.
  Vec3 fluid_rake_from = Vec3::Zero(), fluid_rake_to = Vec3::Zero();
  /// Quantity of the iso-surfaces of fluids: speed, vorticity, q_criterion or a channel. Empty means no surface.
  std::string fluid_surface_of;
  NumberList fluid_surface_at;       ///< values on the iso-surfaces, in the quantity's unit; empty means automatic
  double fluid_surface_opacity = 1;  ///< opacity of the iso-surfaces
  std::string fluid_surface_color;   ///< quantity that colours the iso-surfaces; empty means one colour for each value
  [[nodiscard]] bool any_flow() const {
    return fluid_streamlines > 0 || fluid_streaklines > 0 || !fluid_surface_of.empty();
  }
  bool operator==(const FluidViewParams&) const = default;
};

struct ViewParams : FieldViewParams, FluidViewParams {
  Vec3 eye{0.6, 0.4, 0.8};  ///< camera position [m]
  Vec3 target{0, 0.1, 0};   ///< point that the camera looks at [m]
  /// Vertical field of view [degrees] for pictures with an aspect ratio of 16:9 or more. Narrower pictures have the
  /// horizontal field of view of a 16:9 picture.
  double fov_deg = 40;
  /// Whether, at the start, the camera moves without turning until the subject fills about two thirds of the picture.
  /// The distance between `eye` and `target` is then ignored.
  bool auto_frame = true;
  /// Whether a camera that `auto_frame` has placed follows the subject when it leaves the picture.
  bool auto_follow = true;
  bool orthographic = false;            ///< whether the projection is orthographic
  std::string color_by = "material";    ///< "material" or the name of a channel
  bool range_auto = true;               ///< whether the colour range follows the displayed values
  double range_min = 0, range_max = 1;  ///< ends of the colour range if range_auto is false
  bool range_symmetric = false;         ///< whether the range is extended to be symmetric about zero
  ColorMapKind color_map = ColorMapKind::automatic;
  std::int64_t color_levels = 0;  ///< number of discrete colours; 0 means continuous colours
  ColorScale color_scale = ColorScale::linear;
  bool vectors = false;  ///< whether a vector of each element is drawn as an arrow
  /// Vector to draw: velocity, acceleration, net_force, or a vector that the systems provide, such as vorticity.
  std::string vector_of{"velocity"};
  TextList vector_systems;  ///< names of the systems whose elements have arrows; empty means all systems
  VectorScale vector_scale = VectorScale::automatic;
  VectorLength vector_length = VectorLength::linear;
  double vector_seconds = 0.05;      ///< manual scale: arrow length [m] of a vector of magnitude 1
  std::int64_t vector_limit = 3000;  ///< largest number of arrows; if there are more elements, they are subsampled
  VectorColor vector_color = VectorColor::magnitude;
  /// Largest length of an arrow, relative to the length at the end of the range; 0 means no limit
  double vector_clamp = 3;
  /// Whether the range of lengths and colours ends at the 95th percentile of the displayed values.
  bool vector_range_auto = true;
  double vector_range = 1;  ///< end of the range of lengths and colours if vector_range_auto is false
  /// Logarithmic lengths: number of decades below the range's end at which the length of an arrow is zero.
  double vector_decades = 2;
  bool ground_grid = true;  ///< draw a grid on a plain floor
  EnvironmentKind environment = EnvironmentKind::sky;
  FloorMaterial floor = FloorMaterial::plain;
  double exposure = 0;            ///< brightness of the light in stops: it is multiplied by 2^exposure
  double white_balance_k = 6500;  ///< colour temperature that the picture shows as white [K]
  bool colliders = true;
  TextList hidden;         ///< names of systems and colliders that are not drawn
  bool wireframe = false;  ///< draw voxel edges on the skin
  bool legend = true;
  LegendTheme legend_theme = LegendTheme::automatic;
  double legend_size = 1;     ///< size of the legends in pictures, relative to the size that suits the picture's height
  bool transparent = false;   ///< whether pictures have an alpha channel instead of background and ground
  Matte matte = Matte::none;  ///< not a parameter of the scene
  bool trace = false;         ///< draw the path of each body's centre of mass
  bool trails = false;        ///< draw the recent paths of elements
  double trail_s = 2;         ///< time span of a trail [s]
  std::int64_t trail_limit = 300;  ///< largest number of elements with a trail, evenly subsampled
  TextList trail_systems;          ///< names of systems or elements (school.17) with trails; empty means all systems
  VectorColor trail_color = VectorColor::magnitude;  ///< `magnitude` means the speed of the element
  /// Target that the camera follows: "NAME" (the centre of mass of a system), "NAME.ID" (an element of it), or empty.
  std::string follow;
  ParticleStyle particle_style = ParticleStyle::balls;
  FluidStyle fluid_style = FluidStyle::automatic;
  double fluid_clarity_m = 0;  ///< depth at which a fluid has its full colour [m]; 0 means chosen by the fluid's size
  bool foam = true;            ///< draw foam where a fluid's surface breaks
  TextList glow;               ///< names of systems and colliders that emit light in film quality
  double glow_strength = 6;    ///< emitted radiance of glowing objects, relative to their colours
  RigidStyle rigid_style = RigidStyle::surface;
  JointStyle joints = JointStyle::links;  ///< `links` draws ropes and rods only, `all` every part of every joint
  bool body_frames = false;               ///< draw principal axes of rigid bodies
  bool mass_centers = false;              ///< mark the centre of mass of each rigid body and of each voxel body
  bool sleepers = false;                  ///< draw sleeping bodies darker
  bool contacts = false;                  ///< mark contacts of rigid bodies with their forces
  bool actuators = true;                  ///< mark what actuators drive, the brighter the larger their value
  TextList forces;                        ///< nodes of rules whose forces on elements are drawn
  double force_scale = 0;                 ///< arrow length per force [m/N]; 0 means automatic
  Cut cut = Cut::none;                    ///< axis perpendicular to the cut plane
  double cut_at_m = 0;
  bool cut_flip = false;       ///< remove the part below cut_at_m instead of the part above
  double cut_thickness_m = 0;  ///< thickness of the slab that remains at the cut plane; 0 means the whole half space
  Cut cut_2 = Cut::none, cut_3 = Cut::none;  ///< second and third cut; what any cut removes is not drawn
  double cut_2_at_m = 0, cut_3_at_m = 0;
  bool cut_2_flip = false, cut_3_flip = false;
  double cut_2_thickness_m = 0, cut_3_thickness_m = 0;
  bool cut_caps = true;        ///< close the bodies that a cut opens with the colour of their inside
  double air_opacity = 0.85;   ///< opacity of slice planes
  bool air_range_auto = true;  ///< whether the colour range of slice planes and flow lines follows the displayed values
  double air_range_min = 0, air_range_max = 1;
  double air_seconds = 0;  ///< length of the field's arrows per speed [m per m/s]; 0 means automatic
  Quality quality = Quality::automatic;
  TextList locked;  ///< names of systems and colliders that the mouse neither selects nor drags in the picture
  /// Stored cameras: eye x, y, z and target x, y, z [m]. An empty list means that no camera is stored.
  NumberList camera_1, camera_2, camera_3, camera_4;
};
/// Returns whether the system or collider `name` is listed in `hidden` (ViewParams::hidden).
[[nodiscard]] inline bool is_hidden(std::span<const std::string> hidden, const std::string& name) {
  return std::ranges::find(hidden, name) != hidden.end();
}
[[nodiscard]] const ParamTable<ViewParams>& view_params();
[[nodiscard]] const Schema& view_schema();

}  // namespace vw
