// Determines which stages of a substep need double precision. A scalar implementation of the bonds computes one stage
// at a time in float. The test measures the error on sensitive cases (docs/precision.md). In mixed precision, the
// engine uses float for all stages that do not need double.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <functional>

#include "sim/base/random.h"
#include "sim/system/voxel/explicit/bond_frame.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

enum class Stage {
  none,
  position,
  velocity,
  orientation,
  difference,
  law,
  rotation,
  damping,
  couple,
  sums,
  moments,
  poisson,
  all_that_the_engine_does
};
constexpr auto stage_names = std::to_array<const char*>({
    "nothing",
    "positions",
    "velocities",
    "orientations",
    "difference from the rest shape",
    "constitutive law",
    "rotation of loads",
    "damping, after the difference of velocities",
    "couple r x F",
    "sums of forces and moments over a voxel's bonds",
    "sums of moments alone",
    "Poisson volume term, after its sum",
    "all that the engine has in float",
});

/// Converts to float and back through memory. At -O2 and above, gcc 12 would otherwise remove the conversion of a
/// vector of doubles.
double rounded(double x, bool on) {
  if (!on) return x;
  volatile float narrow = static_cast<float>(x);
  return static_cast<double>(narrow);
}
Vec3 rounded(const Vec3& v, bool on) { return {rounded(v.x(), on), rounded(v.y(), on), rounded(v.z(), on)}; }
Quat rounded(const Quat& q, bool on) {
  return {rounded(q.w(), on), rounded(q.x(), on), rounded(q.y(), on), rounded(q.z(), on)};
}

/// A scalar implementation of the substep of the engine, with one stage in float.
struct Study {
  LatticeTopology topology;
  LatticeConstants constants;
  std::vector<std::uint8_t> fixed;
  std::vector<Vec3> outer;  ///< external force on each voxel
  Elements e;
  Stage stage;

  Study(const Lab& lab, Stage in_float)
      : topology(lab.body().topology()),
        constants(lab.body().constants()),
        fixed(lab.body().regions().fixed),
        outer(lab.body().regions().force),
        e(lab.body().elements()),
        stage(in_float) {
    if (outer.empty()) outer.assign(e.size(), Vec3::Zero());
    for (std::size_t v = 0; v < e.size(); ++v) store(v);
  }
  [[nodiscard]] bool in_float(Stage which) const {
    return stage == which || (stage == Stage::all_that_the_engine_does &&
                              (which == Stage::law || which == Stage::rotation || which == Stage::damping ||
                               which == Stage::poisson || which == Stage::couple || which == Stage::moments));
  }
  void store(std::size_t v) {
    e.position[v] = rounded(e.position[v], in_float(Stage::position));
    e.velocity[v] = rounded(e.velocity[v], in_float(Stage::velocity));
    e.angular_velocity[v] = rounded(e.angular_velocity[v], in_float(Stage::velocity));
    e.orientation[v] = rounded(e.orientation[v], in_float(Stage::orientation));
  }

  struct Shape {
    MidFrame frame;
    /// `r` is the distance vector in world axes. `stretch` is the distance vector in the frame of the bond, minus the
    /// rest length.
    Vec3 r, stretch;
  };
  [[nodiscard]] Shape shape(std::size_t a, std::size_t b, int axis) const {
    Shape out;
    out.frame = mid_frame(e.orientation[a], e.orientation[b]);
    out.r = e.position[b] - e.position[a];
    const double rest = e.radius[a] + e.radius[b];
    if (in_float(Stage::difference)) {
      const Eigen::Matrix3f turn = out.frame.rotation.cast<float>();
      Eigen::Vector3f local = turn.transpose() * out.r.cast<float>();
      local[axis] -= static_cast<float>(rest);
      out.stretch = local.cast<double>();
    } else {
      out.stretch = out.frame.rotation.transpose() * out.r;
      out.stretch[axis] -= rest;
    }
    return out;
  }

