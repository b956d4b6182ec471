// Voxels that are not joined: the law of a pair against mechanics, the watch list against all pairs, and bodies that meet themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/parallel.h"
#include "sim/base/random.h"
#include "sim/system/voxel/self_contact.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

// ---- The law of a pair ----------------------------------------------------------------------------------------------

constexpr double edge = 0.01, youngs = 1e6;

VoxelClass ball_of(double density, double contact_damping, double mu_static = 0, double mu_dynamic = 0) {
  VoxelClass c;
  c.youngs = youngs;
  c.mass = density * edge * edge * edge;
  c.inertia = c.mass * edge * edge / 6;
  c.contact_stiffness = youngs * edge;
  c.contact_damping = 2 * contact_damping * std::sqrt(c.mass * c.contact_stiffness);
  c.surface = {0, mu_static, mu_dynamic};
  return c;
}

/// Two single voxels in empty space, moved as an explicit substep moves them.
struct TwoBalls {
  VoxelClass material_a, material_b;
  PairVoxel a, b;
  std::size_t touched = 0;  ///< substeps

  TwoBalls(const VoxelClass& first, const VoxelClass& second) : material_a(first), material_b(second) {
    a = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), edge / 2, &material_a};
    b = {Vec3(edge, 0, 0), Vec3::Zero(), Vec3::Zero(), edge / 2, &material_b};
  }
  TwoBalls(const TwoBalls&) = delete;
  TwoBalls& operator=(const TwoBalls&) = delete;

  [[nodiscard]] double reduced_mass() const { return material_a.mass * material_b.mass / (material_a.mass + material_b.mass); }
  [[nodiscard]] double frequency() const { return std::sqrt(pair_stiffness(material_a, material_b) / reduced_mass()); }
  void step(double dt) {
    PairPush push;
    touched += pair_contact(a, b, dt, push) ? 1 : 0;
    const auto kick = [&](PairVoxel& ball, const Vec3& force, const Vec3& moment) {
      ball.velocity += dt / ball.material->mass * force;
      ball.angular_velocity += dt / ball.material->inertia * moment;
      ball.position += dt * ball.velocity;
    };
    kick(a, push.force, push.moment_a);
    kick(b, -push.force, push.moment_b);
  }
  [[nodiscard]] double energy() const {
    const double depth = std::max(0.0, edge - (b.position - a.position).norm());
    const auto kinetic = [](const PairVoxel& v) {
      return 0.5 * v.material->mass * v.velocity.squaredNorm() + 0.5 * v.material->inertia * v.angular_velocity.squaredNorm();
    };
    return kinetic(a) + kinetic(b) + 0.5 * pair_stiffness(material_a, material_b) * depth * depth;
  }
  [[nodiscard]] Vec3 momentum() const { return a.material->mass * a.velocity + b.material->mass * b.velocity; }
  [[nodiscard]] Vec3 angular_momentum() const {
    const auto of = [](const PairVoxel& v) {
      return Vec3(v.material->mass * v.position.cross(v.velocity) + v.material->inertia * v.angular_velocity);
    };
    return of(a) + of(b);
  }
  /// Until they part again, at substeps that resolve the contact.
  void meet(double dt) {
    for (int i = 0; i < 1000000 && (touched == 0 || (b.position - a.position).norm() < edge); ++i) step(dt);
  }
};

TEST(PairContact, HeadOnWithoutDampingLosesNothing) {
  TwoBalls pair(ball_of(1000, 0), ball_of(3000, 0));
  pair.a.velocity = Vec3(1, 0, 0);
  const double dt = 0.005 / pair.frequency();
  const Vec3 momentum = pair.momentum();
  pair.meet(dt);
  EXPECT_GT(pair.touched, 100U);
  // Symplectic Euler errs by w dt / 2 of the energy within the contact and by (w dt)^2 / 2 of the speed where it begins and ends inside a substep.
  expect_case("voxel", "Two voxels head-on, undamped: relative speed after over before", (pair.b.velocity - pair.a.velocity).x(), 1, 1e-4);
  EXPECT_LT((pair.momentum() - momentum).norm(), 1e-14 * momentum.norm());
  EXPECT_EQ(pair.a.angular_velocity, Vec3(Vec3::Zero()));  // central: nothing turns
}

