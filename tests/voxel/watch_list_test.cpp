// The list of voxel pairs of a body that may touch, compared with a search over all pairs, and the cost of building the
// list.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/random.h"
#include "sim/system/voxel/contact/self_contact.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

constexpr double watched_edge = 0.01, watched_youngs = 1e6;

/// A block with missing cells. The voxels are randomly displaced.
struct Heap {
  VoxelLattice lattice;
  LatticeTopology topology;
  LatticeConstants constants;
  Elements elements;
  VoxelArrays state;

  Heap(int n, double filled, double shaken, std::uint64_t seed) : lattice(box_lattice({n, n, n, watched_edge})) {
    lattice.materials[0].contact_damping = 0;
    std::vector<std::array<int, 3>> cells;
    for (std::size_t v = 0; v < lattice.cell.size(); ++v)
      if (random_uniform({seed, 2}, v, 0) < filled) cells.push_back(lattice.cell[v]);
    lattice.cell = cells;
    for (auto* column : {&lattice.phase, &lattice.amplitude_scale, &lattice.youngs_override})
      column->resize(cells.size());
    lattice.material.resize(cells.size());
    topology = make_topology(lattice);
    constants = make_constants(lattice, topology);
    const std::size_t count = cells.size();
    for (std::size_t v = 0; v < count; ++v)
      elements.position.push_back(watched_edge *
                                  (Vec3(cells[v][0], cells[v][1], cells[v][2]) + shaken * random_vector(seed, v)));
    elements.velocity.assign(count, Vec3::Zero());
    elements.angular_velocity.assign(count, Vec3::Zero());
    elements.orientation.assign(count, Quat::Identity());
    elements.mass.assign(count, constants.of(0).mass);
    elements.radius.assign(count, watched_edge / 2);
    state.load(elements);
  }
  void move(double way, std::uint64_t seed, const Vec3& shift = Vec3::Zero()) {
    for (std::size_t v = 0; v < elements.size(); ++v)
      elements.position[v] += shift + way * random_vector(seed, v).normalized();
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
  /// Computes the forces of all touching pairs by a test of every pair. Returns the number of touching pairs.
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
  /// Expects that the current list gives bitwise the result of a test of all pairs. Returns the number of touching
  /// pairs.
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

TEST(VoxelWatchList, MissesNoPairWhileVoxelsMoveWithinItsMargin) {
  std::size_t touching = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Heap heap(8, 0.3 + 0.05 * static_cast<double>(seed), 0.5, seed);
    SelfContact contact;
    contact.rebuild(heap.topology, heap.state, heap.elements.radius, watched_edge);
    touching += heap.expect_all(contact);
    heap.move(0.999 * contact.margin(), 100 + seed);
    touching += heap.expect_all(contact);
  }
  EXPECT_GT(touching, 300U);
}

TEST(VoxelWatchList, FollowedListMissesNoPairOnALongWay) {
  // The voxels make small random steps, grow and translate together. New lists are built in portions while the last
  // list is in use. No pair may be missed.
  for (const double way : {0.004 * watched_edge, 0.03 * watched_edge}) {
    Heap heap(7, 0.5, 0.4, 3);
    SelfContact contact;
    double moved = std::numeric_limits<double>::infinity();
    std::size_t touching = 0;
    for (std::uint64_t i = 0; i < 120; ++i) {
      const double widest = *std::max_element(heap.elements.radius.begin(), heap.elements.radius.end());
      contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge, moved, widest);
      touching += heap.expect_all(contact);
      const bool flown = i % 10 == 9;  // whether the heap is translated after this check
      heap.move(way, 1000 + i / 30, flown ? Vec3(3 * watched_edge, 0, 0) : Vec3(0, 0, 0));
      moved = flown ? std::numeric_limits<double>::infinity() : way;
      if (i == 60)
        // The temperature follows a square wave, and the sizes jump with it.
        for (std::size_t v = 0; v < heap.elements.size(); ++v)
          heap.elements.radius[v] = (v % 2 == 0 ? 0.7 : 0.4) * watched_edge;
    }
    EXPECT_GT(touching, 800U);
    EXPECT_LE(contact.immediate_rebuilds(), 2U) << "the first one, and at the jump where the margin was narrow";
    EXPECT_GT(contact.rebuilds(), contact.immediate_rebuilds() + (way > 0.01 * watched_edge ? 10 : 2));
    EXPECT_LT(contact.rebuilds(), 40U);
  }
}

