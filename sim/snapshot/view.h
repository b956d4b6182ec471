// View settings of a world: camera, colours, overlays and quality. They are stored in the slot `view` of a scene, but
// are not part of the state or its hash.
#pragma once

#include <algorithm>
#include <span>

#include "sim/base/data/node.h"

namespace vw {

enum class VectorScale { automatic, manual };
enum class VectorLength { linear, logarithmic, constant };
/// Property that determines the colour of an arrow or a trail: magnitude, direction or system.
enum class VectorColor { magnitude, direction, system };
enum class Quality { automatic, low, medium, high, ultra };
enum class ParticleStyle { balls, discs };
enum class FluidStyle { automatic, surface, particles };
enum class RigidStyle { surface, particles };
enum class JointStyle { links, all, none };
enum class Cut { none, x, y, z };
/// Light and background of the picture. The direction of the key light is the same in all environments.
enum class EnvironmentKind { sky, studio, overcast, white, night, dark };
/// Surface of the ground. `plain` has the colour of the ground and, if `ground_grid` is set, a grid. `sweep` continues
/// into the background without a horizon, like the backdrop in a photographer's studio.
enum class FloorMaterial { plain, sweep, checker, wood, concrete, sand, grass };
/// Colour map of channels and slice planes. `automatic` is a colour map of this program that depends on whether the
/// values have signs.
enum class ColorMapKind { automatic, viridis, cividis, coolwarm };
enum class ColorScale { linear, logarithmic };
/// Colour that replaces the background and the ground while a transparent picture is computed
/// (render/scene/light/background.h).
enum class Matte { none, white, dark };
/// Colours of legends. `dark` is light text on a dark plate. `automatic` depends on the background.
enum class LegendTheme { automatic, dark, light };

/// Visualisation of the fields, as sampled by the simulation for each snapshot.
struct FieldViewParams {
  std::string field;  ///< name of the field to show; empty means the sum of all fields
  /// Quantity on the slice planes: speed, velocity_x (or _y, _z), vorticity, vorticity_x (or _y, _z), value, or
  /// pressure.
  std::string quantity{"speed"};
  bool plane_x = false, plane_y = false, plane_z = false;  ///< whether a slice plane perpendicular to this axis is
                                                           ///< shown
  Vec3 planes_at = Vec3::Zero();                           ///< point in which the slice planes intersect [m]
  bool glyphs = false;               ///< whether arrows are shown: on the slice planes, or in the entire box if no
                                     ///< plane is shown
  std::string glyph_of{"velocity"};  ///< quantity that the arrows show: velocity, acceleration, vorticity
  std::int64_t samples = 96;         ///< number of samples along the longest side of a slice plane
  std::int64_t glyph_count = 24;     ///< number of arrows along the longest side of a slice plane or of the box
  std::int64_t streamlines = 0;      ///< number of streamlines; 0 means none
  double streamline_length_m = 0;    ///< length of each streamline [m]; 0 means twice the longest side of the box
  std::int64_t pathlines = 0;        ///< number of pathlines (paths of markers carried by the air); 0 means none
  double pathline_s = 1;             ///< time span of each pathline [s]
  bool ribbons = false;              ///< whether streamlines are drawn as ribbons, which turn with the air about their
                                     ///< line
  std::int64_t streaklines = 0;      ///< number of streaklines (each consists of particles that left the same point at
                                     ///< different times)
  double streakline_s = 1;           ///< age of the oldest particle of a streakline [s]
  /// Ends of the line on which streamlines and streaklines begin [m]. If the ends coincide, the lines begin in the
  /// entire box.
  Vec3 rake_from = Vec3::Zero(), rake_to = Vec3::Zero();
  std::string surface_of;             ///< quantity of the iso-surfaces; empty means no iso-surfaces
  NumberList surface_at;              ///< values on the iso-surfaces, in the quantity's unit; empty means that they are
                                      ///< chosen automatically
  std::string surface_color;          ///< quantity that colours the iso-surfaces; empty means a single colour for each
                                      ///< value
  double surface_opacity = 1;         ///< opacity of the iso-surfaces
  std::int64_t surface_samples = 48;  ///< number of samples along the longest side of the box for iso-surfaces
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
  bool fluid_ribbons = false;          ///< whether streamlines of fluids are drawn as ribbons, which turn with the
                                       ///< rotation of the flow
  std::int64_t fluid_streaklines = 0;  ///< number of streaklines in each fluid; 0 means none
  double fluid_streakline_s = 1;       ///< age of the oldest particle of a streakline [s]
  /// Ends of the line on which streamlines and streaklines begin [m]. If the ends coincide, the lines begin in the
  /// entire fluid.
  Vec3 fluid_rake_from = Vec3::Zero(), fluid_rake_to = Vec3::Zero();
  /// Quantity of the iso-surfaces of fluids: speed, vorticity, q_criterion or a channel. Empty means no iso-surfaces.
  std::string fluid_surface_of;
  NumberList fluid_surface_at;       ///< values on the iso-surfaces, in the quantity's unit; empty means that they are
                                     ///< chosen automatically
  double fluid_surface_opacity = 1;  ///< opacity of the iso-surfaces
  std::string fluid_surface_color;   ///< quantity that colours the iso-surfaces; empty means a single colour for each
                                     ///< value
  [[nodiscard]] bool any_flow() const {
    return fluid_streamlines > 0 || fluid_streaklines > 0 || !fluid_surface_of.empty();
  }
  bool operator==(const FluidViewParams&) const = default;
};

struct ViewParams : FieldViewParams, FluidViewParams {
  Vec3 eye{0.6, 0.4, 0.8};  ///< camera position [m]
  Vec3 target{0, 0.1, 0};   ///< point that the camera looks at [m]
  /// Vertical field of view [degrees] for pictures with an aspect ratio of 16:9 or more. Narrower pictures have the
  /// same horizontal field of view as a 16:9 picture.
  double fov_deg = 40;
  /// Whether, at the start, the camera is moved without being turned until the subject fills about two thirds of the
  /// picture. The distance between `eye` and `target` is then ignored.
  bool auto_frame = true;
  /// Whether a camera that was placed by `auto_frame` follows the subject when the subject leaves the picture.
  bool auto_follow = true;
  bool orthographic = false;            ///< whether the projection is orthographic
  std::string color_by = "material";    ///< "material" or the name of a channel that determines the colour
  bool range_auto = true;               ///< whether the colour range follows the displayed values
  double range_min = 0, range_max = 1;  ///< ends of the colour range if range_auto is false
  bool range_symmetric = false;         ///< whether the range is extended to be symmetric about zero
  ColorMapKind color_map = ColorMapKind::automatic;
  std::int64_t color_levels = 0;  ///< number of discrete colours; 0 means continuous colours
  ColorScale color_scale = ColorScale::linear;
  bool vectors = false;  ///< whether a vector of each element is drawn as an arrow
  /// Vector that is drawn: velocity, acceleration, net_force, or a vector that the systems provide, such as vorticity.
  std::string vector_of{"velocity"};
  TextList vector_systems;  ///< names of the systems whose elements have arrows; empty means all systems
  VectorScale vector_scale = VectorScale::automatic;
  VectorLength vector_length = VectorLength::linear;
  double vector_seconds = 0.05;      ///< manual scale: arrow length [m] of a vector of magnitude 1
  std::int64_t vector_limit = 3000;  ///< largest number of arrows; if there are more elements, they are subsampled
  VectorColor vector_color = VectorColor::magnitude;
  /// Largest length of an arrow, relative to the length at the end of the range. 0 means no limit.
  double vector_clamp = 3;
  /// Whether the range of lengths and colours ends at the 95th percentile of the displayed values.
  bool vector_range_auto = true;
  double vector_range = 1;  ///< end of the range of lengths and colours if vector_range_auto is false
  /// For logarithmic lengths: number of decades below the range's end at which the length of an arrow is zero.
  double vector_decades = 2;
  bool ground_grid = true;  ///< whether a grid is drawn on a plain floor
  EnvironmentKind environment = EnvironmentKind::sky;
  FloorMaterial floor = FloorMaterial::plain;
  double exposure = 0;            ///< brightness of the light in stops: the light is multiplied by 2^exposure
  double white_balance_k = 6500;  ///< colour temperature that the picture shows as white [K]
  bool colliders = true;
  TextList hidden;         ///< names of systems and colliders that are not drawn
  bool wireframe = false;  ///< whether the edges of voxels are drawn on the skin
  bool legend = true;
  LegendTheme legend_theme = LegendTheme::automatic;
  double legend_size = 1;     ///< size of the legends in pictures, relative to the default size at this picture height
  bool transparent = false;   ///< whether pictures have an alpha channel instead of background and ground
  Matte matte = Matte::none;  ///< is not a parameter of the scene
  bool trace = false;         ///< whether the path of each body's centre of mass is drawn
  bool trails = false;        ///< whether the recent paths of elements are drawn
  double trail_s = 2;         ///< time span of a trail [s]
  std::int64_t trail_limit = 300;  ///< largest number of elements with a trail; if there are more elements, they are
                                   ///< evenly subsampled
  TextList trail_systems;          ///< names of the systems or elements (school.17) with trails; empty means all
                                   ///< systems
  VectorColor trail_color = VectorColor::magnitude;  ///< `magnitude` means the speed of the element
  /// Target that the camera follows: "NAME" (the centre of mass of a system), "NAME.ID" (an element of the system), or
  /// empty.
  std::string follow;
  ParticleStyle particle_style = ParticleStyle::balls;
  FluidStyle fluid_style = FluidStyle::automatic;
  double fluid_clarity_m = 0;  ///< depth at which a fluid has its full colour [m]; 0 means that it is chosen from the
                               ///< fluid's size
  bool foam = true;            ///< whether foam is drawn where a fluid's surface breaks
  TextList glow;               ///< names of systems and colliders that emit light in film quality
  double glow_strength = 6;    ///< emitted radiance of glowing objects, relative to their colours
  RigidStyle rigid_style = RigidStyle::surface;
  JointStyle joints = JointStyle::links;  ///< `links` draws ropes, rods and springs; `all` draws all joints whole
  bool body_frames = false;               ///< whether the principal axes of rigid bodies are drawn
  bool mass_centers = false;              ///< whether the centre of mass of each rigid body and of each voxel body is
                                          ///< marked
  bool sleepers = false;                  ///< whether sleeping bodies are drawn darker
  bool contacts = false;                  ///< whether contacts of rigid bodies are marked with their forces
  bool actuators = true;                  ///< whether the targets of actuators are marked; the mark is brighter for a
                                          ///< larger magnitude of the value
  TextList forces;                        ///< nodes of rules whose forces on elements are drawn
  double force_scale = 0;                 ///< arrow length per force [m/N]; 0 means automatic
  Cut cut = Cut::none;                    ///< axis perpendicular to the cut plane
  double cut_at_m = 0;
  bool cut_flip = false;       ///< whether the part below cut_at_m is removed instead of the part above
  double cut_thickness_m = 0;  ///< thickness of the slab that remains at the cut plane; 0 means the entire half space
  Cut cut_2 = Cut::none, cut_3 = Cut::none;  ///< second and third cut; a part that any of the cuts removes is not drawn
  double cut_2_at_m = 0, cut_3_at_m = 0;
  bool cut_2_flip = false, cut_3_flip = false;
  double cut_2_thickness_m = 0, cut_3_thickness_m = 0;
  bool cut_caps = true;        ///< whether bodies that a cut opens are closed with the colour of their inside
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