TEST(PairContact, DampedRestitutionFollowsTheFormula) {
  // A spring with a damper that never pulls lets go where its force is zero (Schwager & Poeschel 2007):
  // e = exp(-b / w (pi - atan(2 b w / (w^2 - b^2)))), b = zeta w0, w^2 = w0^2 - b^2, for b < w0 / sqrt(2). Two voxels have half the mean ratio.
  for (const double damping : {0.2, 0.6, 1.0}) {
    TwoBalls pair(ball_of(1000, damping), ball_of(1000, damping));
    pair.a.velocity = Vec3(0.5, 0, 0);
    const double w0 = pair.frequency(), b = 0.5 * damping * w0, w = std::sqrt(w0 * w0 - b * b);
    const double expected = std::exp(-b / w * (pi - std::atan2(2 * b * w, w * w - b * b)));
    pair.meet(0.001 / w0);
    expect_case("voxel", "Two voxels head-on, contact damping " + std::to_string(damping).substr(0, 3) + ": restitution",
                (pair.b.velocity - pair.a.velocity).x() / 0.5, expected, 0.002);
  }
}

TEST(PairContact, StiffnessesActInSeries) {
  VoxelClass soft = ball_of(1000, 0), stiff = ball_of(1000, 0);
  stiff.contact_stiffness *= 3;
  EXPECT_DOUBLE_EQ(pair_stiffness(soft, stiff), 1.5 * soft.contact_stiffness);
  EXPECT_DOUBLE_EQ(pair_stiffness(soft, soft), soft.contact_stiffness);
  soft.contact_stiffness = stiff.contact_stiffness = 0;
  EXPECT_EQ(pair_stiffness(soft, stiff), 0);
}

Vec3 random_vector(std::uint64_t seed, std::uint64_t row) {
  Vec3 out;
  for (int i = 0; i < 3; ++i) out[i] = 2 * random_uniform({seed, 1}, row, static_cast<std::uint64_t>(i)) - 1;
  return out;
}

TEST(PairContact, ObliqueSpinningRubbingPairsKeepMomentumAndNeverGainEnergy) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    TwoBalls pair(ball_of(1000, 0.5, 0.8, 0.5), ball_of(i % 2 == 0 ? 1000 : 200, 0.5, 0.8, 0.5));
    pair.b.half_edge = i % 3 == 0 ? 0.3 * edge : 0.5 * edge;
    pair.b.position = 0.9 * (pair.a.half_edge + pair.b.half_edge) * random_vector(5, 4 * i).normalized();
    pair.a.velocity = random_vector(5, 4 * i + 1);
    pair.a.angular_velocity = 100 * random_vector(5, 4 * i + 2);
    pair.b.angular_velocity = 100 * random_vector(5, 4 * i + 3);
    PairPush push;
    const bool touches = pair_contact(pair.a, pair.b, 1e-5, push);
    const Vec3 r = pair.b.position - pair.a.position;
    // Moments and the couple of the forces cancel; nothing pulls.
    EXPECT_LT((push.moment_a + push.moment_b - r.cross(push.force)).norm(), 1e-14 * (push.force.norm() * r.norm() + 1e-300));
    EXPECT_LE(push.force.dot(r), 1e-14 * push.force.norm() * r.norm());
    if (!touches) continue;
    const Vec3 momentum = pair.momentum(), spin = pair.angular_momentum();
    const double scale = pair.a.material->mass * (pair.a.velocity.norm() + edge * 100);
    pair.b.half_edge = 0.5 * edge;  // energy() knows equal ones
    const double dt = 0.02 / pair.frequency();
    const double before = pair.energy();
    for (int k = 0; k < 400; ++k) {
      pair.step(dt);
      // w dt / 2 of a spring's energy wobbles to and fro within symplectic Euler.
      EXPECT_LT(pair.energy(), before * (1 + 0.01)) << i << " " << k;
    }
    EXPECT_LT((pair.momentum() - momentum).norm(), 1e-12 * scale);
    EXPECT_LT((pair.angular_momentum() - spin).norm(), 1e-12 * scale * edge);
  }
}