  /// Multiplies the component along the axis by one constant and the other components by another constant. The scalar
  /// type is that of the vector.
  template <class V>
  static V scaled(const V& v, int axis, double along, double across) {
    using Real = typename V::Scalar;
    V out = static_cast<Real>(across) * v;
    out[axis] = static_cast<Real>(along) * v[axis];
    return out;
  }

  /// Computes the force and the moment of a bond in the frame of the bond, with the scalar type Real.
  template <class Real>
  void law(const Shape& s, int axis, const BondConstants& k, double pull, Vec3& push, Vec3& turn) const {
    using V = Eigen::Matrix<Real, 3, 1>;
    const V stretch = s.stretch.cast<Real>(), v = s.frame.v.cast<Real>();
    V local = stretch;
    local[axis] += static_cast<Real>(constants.edge_m);
    V f = scaled(stretch, axis, k.axial, k.lateral);
    f[axis] += static_cast<Real>(pull);
    const Real h = static_cast<Real>(s.frame.h), k3 = static_cast<Real>(s.frame.k),
               half_f = static_cast<Real>(0.5 * s.frame.f);
    const V g = scaled(V(2 * h * v), axis, k.twist, k.bend);
    const V d = v.cross(V(local.cross(f))) * half_f - h * g + k3 * v.dot(g) * v;
    push = f.template cast<double>();
    turn = d.template cast<double>();
  }
  template <class Real>
  void damp(const Shape& s, std::size_t a, std::size_t b, int axis, const BondConstants& k, Vec3& push,
            Vec3& turn) const {
    using V = Eigen::Matrix<Real, 3, 1>;
    const V wa = e.angular_velocity[a].cast<Real>(), wb = e.angular_velocity[b].cast<Real>();
    const V slip =
        (e.velocity[b] - e.velocity[a]).cast<Real>() - static_cast<Real>(0.5) * V(wa + wb).cross(V(s.r.cast<Real>()));
    const Eigen::Matrix<Real, 3, 3> q = s.frame.rotation.cast<Real>();
    push += scaled(V(q.transpose() * slip), axis, k.axial_damping, k.lateral_damping).template cast<double>();
    turn -= scaled(V(q.transpose() * V(wb - wa)), axis, k.twist_damping, k.bend_damping).template cast<double>();
  }

  std::vector<Vec3> force, moment;
  void evaluate() {
    const std::size_t n = e.size();
    force.assign(n, Vec3::Zero());
    moment.assign(n, Vec3::Zero());
    std::vector<double> tension(n, 0.0);
    const bool poisson = !constants.volume_stiffness.empty();
    const auto each = [&](const auto& work) {
      for (int axis = 0; axis < 3; ++axis)
        for (std::size_t i = topology.axis_bonds[static_cast<std::size_t>(axis)].begin;
             i < topology.axis_bonds[static_cast<std::size_t>(axis)].end; ++i)
          work(i, axis, static_cast<std::size_t>(topology.bonds[i].a), static_cast<std::size_t>(topology.bonds[i].b));
    };
    if (poisson) {
      each([&](std::size_t, int axis, std::size_t a, std::size_t b) {
        const double strain = shape(a, b, axis).stretch[axis] / constants.edge_m;
        tension[a] += strain;
        tension[b] += strain;
      });
      for (std::size_t v = 0; v < n; ++v)
        tension[v] = rounded(constants.volume_stiffness[v] * tension[v], in_float(Stage::poisson));
    }
    const bool float_forces = in_float(Stage::sums), float_moments = float_forces || in_float(Stage::moments);
    const auto add = [&](Vec3& sum, const Vec3& load) { sum = rounded(Vec3(sum + load), float_forces); };
    const auto add_moment = [&](Vec3& sum, const Vec3& load) { sum = rounded(Vec3(sum + load), float_moments); };
    each([&](std::size_t i, int axis, std::size_t a, std::size_t b) {
      const BondConstants& k = constants.bonds[constants.bond_constants_of[i]];
      const Shape s = shape(a, b, axis);
      const double pull = tension[a] + tension[b];
      Vec3 f, d;
      in_float(Stage::law) ? law<float>(s, axis, k, pull, f, d) : law<double>(s, axis, k, pull, f, d);
      if (constants.damped)
        in_float(Stage::damping) ? damp<float>(s, a, b, axis, k, f, d) : damp<double>(s, a, b, axis, k, f, d);
      if (in_float(Stage::rotation)) {
        const Eigen::Matrix3f q = s.frame.rotation.cast<float>();
        f = (q * f.cast<float>()).cast<double>();
        d = (q * d.cast<float>()).cast<double>();
      } else {
        f = s.frame.rotation * f;
        d = s.frame.rotation * d;
      }
      const Vec3 couple = in_float(Stage::couple)
                              ? Vec3((0.5F * s.r.cast<float>().cross(f.cast<float>())).cast<double>())
                              : Vec3(0.5 * s.r.cross(f));
      add(force[a], f);
      add(force[b], -f);
      add_moment(moment[a], couple - d);
      add_moment(moment[b], couple + d);
    });
  }