TEST(VoxelWatchList, PiecesFarFromEachOtherAreWatchedAsWellAsOnesNearby) {
  // Half of the voxels move away by up to 1e9 m. The grid indices wrap around, so distant cells share an index. Voxels
  // close to each other must still be found as neighbours.
  for (const double away : {1e2, 65536 * 1.4 * watched_edge, 1e6, 1e9}) {
    Heap heap(10, 0.5, 0.6, 3);
    for (std::size_t v = 0; v < heap.elements.size() / 2; ++v)
      heap.elements.position[v] += Vec3(away, -0.3 * away, 2 * away);
    heap.state.load(heap.elements);
    SelfContact contact;
    contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
    EXPECT_GT(heap.expect_all(contact), 20U) << away;
    // Wrapping may map the cells of one piece to the cells of the other piece, so twice the usual number of pairs is
    // allowed.
    EXPECT_LT(contact.examined(), 2 * 40 * heap.elements.size()) << away;
  }
  Heap heap(10, 0.5, 0.6, 3);
  for (const double lost : {std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    heap.elements.position[5].x() = lost;
    heap.state.load(heap.elements);
    SelfContact contact;
    for (int i = 0; i < 2; ++i) contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
    EXPECT_EQ(contact.watched(), 0U) << "a body that has exploded meets nobody";
    EXPECT_EQ(contact.rebuilds(), 2U);
  }
}

TEST(VoxelWatchList, AFlightOfTheWholeBodyMakesNoNewList) {
  Heap heap(6, 0.6, 0.2, 4);
  SelfContact contact;
  for (int i = 0; i < 50; ++i) {
    contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
    heap.move(0, 1, Vec3(0.5 * watched_edge, -0.3 * watched_edge, 0));
  }
  EXPECT_EQ(contact.rebuilds(), 1U);
  // A list is rebuilt at most once each time the voxels have travelled two fifths of the margin. This limit bounds the
  // total cost of rebuilds.
  const double way = 0.02 * contact.margin();
  for (int i = 0; i < 600; ++i) {
    contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
    heap.move(way, 2);  // the direction is constant, so the voxels separate permanently
  }
  EXPECT_GT(contact.rebuilds(), 10U);
  EXPECT_LE(contact.rebuilds(), 1 + 600 / 20);
  EXPECT_EQ(contact.immediate_rebuilds(), 1U);
}

std::size_t surface_of(const LatticeTopology& topology) {
  return static_cast<std::size_t>(
      std::count_if(topology.exposed.begin(), topology.exposed.end(), [](std::uint8_t faces) { return faces != 0; }));
}

TEST(VoxelWatchList, ARebuildsWorkGrowsWithTheSurfaceAlone) {
  // The lattices are a full cube and a very porous cube. The number of examined pairs per surface voxel must not depend
  // on the size. In addition to these pairs, a rebuild makes one pass over the voxels.
  for (const double filled : {1.0, 0.5}) {
    double least = 1e9, most = 0;
    for (const int n : {8, 16, 32}) {
      Heap heap(n, filled, 0, 5);
      SelfContact contact;
      contact.rebuild(heap.topology, heap.state, heap.elements.radius, watched_edge);
      const double each = static_cast<double>(contact.examined()) / static_cast<double>(surface_of(heap.topology));
      least = std::min(least, each);
      most = std::max(most, each);
      EXPECT_LE(contact.watched(), contact.examined());
    }
    // The number varies: in a small cube, more voxels lie on edges; in a large cube, distant cells share an index more
    // often.
    EXPECT_LT(most, 2 * least) << filled;
    EXPECT_LT(most, 37) << filled;  // half of the pairs in 27 cells of 1.4^3 voxels, if all voxels were on the surface
  }
}

TEST(VoxelWatchList, NoSubstepLooksAtMoreThanItsShareOfTheSurface) {
  // A list is built in portions, one for each substep. If voxels take fifty substeps to travel the narrowest margin, a
  // portion should be a sixteenth of the work for a list. The test allows three times that amount: voxels differ in
  // their number of pairs, and a displacement that is not measured is replaced by an upper bound. If voxels take only
  // ten substeps, as in the most violent collapse of a soft body, a portion may be three quarters of the work.
  for (const int n : {8, 24}) {
    Heap heap(n, 0.5, 0.3, 5);
    const double surface = static_cast<double>(surface_of(heap.topology));
    for (const auto& [way, share] : {std::pair{0.02, 3.0 / 16}, std::pair{0.1, 0.75}}) {
      SelfContact contact;
      contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
      std::size_t most = 0, all = 0;
      for (std::uint64_t i = 0; i < (n < 10 ? 200 : 60); ++i) {
        heap.move(way * 0.3 * watched_edge, 1 + i / 50);
        contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge, way * 0.3 * watched_edge,
                       watched_edge / 2);
        most = std::max(most, contact.examined());
        all += contact.examined();
      }
      EXPECT_GT(contact.rebuilds(), 1U);
      EXPECT_EQ(contact.immediate_rebuilds(), 1U);
      const double each = static_cast<double>(all) / static_cast<double>(contact.rebuilds() - 1);
      EXPECT_LT(static_cast<double>(most), share * each) << n << " " << way;
      EXPECT_LT(static_cast<double>(most), 37 * share * surface) << n << " " << way;
    }
  }
}

