// Data that the checks of a scene read from its tree: bodies with their density and size, fluids, and the pairs of
// systems that enabled rules couple.
#pragma once

#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/scene/checks/scene_checks.h"

namespace vw {

/// A rigid body or a voxel body.
struct CheckedBody {
  const Node* system = nullptr;
  const Node* node = nullptr;  ///< node of the body; for a voxel body, the system itself
  std::string path;
  double density_kgpm3 = 0;  ///< mean density, or 0 if it is unknown
  double thinnest_m = 0;     ///< shortest side [m], or 0 if it is unknown
  bool has_place = false;    ///< whether `center`, `half_m` and `turn` are known
  Vec3 center = Vec3::Zero();
  Vec3 half_m = Vec3::Zero();  ///< half the edges of the bounding box in the body's frame [m]
  Quat turn = Quat::Identity();
  std::vector<const Node*> materials = {};  ///< materials of a voxel body
  double stiffest_pa = 0;                   ///< largest Young's modulus in a voxel body [Pa]
  bool has_own_moduli = false;              ///< whether cells have individual Young's moduli

  /// Returns the distance from the centre to the farthest point of the bounding box along a unit vector [m].
  [[nodiscard]] double reach(const Vec3& direction) const {
    return (turn.conjugate() * direction).cwiseAbs().dot(half_m);
  }
};

struct CheckedLiquid {
  const Node* system = nullptr;
  std::string path;
  double lightest_kgpm3 = 1000, heaviest_kgpm3 = 1000;
  double spacing_m = 0;
  std::string word;  ///< "water" or, for other densities and several phases, "fluid"
};

/// Rules between two systems.
struct CheckedPair {
  bool joined = false;           ///< whether an enabled rule couples the pair
  std::string disabled;          ///< name of a disabled rule that would couple the pair; may be empty
  const Schema* kind = nullptr;  ///< kind of rule that couples such pairs by default; null if there is none
};

struct CheckedScene {
  explicit CheckedScene(const Node& scene);
  const Node& scene;
  std::vector<CheckedBody> bodies;
  std::vector<CheckedLiquid> liquids;

  [[nodiscard]] CheckedPair pair(const Node& a, const Node& b) const;
};

/// Inputs and output of one run of the checks.
struct CheckRun {
  const CheckedScene& parts;
  const CheckLimits& limits;
  const RunningFacts* facts;  ///< may be null
  std::vector<SceneFinding>& out;
};

// The checks. Each check adds its findings to CheckRun::out.
void check_substeps(const CheckRun& run);
void check_densities(const CheckRun& run);
void check_resolution(const CheckRun& run);
void check_places(const CheckRun& run, ShapeStore& shapes);
void check_coupling(const CheckRun& run);
void check_cost(const CheckRun& run);
void check_speeds(const CheckRun& run);

// Values of parameters.
[[nodiscard]] double checked_number(const Node& node, std::string_view param);
[[nodiscard]] Vec3 checked_vector(const Node& node, std::string_view param);
[[nodiscard]] const std::string& checked_text(const Node& node, std::string_view param);
[[nodiscard]] bool has_parameter(const Node& node, std::string_view param);
/// Returns whether the node has the parameter and the value lies within its range, so that a remedy can set it.
[[nodiscard]] bool allows(const Node& node, std::string_view param, double value);
/// Rounds a positive value down to two significant digits, so that a button sets a value that is easy to read.
[[nodiscard]] double rounded_down(double value);
/// Returns the path of a system ("system.water").
[[nodiscard]] std::string system_path(const Node& system);

}  // namespace vw