  void substep(double dt, const Vec3& gravity) {
    evaluate();
    for (std::size_t v = 0; v < e.size(); ++v) {
      if (fixed[v] != 0) continue;
      const VoxelClass& c = constants.of(v);
      e.velocity[v] += dt * ((force[v] + outer[v] - c.drag * e.velocity[v]) / c.mass + gravity);
      e.angular_velocity[v] += dt / c.inertia * (moment[v] - c.spin_drag * e.angular_velocity[v]);
      e.position[v] += dt * e.velocity[v];
      const Vec3 turn = dt * e.angular_velocity[v];
      if (turn.norm() > 0)
        e.orientation[v] = (Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * e.orientation[v]).normalized();
      store(v);
    }
  }
};

/// A body that is advanced either by `Study` or by the engine, with the operations that the cases need.
struct Runner {
  Lab& lab;
  std::optional<Study> study;
  Runner(Lab& of, std::optional<Stage> stage) : lab(of) {
    if (stage) study.emplace(of, *stage);
  }
  void run(double dt, std::int64_t count) {
    if (study)
      for (std::int64_t i = 0; i < count; ++i) study->substep(dt, lab.context().gravity);
    else
      lab.body().substeps(lab.context(), 0, dt, count);
  }
  [[nodiscard]] Diagnostics diagnostics() {
    if (study) lab.body().elements() = study->e;
    return lab.diagnostics();
  }
  [[nodiscard]] const Elements& elements() const { return study ? study->e : lab.body().elements(); }
};

// ---- Cases. Each returns an error that is zero, or nearly zero where noted, in exact arithmetic. ----

/// Returns a block of two materials of unequal mass and stiffness, in alternating layers along x.
VoxelLattice block(int n, double zeta, double nu) {
  BoxSpec spec{n, n, n, 0.005};
  spec.material.bond_damping = zeta;
  spec.material.poissons_ratio = nu;
  VoxelLattice lattice = box_lattice(spec);
  lattice.materials.push_back(spec.material);
  lattice.materials[1].density = 4000, lattice.materials[1].youngs_modulus = 3e6;
  lattice.material_name.emplace_back("heavy");
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    lattice.material[v] = static_cast<std::uint16_t>(lattice.cell[v][0] % 2);
  return lattice;
}

VoxelBodyParams at(const Vec3& place, Precision precision) {
  VoxelBodyParams params;
  params.voxel_size_m = 0.005;
  params.position = place;
  params.precision = precision;
  return params;
}

void deform(Elements& e, double strain) {
  const RandomKey key{31, 4};
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.position[v] += strain * 0.005 * random_direction(key, v, 0);
    e.orientation[v] = Quat(Eigen::AngleAxisd(strain, random_direction(key, v, 1))) * e.orientation[v];
  }
  const Quat turn(Eigen::AngleAxisd(1.1, Vec3(1, 2, -3).normalized()));  // no component of the quaternion is small
  const Vec3 middle = e.position[0];
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.position[v] = middle + turn * (e.position[v] - middle);
    e.orientation[v] = turn * e.orientation[v];
  }
}