TEST(PairContact, FrictionFollowsTheCone) {
  TwoBalls pair(ball_of(1000, 0, 0.8, 0.5), ball_of(1000, 0, 0.8, 0.5));
  pair.b.position = Vec3(0.9 * edge, 0, 0);
  const double normal = pair_stiffness(pair.material_a, pair.material_b) * 0.1 * edge, dt = 1e-5;
  const double held = 2 * 0.8 * normal * dt / pair.reduced_mass();  // slip of which the static cone can stop half within a substep
  PairPush push;
  for (const double speed : {0.5 * held, 0.9 * held}) {
    pair.a.velocity = Vec3(0, 0, speed);
    ASSERT_TRUE(pair_contact(pair.a, pair.b, dt, push));
    // Half of what would stop it at once: a voxel may press on several others.
    EXPECT_NEAR(push.force.z(), -0.5 * pair.reduced_mass() * speed / dt, 1e-12 * normal);
  }
  for (const double speed : {1.1 * held, 100 * held}) {
    pair.a.velocity = Vec3(0, 0, speed);
    ASSERT_TRUE(pair_contact(pair.a, pair.b, dt, push));
    EXPECT_NEAR(push.force.z(), -0.5 * normal, 1e-12 * normal) << "mu_d N";
    EXPECT_NEAR(push.force.x(), -normal, 1e-12 * normal);
  }
}

// ---- The watch list ---------------------------------------------------------------------------------------------------

/// A block of which some cells are left out, its voxels shaken out of place.
struct Heap {
  VoxelLattice lattice;
  LatticeTopology topology;
  LatticeConstants constants;
  Elements elements;
  VoxelArrays state;

  Heap(int n, double filled, double shaken, std::uint64_t seed) : lattice(box_lattice({n, n, n, edge})) {
    lattice.materials[0].contact_damping = 0;
    std::vector<std::array<int, 3>> cells;
    for (std::size_t v = 0; v < lattice.cell.size(); ++v)
      if (random_uniform({seed, 2}, v, 0) < filled) cells.push_back(lattice.cell[v]);
    lattice.cell = cells;
    for (auto* column : {&lattice.phase, &lattice.amplitude_scale, &lattice.youngs_override}) column->resize(cells.size());
    lattice.material.resize(cells.size());
    topology = make_topology(lattice);
    constants = make_constants(lattice, topology);
    const std::size_t count = cells.size();
    for (std::size_t v = 0; v < count; ++v)
      elements.position.push_back(edge * (Vec3(cells[v][0], cells[v][1], cells[v][2]) + shaken * random_vector(seed, v)));
    elements.velocity.assign(count, Vec3::Zero());
    elements.angular_velocity.assign(count, Vec3::Zero());
    elements.orientation.assign(count, Quat::Identity());
    elements.mass.assign(count, constants.of(0).mass);
    elements.radius.assign(count, edge / 2);
    state.load(elements);
  }
  void move(double way, std::uint64_t seed, const Vec3& shift = Vec3::Zero()) {
    for (std::size_t v = 0; v < elements.size(); ++v) elements.position[v] += shift + way * random_vector(seed, v).normalized();
    state.load(elements);
  }
  [[nodiscard]] bool joined(std::size_t a, std::size_t b) const {
    for (int face = 0; face < face_count; ++face) {
      const std::int32_t near = topology.neighbour(a, face);
      if (near == static_cast<std::int32_t>(b)) return true;
      for (int next = 0; near >= 0 && next < face_count; ++next)
        if (topology.neighbour(static_cast<std::size_t>(near), next) == static_cast<std::int32_t>(b)) return true;
    }
    return false;
  }
  /// Forces of all pairs that touch, by looking at all pairs.
  [[nodiscard]] std::size_t all_pairs(SparseLoads& out) const {
    std::size_t touching = 0;
    const auto voxel = [&](std::size_t v) {
      return PairVoxel{elements.position[v], Vec3::Zero(), Vec3::Zero(), elements.radius[v], &constants.of(v)};
    };
    for (std::size_t a = 0; a < elements.size(); ++a)
      for (std::size_t b = a + 1; b < elements.size(); ++b) {
        if (topology.exposed[a] == 0 || topology.exposed[b] == 0 || joined(a, b)) continue;
        PairPush push;
        if (!pair_contact(voxel(a), voxel(b), 1e-5, push)) continue;
        ++touching;
        out.add_force(a, push.force);
        out.add_force(b, -push.force);
      }
    return touching;
  }
  /// Expects of the list, as it stands, every bit that all pairs give. Returns how many touch.
  std::size_t expect_all(const SelfContact& contact) const {
    SparseLoads listed, wanted;
    listed.resize(elements.size());
    wanted.resize(elements.size());
    const std::size_t touching = all_pairs(wanted);
    EXPECT_EQ(contact.add_loads(constants, state, elements.radius, 1e-5, listed), touching);
    for (std::size_t v = 0; v < elements.size(); ++v) EXPECT_EQ(listed.force_of(v), wanted.force_of(v)) << v;
    return touching;
  }
};