/// Lets a heap collapse towards a point by explicit substeps and returns the final positions. `lists` updates the watch
/// list before each substep.
template <class Lists>
std::vector<Vec3> fallen(Lists lists) {
  Heap heap(8, 0.4, 0.3, 7);
  Elements& e = heap.elements;
  SelfContact contact;
  SparseLoads loads;
  loads.resize(e.size());
  const double dt = 0.1 * std::sqrt(e.mass[0] / (watched_youngs * watched_edge));
  std::size_t touched = 0;
  for (int i = 0; i < 300; ++i) {
    lists(contact, heap, i);
    loads.clear();
    touched += contact.add_loads(heap.constants, heap.state, e.radius, dt, loads);
    for (std::size_t v = 0; v < e.size(); ++v) {
      e.velocity[v] += dt * (loads.force_of(v) / e.mass[v] - 1e5 * (e.position[v] - 4 * watched_edge * Vec3::Ones()));
      e.position[v] += dt * e.velocity[v];
    }
    heap.state.load(e);
  }
  EXPECT_GT(touched, 3000U);
  return e.position;
}

TEST(VoxelWatchList, ListsMadeInPiecesGiveTheBitsOfListsMadeAtOnce) {
  std::uint64_t in_pieces = 0;
  const auto at_once = [](SelfContact& contact, const Heap& heap, int) {
    contact.rebuild(heap.topology, heap.state, heap.elements.radius, watched_edge);
  };
  const auto spread = [&](SelfContact& contact, const Heap& heap, int) {
    contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
    in_pieces = contact.rebuilds() - contact.immediate_rebuilds();
  };
  const auto disturbed = [](SelfContact& contact, const Heap& heap, int i) {
    if (i % 7 == 3) contact.forget();  // the list is forgotten, as after a state was restored
    contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
  };
  const std::vector<Vec3> expected = fallen(at_once);
  EXPECT_EQ(fallen(spread), expected);
  EXPECT_GT(in_pieces, 5U);
  EXPECT_EQ(fallen(disturbed), expected);
}

TEST(VoxelWatchList, VoxelsBesideABreakAreWatched) {
  Heap heap(4, 1, 0, 6);
  SelfContact contact;
  contact.rebuild(heap.topology, heap.state, heap.elements.radius, watched_edge);
  const auto watches = [&](std::uint32_t a, std::uint32_t b) {
    return std::find(contact.pairs().begin(), contact.pairs().end(), std::pair{std::min(a, b), std::max(a, b)}) !=
           contact.pairs().end();
  };
  const std::size_t bond = 10;
  const auto a = static_cast<std::uint32_t>(heap.topology.bonds[bond].a),
             b = static_cast<std::uint32_t>(heap.topology.bonds[bond].b);
  EXPECT_FALSE(watches(a, b));
  break_bond(heap.topology, bond);
  contact.forget();
  contact.follow(heap.topology, heap.state, heap.elements.radius, watched_edge);
  EXPECT_TRUE(watches(a, b));
}

}  // namespace
}  // namespace vw::test