/// Returns the largest error of the velocity changes in one substep, divided by the largest velocity change. The
/// initial shape has the given strain. The reference is computed in double.
double load_error(std::optional<Stage> stage, Precision precision, const Vec3& place, double strain) {
  const double dt = 1e-6;
  const auto kick = [&](std::optional<Stage> which, Precision p) {
    Lab lab(block(4, 0, 0.35), {}, at(place, p));
    deform(lab.body().elements(), strain);
    Runner runner(lab, which);
    runner.run(dt, 1);
    return runner.elements().velocity;
  };
  const auto exact = kick(Stage::none, Precision::full), found = kick(stage, precision);
  double most = 0, error = 0;
  for (std::size_t v = 0; v < exact.size(); ++v) {
    most = std::max(most, exact[v].norm());
    error = std::max(error, (found[v] - exact[v]).norm());
  }
  return error / most;
}

/// Returns the relative error of the tip deflection of a cantilever of 40 voxels under a tip load. The reference is
/// computed in double.
double tip_error(std::optional<Stage> stage, Precision precision, const Vec3& place) {
  const auto sag = [&](std::optional<Stage> which, Precision p) {
    BoxSpec spec{40, 1, 1, 0.005};
    spec.material.global_damping = 7e-4;  // critical damping of the lowest mode
    VoxelBodyParams params = at(place, p);
    params.wind = false;
    Lab lab(box_lattice(spec), {slab_x(0, 0.01, true), slab_x(0.99, 1, false, Vec3(0, -2e-5, 0))}, params);
    Runner runner(lab, which);
    const double before = runner.elements().position[39].y();
    runner.run(0.7 * lab.body().stable_dt(0), 40000);
    return before - runner.elements().position[39].y();
  };
  static const double exact = sag(Stage::none, Precision::full);  // reference in double, with the body at the origin
  return std::abs((place.isZero(0) && stage == Stage::none ? exact : sag(stage, precision)) / exact - 1);
}

void shake_slightly(Elements& e) {
  const RandomKey key{7, 1};
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.velocity[v] += 0.05 * random_direction(key, v, 0);
    e.angular_velocity[v] += 1.0 * random_direction(key, v, 1);
  }
}

/// Returns the relative drift of the mean energy of an undamped free vibration over 20,000 substeps, from the first
/// tenth to the last tenth. The substep is 0.3 of the largest stable substep.
double energy_drift(std::optional<Stage> stage, Precision precision) {
  Lab lab(block(3, 0, 0.35), {}, at(Vec3::Zero(), precision));
  shake_slightly(lab.body().elements());
  Runner runner(lab, stage);
  const double dt = 0.3 * largest_stable_dt(lab.body().spectrum(), 0);
  std::array<double, 10> window{};
  for (double& sum : window)
    for (int i = 0; i < 100; ++i) {
      runner.run(dt, 20);
      const Diagnostics d = runner.diagnostics();
      sum += d.kinetic + d.elastic;
    }
  return std::abs(window.back() / window.front() - 1);
}

/// Returns the relative change of the angular momentum about the origin in 0.3 s. The body is free and damped. It
/// translates, rotates and oscillates.
double angular_drift(std::optional<Stage> stage, Precision precision) {
  VoxelBodyParams params = at(Vec3::Zero(), precision);
  params.velocity = Vec3(0.3, -0.2, 0.5);
  params.angular_velocity = Vec3(5, 12, -7);
  Lab lab(block(3, 0.5, 0.35), {}, params);
  shake_slightly(lab.body().elements());
  Runner runner(lab, stage);
  const double dt = 0.5 * lab.body().stable_dt(0);
  const Vec3 before = runner.diagnostics().angular_momentum;
  runner.run(dt, static_cast<std::int64_t>(0.3 / dt));
  return (runner.diagnostics().angular_momentum - before).norm() / before.norm();
}

const Vec3 far_away(100, 50, -70);