TEST(VoxelSelfContact, WatchListMissesNoPairWhileVoxelsMoveWithinItsMargin) {
  std::size_t touching = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Heap heap(8, 0.3 + 0.05 * static_cast<double>(seed), 0.5, seed);
    SelfContact contact;
    contact.rebuild(heap.topology, heap.state, heap.elements.radius, edge);
    touching += heap.expect_all(contact);
    heap.move(0.999 * contact.margin(), 100 + seed);
    touching += heap.expect_all(contact);
  }
  EXPECT_GT(touching, 300U);
}

TEST(VoxelSelfContact, FollowedListMissesNoPairOnALongWay) {
  // Small steps at random, growth and a common flight: lists are made piece by piece while the last one is kept, and no pair is ever missed.
  for (const double way : {0.004 * edge, 0.03 * edge}) {
    Heap heap(7, 0.5, 0.4, 3);
    SelfContact contact;
    double moved = std::numeric_limits<double>::infinity();
    std::size_t touching = 0;
    for (std::uint64_t i = 0; i < 120; ++i) {
      const double widest = *std::max_element(heap.elements.radius.begin(), heap.elements.radius.end());
      contact.follow(heap.topology, heap.state, heap.elements.radius, edge, moved, widest);
      touching += heap.expect_all(contact);
      const bool flown = i % 10 == 9;  // between two runs
      heap.move(way, 1000 + i / 30, flown ? Vec3(3 * edge, 0, 0) : Vec3(0, 0, 0));
      moved = flown ? std::numeric_limits<double>::infinity() : way;
      if (i == 60)
        for (std::size_t v = 0; v < heap.elements.size(); ++v) heap.elements.radius[v] = (v % 2 == 0 ? 0.7 : 0.4) * edge;  // a square wave's jump
    }
    EXPECT_GT(touching, 800U);
    EXPECT_LE(contact.sudden_rebuilds(), 2U) << "the first one, and at the jump where the margin was narrow";
    EXPECT_GT(contact.rebuilds(), contact.sudden_rebuilds() + (way > 0.01 * edge ? 10 : 2));
    EXPECT_LT(contact.rebuilds(), 40U);
  }
}

TEST(VoxelSelfContact, PiecesFarFromEachOtherAreWatchedAsWellAsOnesNearby) {
  // Half of the voxels fly away by kilometres: the grid's numbers wrap, its cells are folded, and neighbours stay neighbours.
  for (const double away : {1e2, 65536 * 1.4 * edge, 1e6, 1e9}) {
    Heap heap(10, 0.5, 0.6, 3);
    for (std::size_t v = 0; v < heap.elements.size() / 2; ++v) heap.elements.position[v] += Vec3(away, -0.3 * away, 2 * away);
    heap.state.load(heap.elements);
    SelfContact contact;
    contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
    EXPECT_GT(heap.expect_all(contact), 20U) << away;
    EXPECT_LT(contact.examined(), 2 * 40 * heap.elements.size()) << away;  // one piece may be folded onto the other
  }
  Heap heap(10, 0.5, 0.6, 3);
  for (const double lost : {std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    heap.elements.position[5].x() = lost;
    heap.state.load(heap.elements);
    SelfContact contact;
    for (int i = 0; i < 2; ++i) contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
    EXPECT_EQ(contact.watched(), 0U) << "a body that has exploded meets nobody";
    EXPECT_EQ(contact.rebuilds(), 2U);
  }
}

TEST(VoxelSelfContact, AFlightOfTheWholeBodyMakesNoNewList) {
  Heap heap(6, 0.6, 0.2, 4);
  SelfContact contact;
  for (int i = 0; i < 50; ++i) {
    contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
    heap.move(0, 1, Vec3(0.5 * edge, -0.3 * edge, 0));
  }
  EXPECT_EQ(contact.rebuilds(), 1U);
  // And a list is made at most once on a way of two fifths of the margin: what bounds the work of all rebuilds together.
  const double way = 0.02 * contact.margin();
  for (int i = 0; i < 600; ++i) {
    contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
    heap.move(way, 2);  // the same way each time: apart for good
  }
  EXPECT_GT(contact.rebuilds(), 10U);
  EXPECT_LE(contact.rebuilds(), 1 + 600 / 20);
  EXPECT_EQ(contact.sudden_rebuilds(), 1U);
}

std::size_t surface_of(const LatticeTopology& topology) {
  return static_cast<std::size_t>(std::count_if(topology.exposed.begin(), topology.exposed.end(), [](std::uint8_t faces) { return faces != 0; }));
}

TEST(VoxelSelfContact, ARebuildsWorkGrowsWithTheSurfaceAlone) {
  // A full cube, and a lattice as porous as it gets: pairs looked at for each surface voxel, at any size. That is all that a rebuild does beside one
  // pass over the voxels.
  for (const double filled : {1.0, 0.5}) {
    double least = 1e9, most = 0;
    for (const int n : {8, 16, 32}) {
      Heap heap(n, filled, 0, 5);
      SelfContact contact;
      contact.rebuild(heap.topology, heap.state, heap.elements.radius, edge);
      const double each = static_cast<double>(contact.examined()) / static_cast<double>(surface_of(heap.topology));
      least = std::min(least, each);
      most = std::max(most, each);
      EXPECT_LE(contact.watched(), contact.examined());
    }
    EXPECT_LT(most, 2 * least) << filled;  // more of a small cube's voxels lie on edges, a large one's cells are folded more often
    EXPECT_LT(most, 37) << filled;         // of 27 cells of 1.4^3 voxels half the pairs, were all of it surface
  }
}

TEST(VoxelSelfContact, NoSubstepLooksAtMoreThanItsShareOfTheSurface) {
  // What a list costs in all is bounded above. A substep bears a sixteenth where voxels take fifty substeps for the narrowest margin (here thrice
  // that is allowed: rows differ, and a way that is not looked at counts in full), and where they take ten, as in the most violent collapse of a soft
  // body, no more than three quarters.
  for (const int n : {8, 24}) {
    Heap heap(n, 0.5, 0.3, 5);
    const double surface = static_cast<double>(surface_of(heap.topology));
    for (const auto& [way, share] : {std::pair{0.02, 3.0 / 16}, std::pair{0.1, 0.75}}) {
      SelfContact contact;
      contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
      std::size_t most = 0, all = 0;
      for (std::uint64_t i = 0; i < (n < 10 ? 200 : 60); ++i) {
        heap.move(way * 0.3 * edge, 1 + i / 50);
        contact.follow(heap.topology, heap.state, heap.elements.radius, edge, way * 0.3 * edge, edge / 2);
        most = std::max(most, contact.examined());
        all += contact.examined();
      }
      EXPECT_GT(contact.rebuilds(), 1U);
      EXPECT_EQ(contact.sudden_rebuilds(), 1U);
      const double each = static_cast<double>(all) / static_cast<double>(contact.rebuilds() - 1);
      EXPECT_LT(static_cast<double>(most), share * each) << n << " " << way;
      EXPECT_LT(static_cast<double>(most), 37 * share * surface) << n << " " << way;
    }
  }
}

/// A heap that falls in on itself, moved as an explicit substep moves it; `lists` says how the list is kept.
template <class Lists>
std::vector<Vec3> fallen(Lists lists) {
  Heap heap(8, 0.4, 0.3, 7);
  Elements& e = heap.elements;
  SelfContact contact;
  SparseLoads loads;
  loads.resize(e.size());
  const double dt = 0.1 * std::sqrt(e.mass[0] / (youngs * edge));
  std::size_t touched = 0;
  for (int i = 0; i < 300; ++i) {
    lists(contact, heap, i);
    loads.clear();
    touched += contact.add_loads(heap.constants, heap.state, e.radius, dt, loads);
    for (std::size_t v = 0; v < e.size(); ++v) {
      e.velocity[v] += dt * (loads.force_of(v) / e.mass[v] - 1e5 * (e.position[v] - 4 * edge * Vec3::Ones()));
      e.position[v] += dt * e.velocity[v];
    }
    heap.state.load(e);
  }
  EXPECT_GT(touched, 3000U);
  return e.position;
}

TEST(VoxelSelfContact, ListsMadeInPiecesGiveTheBitsOfListsMadeAtOnce) {
  std::uint64_t in_pieces = 0;
  const auto at_once = [](SelfContact& contact, const Heap& heap, int) { contact.rebuild(heap.topology, heap.state, heap.elements.radius, edge); };
  const auto spread = [&](SelfContact& contact, const Heap& heap, int) {
    contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
    in_pieces = contact.rebuilds() - contact.sudden_rebuilds();
  };
  const auto disturbed = [](SelfContact& contact, const Heap& heap, int i) {
    if (i % 7 == 3) contact.forget();  // as after a restored state
    contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
  };
  const std::vector<Vec3> expected = fallen(at_once);
  EXPECT_EQ(fallen(spread), expected);
  EXPECT_GT(in_pieces, 5U);
  EXPECT_EQ(fallen(disturbed), expected);
}

TEST(VoxelSelfContact, VoxelsBesideABreakAreWatched) {
  Heap heap(4, 1, 0, 6);
  SelfContact contact;
  contact.rebuild(heap.topology, heap.state, heap.elements.radius, edge);
  const auto watches = [&](std::uint32_t a, std::uint32_t b) {
    return std::find(contact.pairs().begin(), contact.pairs().end(), std::pair{std::min(a, b), std::max(a, b)}) != contact.pairs().end();
  };
  const std::size_t bond = 10;
  const auto a = static_cast<std::uint32_t>(heap.topology.bonds[bond].a), b = static_cast<std::uint32_t>(heap.topology.bonds[bond].b);
  EXPECT_FALSE(watches(a, b));
  break_bond(heap.topology, bond);
  contact.forget();
  contact.follow(heap.topology, heap.state, heap.elements.radius, edge);
  EXPECT_TRUE(watches(a, b));
}

// ---- Bodies that meet themselves --------------------------------------------------------------------------------------

VoxelLattice lattice_of(const std::vector<std::array<int, 3>>& cells, const VoxelMaterial& material) {
  VoxelLattice lattice = box_lattice({1, 1, 1, edge, material});
  lattice.cell = cells;
  for (const auto& cell : cells)
    lattice.nx = std::max(lattice.nx, cell[0] + 1), lattice.ny = std::max(lattice.ny, cell[1] + 1), lattice.nz = std::max(lattice.nz, cell[2] + 1);
  // Cells ascend as a lattice's do: y, z, x.
  std::sort(lattice.cell.begin(), lattice.cell.end(), [](const auto& p, const auto& q) {
    return std::array{p[1], p[2], p[0]} < std::array{q[1], q[2], q[0]};
  });
  lattice.material.assign(cells.size(), 0);
  lattice.phase.assign(cells.size(), 0);
  lattice.amplitude_scale.assign(cells.size(), 1);
  lattice.youngs_override.assign(cells.size(), 0);
  return lattice;
}

VoxelMaterial rubber(double bond_damping = 0.1) {
  VoxelMaterial m;
  m.bond_damping = bond_damping;
  return m;
}

TEST(VoxelSelfContact, PiecesOfOneBodyBounceAndKeepTheirMomentum) {
  // Two blocks of 3 x 3 x 3 in one lattice, two cells apart; they are not asked to meet, but a body in pieces does.
  std::vector<std::array<int, 3>> cells;
  for (int x : {0, 1, 2, 5, 6, 7})
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z) cells.push_back({x, y, z});
  Lab lab(lattice_of(cells, rubber()));
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v] = e.position[v].x() < 0.04 ? Vec3(1.5, 0, 0) : Vec3(-0.5, 0, 0);
  const Diagnostics before = lab.diagnostics();
  double nearest = 1;
  for (int i = 0; i < 200; ++i) {
    lab.run(1.0 / 4000);
    double left = 0, right = 1;
    for (std::size_t v = 0; v < e.size(); ++v) (v % 6 < 3 ? left = std::max(left, e.position[v].x()) : right = std::min(right, e.position[v].x()));
    nearest = std::min(nearest, right - left);
  }
  const Diagnostics after = lab.diagnostics();
  EXPECT_LT(nearest, edge);  // they did meet
  EXPECT_GT(nearest, 0.5 * edge);
  EXPECT_LT(e.velocity[0].x(), 0.1);
  EXPECT_GT(e.velocity[5].x(), 0.4);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.mass);
  EXPECT_LT(after.kinetic + after.elastic, before.kinetic);
  record_case("voxel", "Pieces of a body collide: momentum error over m (v1 + v2)", (after.momentum - before.momentum).norm() / (2 * before.mass), 0,
              1e-12);
}