struct PrecisionCase {
  const char* name;
  std::function<double(std::optional<Stage>, Precision)> error;
};
const auto& cases() {
  static const auto all = std::to_array<PrecisionCase>(
      {{"loads, strain 1e-6", [](auto stage, Precision p) { return load_error(stage, p, Vec3::Zero(), 1e-6); }},
       {"loads, strain 1e-3, 100 m away", [](auto stage, Precision p) { return load_error(stage, p, far_away, 1e-3); }},
       {"sag of 40 voxels", [](auto stage, Precision p) { return tip_error(stage, p, Vec3::Zero()); }},
       {"sag, 100 m away", [](auto stage, Precision p) { return tip_error(stage, p, far_away); }},
       {"energy drift", [](auto stage, Precision p) { return energy_drift(stage, p); }},
       {"angular momentum drift", [](auto stage, Precision p) { return angular_drift(stage, p); }}});
  return all;
}

/// Prints the table of docs/precision.md.
TEST(VoxelPrecisionValidation, StagesInFloatOneAtATime) {
  std::string text = "| in float |";
  for (const PrecisionCase& c : cases()) text += std::string(" ") + c.name + " |";
  text += "\n|---|---|---|---|---|---|---|\n";
  std::vector<std::vector<double>> error(stage_names.size(), std::vector<double>(cases().size()));
  const auto row = [&](const char* name, const std::function<double(const PrecisionCase&)>& value) {
    text += std::string("| ") + name + " |";
    for (const PrecisionCase& c : cases()) {
      char cell[32];
      std::snprintf(cell, sizeof cell, " %.1e |", value(c));
      text += cell;
    }
    text += "\n";
  };
  for (std::size_t stage = 0; stage < stage_names.size(); ++stage)
    row(stage_names[stage], [&](const PrecisionCase& c) {
      return error[stage][static_cast<std::size_t>(&c - cases().data())] =
                 c.error(static_cast<Stage>(stage), Precision::full);
    });
  row("the engine, precision = full", [](const PrecisionCase& c) { return c.error(std::nullopt, Precision::full); });
  row("the engine, precision = mixed", [](const PrecisionCase& c) { return c.error(std::nullopt, Precision::mixed); });
  std::printf("%s", text.c_str());
  const auto of = [&](Stage stage, std::size_t c) { return error[static_cast<std::size_t>(stage)][c]; };
  // The stages that need double precision must show large errors in float.
  EXPECT_GT(of(Stage::position, 0), 1e-3);
  EXPECT_GT(of(Stage::position, 1), 0.1);
  EXPECT_GT(of(Stage::orientation, 0), 1e-3);
  EXPECT_GT(of(Stage::difference, 0), 1e-3);
  EXPECT_GT(of(Stage::velocity, 5), 1e-6);
  // The stages that the engine computes in float must show small errors.
  for (const Stage stage : {Stage::law, Stage::rotation, Stage::damping, Stage::couple, Stage::moments, Stage::poisson,
                            Stage::all_that_the_engine_does}) {
    for (const std::size_t c : {0U, 1U, 2U})
      EXPECT_LT(of(stage, c), 1e-5) << stage_names[static_cast<std::size_t>(stage)] << ", " << cases()[c].name;
    EXPECT_LT(of(stage, 5), 1e-7) << stage_names[static_cast<std::size_t>(stage)];
  }
}

TEST(VoxelPrecisionValidation, TheEngineInMixedPrecision) {
  const auto check = [](const char* name, std::size_t c, double tolerance) {
    expect_case("voxel", std::string("Mixed precision: ") + name, cases()[c].error(std::nullopt, Precision::mixed), 0,
                tolerance);
  };
  check("loads at a strain of 1e-6, relative error", 0, 2e-6);
  check("loads at a strain of 1e-3, 100 m from the origin, relative error", 1, 1e-6);
  check("sag of a row of 40 voxels, relative error", 2, 1e-4);
  check("energy drift of a free vibration in 20,000 steps", 4, 5e-3);
  check("angular momentum of a spinning, swinging, damped body in 0.3 s, relative change", 5, 1e-7);
}

}  // namespace
}  // namespace vw::test