/// A U of two arms of 10 voxels, three cells apart, held at its bend; the tips are pushed towards each other.
Lab arms(bool self_contact) {
  std::vector<std::array<int, 3>> cells;
  for (int x = 0; x < 11; ++x)
    for (int z = 0; z < 2; ++z) {
      cells.push_back({x, 0, z});
      cells.push_back({x, 4, z});
    }
  for (int y = 1; y < 4; ++y)
    for (int z = 0; z < 2; ++z) cells.push_back({0, y, z});
  VoxelRegion lower = slab_x(0.93, 1, false, Vec3(0, 0.3, 0)), upper = slab_x(0.93, 1, false, Vec3(0, -0.3, 0));
  lower.max.y() = 0.1;
  upper.min.y() = 0.9;
  VoxelBodyParams params;
  params.self_contact = self_contact;
  return Lab(lattice_of(cells, rubber(0.5)), {slab_x(0, 0.05, true), lower, upper}, params);
}

/// Least distance of voxels that belong to different arms.
double gap_of(const Lab& lab) {
  double least = 1;
  const VoxelLattice& lattice = lab.body().lattice();
  for (std::size_t a = 0; a < lattice.cell.size(); ++a)
    for (std::size_t b = 0; b < lattice.cell.size(); ++b)
      if (lattice.cell[a][1] == 0 && lattice.cell[b][1] == 4) least = std::min(least, (lab.position(a) - lab.position(b)).norm());
  return least;
}

TEST(VoxelSelfContact, AFoldedStripDoesNotPassThroughItself) {
  const auto least_gap = [](bool self_contact) {
    Lab lab = arms(self_contact);
    double least = 1;
    for (int i = 0; i < 40; ++i) {
      lab.run(1.0 / 120);
      least = std::min(least, gap_of(lab));
    }
    return std::pair{least, lab.position(lab.body().lattice().cell.size() - 1).y() - lab.position(10).y()};
  };
  const auto apart = least_gap(true), through = least_gap(false);
  EXPECT_LT(apart.first, edge);  // they touch
  EXPECT_GT(apart.first, 0.8 * edge);
  EXPECT_GT(apart.second, 0);
  EXPECT_LT(through.second, 0);  // left to themselves the arms cross
}

TEST(VoxelSelfContact, SwitchedOnItChangesNoBitWhereNothingTouches) {
  Lab on = arms(true), off = arms(false);
  on.run(0.02, 2e-5);
  off.run(0.02, 2e-5);
  ASSERT_GT(gap_of(on), edge);
  EXPECT_EQ(on.hash(), off.hash());
}

/// A porous block of over a thousand voxels that is squeezed: hundreds of pairs touch.
TEST(VoxelSelfContact, WhatIsMovedByHandIsMetInTheSameSubstep) {
  // A U of two arms, three cells apart; the tip of one is put beside the other's at once. A run of substeps has the bits of as many runs of one.
  const auto after = [](bool together) {
    VoxelRegion tip;
    tip.min = Vec3(0.9, 0.95, 0), tip.max = Vec3(1, 1, 1);
    tip.ramp_s = 0;
    VoxelLattice shape = lattice_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {0, 1, 0}, {4, 1, 0}, {0, 2, 0}, {4, 2, 0}}, {});
    tip.displacement = Vec3(-3.3 * shape.edge_m, 0, 0);
    VoxelBodyParams params;
    params.self_contact = true;
    Lab lab(shape, {tip}, params);
    constexpr int count = 3;
    const double dt = 1e-5;
    for (int i = 0; i < (together ? 1 : count); ++i) lab.body().substeps(lab.context(), i * dt, dt, together ? count : 1);
    return std::pair(lab.hash(), lab.body().elements().velocity[7].x());
  };
  const auto [bits, push] = after(true);
  EXPECT_EQ(bits, after(false).first);
  EXPECT_LT(push, 0);  // the arm beside it is pushed away
}

Lab squeezed() {
  VoxelLattice lattice = box_lattice({14, 14, 14, edge, rubber(0.3)});
  lattice.materials[0].youngs_modulus = 2e4;
  std::vector<std::array<int, 3>> cells;
  for (const auto& cell : lattice.cell)
    if ((cell[0] % 3 == 0) + (cell[1] % 3 == 0) + (cell[2] % 3 == 0) >= 2) cells.push_back(cell);
  VoxelMaterial soft = rubber(0.3);
  soft.youngs_modulus = 2e4;
  VoxelBodyParams params;
  params.self_contact = true;
  Lab lab(lattice_of(cells, soft), {}, params);
  Elements& e = lab.body().elements();
  const Vec3 center = 7 * edge * Vec3::Ones();
  for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v] = -60 * (e.position[v] - center).cwiseProduct(Vec3(1, 0.3, 0.6));
  return lab;
}

std::size_t touching_pairs(const Lab& lab) {
  SelfContact contact;
  VoxelArrays state;
  const VoxelBody& body = lab.body();
  state.load(body.elements());
  contact.rebuild(body.topology(), state, body.elements().radius, edge);
  SparseLoads loads;
  loads.resize(body.elements().size());
  return contact.add_loads(body.constants(), state, body.elements().radius, 1e-5, loads);
}

TEST(VoxelSelfContact, SameBitsForAnyNumberOfThreadsAndGoesOnBitForBitFromMidContact) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    Lab lab = squeezed();
    EXPECT_GT(lab.body().elements().size(), 700U);
    lab.run(0.02);
    hashes.push_back(lab.hash());
    if (threads > 1) continue;
    EXPECT_GT(touching_pairs(lab), 50U);
    StateBlock block;
    StateWriter writer(block);
    lab.body().visit_state(writer);
    Lab other = squeezed();
    StateReader reader(block);
    other.body().visit_state(reader);
    other.body().state_restored();
    ASSERT_EQ(reader.error(), "");
    other.context().time = lab.context().time;
    for (int i = 0; i < 3; ++i) {
      lab.run(0.005);
      other.run(0.005);
      EXPECT_EQ(lab.hash(), other.hash()) << i;
    }
  }
  set_thread_count(0);
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

/// A rod that is torn by its two ends.
Lab torn() {
  VoxelMaterial brittle = rubber(0.5);
  brittle.failure_stress = 5e4;
  Lab lab(box_lattice({12, 2, 2, edge, brittle}));
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v].x() = 3 * (e.position[v].x() / (6 * edge) - 1);
  return lab;
}

std::size_t broken_bonds(const Lab& lab) {
  const auto& broken = lab.body().memory().broken;
  return static_cast<std::size_t>(std::count(broken.begin(), broken.end(), 1));
}

TEST(VoxelSelfContact, BrokenHalvesCollide) {
  Lab lab = torn();
  lab.run(0.05);
  ASSERT_GE(broken_bonds(lab), 4U);
  Elements& e = lab.body().elements();
  const Vec3 middle = lab.diagnostics().center_of_mass;
  for (std::size_t v = 0; v < e.size(); ++v) {  // thrown back together
    e.velocity[v] = Vec3(e.position[v].x() < middle.x() ? 0.5 : -0.5, 0, 0);
    e.angular_velocity[v].setZero();
  }
  double deepest = 0;
  for (int i = 0; i < 60; ++i) {
    lab.run(1.0 / 240);
    for (std::size_t a = 0; a < e.size(); ++a)
      for (std::size_t b = a + 1; b < e.size(); ++b) deepest = std::max(deepest, edge - (e.position[a] - e.position[b]).norm());
  }
  const std::size_t last = e.size() - 1;
  EXPECT_GT(e.position[last].x(), e.position[0].x() + 6 * edge);  // each half on its side
  EXPECT_GT(e.velocity[last].x(), -0.3);
  EXPECT_LT(deepest, 0.45 * edge);
}

TEST(VoxelSelfContact, AfterABreakItGoesOnBitForBit) {
  Lab lab = torn();
  lab.run(0.02);
  ASSERT_GE(broken_bonds(lab), 4U);
  StateBlock block;
  StateWriter writer(block);
  lab.body().visit_state(writer);
  Lab other = torn();
  StateReader reader(block);
  other.body().visit_state(reader);
  other.body().state_restored();
  ASSERT_EQ(reader.error(), "");
  other.context().time = lab.context().time;
  for (Lab* one : {&lab, &other})
    for (Vec3& v : one->body().elements().velocity) v.x() = -v.x();  // the halves come back and meet
  lab.run(0.05);
  other.run(0.05);
  EXPECT_EQ(lab.hash(), other.hash());
}

}  // namespace
}  // namespace vw::test
