#include "sim/collision/mesh/mesh_topology.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <compare>

#include "sim/collision/mesh/triangle.h"

namespace vw {
namespace {

using Corners = std::array<std::uint32_t, 3>;

Result<void> check(const TriangleList& list) {
  if (list.triangle.empty()) return fail("the mesh has no triangles");
  if (list.triangle.size() > max_triangles)
    return fail(fmt::format("the mesh has {} triangles; the limit is {}", list.triangle.size(), max_triangles));
  for (std::size_t i = 0; i < list.position.size(); ++i)
    if (!list.position[i].allFinite() || list.position[i].cwiseAbs().maxCoeff() > 1e9)
      return fail(
          fmt::format("vertex {} of the mesh is at ({:.6g}, {:.6g}, {:.6g}): coordinates must lie in [-1e9, 1e9] m", i,
                      list.position[i].x(), list.position[i].y(), list.position[i].z()));
  for (std::size_t i = 0; i < list.triangle.size(); ++i)
    for (const std::uint32_t corner : list.triangle[i])
      if (corner >= list.position.size())
        return fail(fmt::format("triangle {} of the mesh refers to vertex {}, but the number of vertices is {}", i,
                                corner, list.position.size()));
  return {};
}

template <class Words>
std::uint64_t hash_of(const Words& words) {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (int k = 0; k < 3; ++k) {
    h ^= std::bit_cast<std::uint64_t>(words[static_cast<decltype(words.size())>(k)]);
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 32U;
  }
  return h;
}

/// Returns for each element of `all` the index of the first element that equals it. Uses a hash table with open
/// addressing.
template <class T, class HashOf>
std::vector<std::uint32_t> first_equal(const std::vector<T>& all, const HashOf& hash) {
  const std::size_t slots = std::bit_ceil(2 * all.size() + 1);
  std::vector<std::uint32_t> table(slots, no_triangle), first(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    std::size_t slot = hash(all[i]) & (slots - 1);
    while (table[slot] != no_triangle && all[table[slot]] != all[i]) slot = (slot + 1) & (slots - 1);
    if (table[slot] == no_triangle) table[slot] = i;
    first[i] = table[slot];
  }
  return first;
}

/// Finds, for each position, the first stored position within the distance `apart`. If there is none, the position
/// represents itself and is stored. Cells are several times as wide as `apart`, so a search visits at most eight cells.
/// Stored positions are more than `apart` from each other, so each cell contains a limited number of them.
class NearPlaces {
 public:
  NearPlaces(const std::vector<Vec3>& position, const Vec3& low, double apart)
      : position_(position),
        low_(low),
        apart_(apart),
        table_(std::bit_ceil(2 * position.size() + 1), no_triangle),
        next_(position.size(), no_triangle) {}

  std::uint32_t first_near(std::uint32_t i) {
    std::uint32_t first = i;
    const Vec3 at = position_[i] - low_, margin = Vec3::Constant(apart_);
    const Cell low = cell_of(at - margin), high = cell_of(at + margin);
    for (std::int64_t x = low[0]; x <= high[0]; ++x)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t z = low[2]; z <= high[2]; ++z) first = std::min(first, first_in({x, y, z}, i));
    if (first == i) add(cell_of(at), i);
    return first;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr double cell_share = 8;

  [[nodiscard]] Cell cell_of(const Vec3& at) const {
    const Vec3 cell = (at / (cell_share * apart_)).array().floor();
    return {static_cast<std::int64_t>(cell.x()), static_cast<std::int64_t>(cell.y()),
            static_cast<std::int64_t>(cell.z())};
  }
  /// Returns the slot of the table with the list of a cell, or the free slot for a new list.
  [[nodiscard]] std::size_t slot_of(const Cell& cell) const {
    std::size_t slot = hash_of(cell) & (table_.size() - 1);
    while (table_[slot] != no_triangle && cell_of(position_[table_[slot]] - low_) != cell)
      slot = (slot + 1) & (table_.size() - 1);
    return slot;
  }
  [[nodiscard]] std::uint32_t first_in(const Cell& cell, std::uint32_t i) const {
    std::uint32_t first = i;
    for (std::uint32_t other = table_[slot_of(cell)]; other != no_triangle; other = next_[other])
      if ((position_[other] - position_[i]).squaredNorm() <= apart_ * apart_) first = std::min(first, other);
    return first;
  }
  void add(const Cell& cell, std::uint32_t i) {
    const std::size_t slot = slot_of(cell);
    next_[i] = table_[slot];
    table_[slot] = i;
  }

  const std::vector<Vec3>& position_;
  Vec3 low_;
  double apart_;
  std::vector<std::uint32_t> table_, next_;
};

/// Returns for each vertex the index of the vertex that represents all vertices at nearly the same position (see
/// join_share).
std::vector<std::uint32_t> first_at_place(const std::vector<Vec3>& position) {
  Box3 box;
  for (const Vec3& p : position) box.extend(p);
  const double apart = join_share * box.diagonal().norm();
  if (!(apart > 0)) return first_equal(position, hash_of<Vec3>);
  NearPlaces places(position, box.min(), apart);
  std::vector<std::uint32_t> first(position.size());
  for (std::uint32_t i = 0; i < first.size(); ++i) first[i] = places.first_near(i);
  return first;
}

bool has_area(const std::vector<Vec3>& x, const Corners& t) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
  const Vec3 ab = x[t[1]] - x[t[0]], ac = x[t[2]] - x[t[0]];
  const double longest_2 = std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
  constexpr double none = 1e-13;  // Largest ratio of height to length that rounding alone may cause.
  return ab.cross(ac).norm() > none * longest_2;
}

/// Removes triangles that occur more than once. For the comparison, the corners of each triangle are rotated so that
/// the lowest vertex comes first. Two triangles with equal corners but opposite orientations are both kept, because
/// sheets often consist of such pairs.
void drop_repeated(std::vector<Corners>& triangle, MeshReport& report) {
  for (Corners& t : triangle) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  const std::vector<std::uint32_t> first = first_equal(triangle, [](const Corners& t) {
    return hash_of(std::array<std::uint64_t, 3>{t[0], t[1], t[2]});
  });
  std::size_t kept = 0;
  for (std::uint32_t i = 0; i < first.size(); ++i)
    if (first[i] == i) triangle[kept++] = triangle[i];
  report.repeated = triangle.size() - kept;
  triangle.resize(kept);
}

/// Joins vertices at nearly the same position, and removes triangles without area, repeated triangles, and unused
/// vertices. The order of the remaining triangles and vertices does not change.
void weld(TriangleList& list, MeshReport& report) {
  for (Vec3& p : list.position) p += Vec3::Zero();  // Turns -0 into 0, so that equal coordinates have equal hashes.
  const std::vector<std::uint32_t> first = first_at_place(list.position);
  std::vector<std::uint32_t> place(list.position.size(), no_triangle);
  std::size_t kept = 0;
  for (Corners t : list.triangle) {
    for (std::uint32_t& corner : t) {
      if (first[corner] != corner && place[corner] == no_triangle) {
        ++report.welded;
        report.joined += list.position[first[corner]] != list.position[corner] ? 1 : 0;
        place[corner] = 0;
      }
      corner = first[corner];
    }
    if (has_area(list.position, t))
      list.triangle[kept++] = t;
    else
      ++report.without_area;
  }
  list.triangle.resize(kept);
  drop_repeated(list.triangle, report);
  std::fill(place.begin(), place.end(), no_triangle);
  for (const Corners& t : list.triangle)
    for (const std::uint32_t corner : t) place[corner] = 0;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] == no_triangle) continue;
    list.position[count] = list.position[i];
    place[i] = count++;
  }
  list.position.resize(count);
  for (Corners& t : list.triangle)
    for (std::uint32_t& corner : t) corner = place[corner];
}

void find_around(MeshTopology& mesh) {
  mesh.first_around.assign(mesh.list.position.size() + 1, 0);
  for (const Corners& t : mesh.list.triangle)
    for (const std::uint32_t corner : t) ++mesh.first_around[corner + 1];
  for (std::size_t i = 1; i < mesh.first_around.size(); ++i) mesh.first_around[i] += mesh.first_around[i - 1];
  mesh.around.resize(3 * mesh.list.triangle.size());
  std::vector<std::uint32_t> next(mesh.first_around.begin(), mesh.first_around.end() - 1);
  for (std::uint32_t i = 0; i < mesh.list.triangle.size(); ++i)
    for (const std::uint32_t corner : mesh.list.triangle[i]) mesh.around[next[corner]++] = i;
}

/// One side of a triangle. Sides are grouped by the smaller index of their two vertices. `far` is the larger index, and
/// `id` is 3 * triangle + edge.
struct Side {
  std::uint32_t far, id;
  auto operator<=>(const Side&) const = default;
};

/// Returns the sides of all triangles, grouped by the smaller index of their vertices and sorted within each group.
/// Even if many triangles share an edge, only the sorting takes more than linear time.
std::vector<Side> sorted_sides(const std::vector<Corners>& triangle, std::vector<std::uint32_t>& first) {
  const auto low_of = [&](std::size_t i, std::size_t k) { return std::min(triangle[i][k], triangle[i][(k + 1) % 3]); };
  for (std::size_t i = 0; i < triangle.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) ++first[low_of(i, k) + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<Side> sides(3 * triangle.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < triangle.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      sides[next[low_of(i, k)]++] = {std::max(triangle[i][k], triangle[i][(k + 1) % 3]),
                                     static_cast<std::uint32_t>(3 * i + k)};
  for (std::size_t v = 0; v + 1 < first.size(); ++v) std::sort(sides.begin() + first[v], sides.begin() + first[v + 1]);
  return sides;
}

void find_beside(MeshTopology& mesh) {
  mesh.beside.assign(mesh.list.triangle.size(), {no_triangle, no_triangle, no_triangle});
  std::vector<std::uint32_t> first(mesh.list.position.size() + 1, 0);
  const std::vector<Side> sides = sorted_sides(mesh.list.triangle, first);
  for (std::size_t v = 0; v + 1 < first.size(); ++v)
    for (std::size_t begin = first[v], end = begin; begin < first[v + 1]; begin = end) {
      while (end < first[v + 1] && sides[end].far == sides[begin].far) ++end;
      if (end - begin == 2) {
        const std::uint32_t a = sides[begin].id, b = sides[begin + 1].id;
        mesh.beside[a / 3][a % 3] = b / 3;
        mesh.beside[b / 3][b % 3] = a / 3;
      }
      if (end - begin == 1) ++mesh.report.open_edges;
      if (end - begin > 2) ++mesh.report.odd_edges;
    }
}

/// Returns whether triangles a and b, which share an edge, have the same orientation. They then traverse the shared
/// edge in opposite directions.
bool alike(const Corners& a, std::size_t edge, const Corners& b) {
  const std::uint32_t u = a[edge], v = a[(edge + 1) % 3];
  for (std::size_t k = 0; k < 3; ++k)
    if (b[k] == v && b[(k + 1) % 3] == u) return true;
  return false;
}

void flip(MeshTopology& mesh, std::uint32_t i) {
  std::swap(mesh.list.triangle[i][1], mesh.list.triangle[i][2]);
  std::swap(mesh.beside[i][0], mesh.beside[i][2]);
}

/// Returns six times the volume of the tetrahedra that the triangles of `part` form with the point `middle`. The volume
/// is negative for triangles that face towards `middle`.
double volume_6(const MeshTopology& mesh, std::span<const std::uint32_t> part, const Vec3& middle) {
  double sum = 0;
  for (const std::uint32_t i : part) {
    const Corners& t = mesh.list.triangle[i];
    const Vec3 a = mesh.list.position[t[0]] - middle, b = mesh.list.position[t[1]] - middle,
               c = mesh.list.position[t[2]] - middle;
    sum += a.dot(b.cross(c));
  }
  return sum;
}

/// A connected part of a mesh. Two triangles are connected if they share an edge that belongs to no other triangle.
struct Part {
  std::vector<std::uint32_t> triangles;
  /// Whether the orientation of each entry of `triangles` is opposite to that of the first triangle.
  std::vector<bool> turned;
  bool orientable = true;
  bool any_turned = false;
};

Part collect_part(const MeshTopology& mesh, std::uint32_t seed, std::vector<std::int8_t>& state) {
  Part part;
  part.triangles.push_back(seed);
  state[seed] = 1;
  for (std::size_t at = 0; at < part.triangles.size(); ++at) {
    const std::uint32_t i = part.triangles[at];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t j = mesh.beside[i][k];
      if (j == no_triangle) continue;
      const auto wanted =
          static_cast<std::int8_t>(alike(mesh.list.triangle[i], k, mesh.list.triangle[j]) ? state[i] : -state[i]);
      if (state[j] == 0) {
        state[j] = wanted;
        part.triangles.push_back(j);
      } else if (state[j] != wanted) {
        part.orientable = false;
      }
    }
  }
  for (const std::uint32_t i : part.triangles) part.turned.push_back(state[i] < 0), part.any_turned |= state[i] < 0;
  return part;
}

/// Gives all triangles of an orientable part the orientation that most of them have. It is not decided here whether a
/// part faces outwards, because the part may be the wall of a cavity in another part. Returns whether all parts are
/// orientable.
bool wind_alike(MeshTopology& mesh) {
  bool all = true;
  mesh.part.resize(mesh.list.triangle.size());
  std::vector<std::int8_t> state(mesh.list.triangle.size(), 0);
  for (std::uint32_t seed = 0; seed < mesh.list.triangle.size(); ++seed) {
    if (state[seed] != 0) continue;
    const Part part = collect_part(mesh, seed, state);
    for (const std::uint32_t i : part.triangles) mesh.part[i] = mesh.parts;
    ++mesh.parts;
    all &= part.orientable;
    if (!part.any_turned || !part.orientable) continue;
    std::size_t turned = 0;
    for (const bool one : part.turned) turned += one ? 1 : 0;
    const bool minority = 2 * turned <= part.turned.size();
    for (std::size_t at = 0; at < part.triangles.size(); ++at)
      if (part.turned[at] == minority) flip(mesh, part.triangles[at]);
    mesh.report.turned = true;
  }
  return all;
}

void face_outwards(MeshTopology& mesh) {
  Box3 box;
  for (const Vec3& p : mesh.list.position) box.extend(p);
  std::vector<std::uint32_t> all(mesh.list.triangle.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  if (volume_6(mesh, all, box.center()) < 0) turn_parts(mesh, std::vector<bool>(mesh.parts, true));
}

}  // namespace

std::string MeshReport::sentence(bool two_sided) const {
  std::vector<std::string> said;
  const auto count = [](std::uint64_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  if (without_area > 0)
    said.push_back(count(without_area, "triangle without area was", "triangles without area were") + " omitted");
  if (repeated > 0) said.push_back(count(repeated, "duplicate triangle was", "duplicate triangles were") + " omitted");
  if (joined > 0)
    said.push_back(count(joined, "vertex was", "vertices were") +
                   fmt::format(" merged with vertices closer than {:g} of the mesh size", join_share));
  if (turned) said.emplace_back("some triangles were reversed so that they face outwards");
  if (overlapping)
    said.emplace_back(
        "parts of the mesh overlap, so the winding number of its triangles determines which points are inside");
  if (inside != MeshInside::by_side && !overlapping && !(two_sided && inside == MeshInside::nowhere)) {
    std::string why;
    if (open_edges > 0) why = count(open_edges, "open edge", "open edges");
    if (odd_edges > 0)
      why += (why.empty() ? "" : ", ") + count(odd_edges, "edge", "edges") + " shared by more than two triangles";
    if (why.empty()) why = "one-sided or flat";
    said.push_back("the mesh is not closed (" + why + "), so " +
                   (inside == MeshInside::nowhere
                        ? "it is a sheet that is hit from both sides"
                        : "the winding number of its triangles determines which points are inside"));
  }
  return fmt::format("{}", fmt::join(said, "; "));
}

void turn_parts(MeshTopology& mesh, const std::vector<bool>& parts) {
  for (std::uint32_t i = 0; i < mesh.list.triangle.size(); ++i)
    if (parts[mesh.part[i]]) flip(mesh, i);
  mesh.report.turned = true;
}

Result<MeshTopology> clean_mesh(TriangleList list) {
  if (const auto fine = check(list); !fine) return Unexpected(fine.error());
  MeshTopology mesh;
  mesh.list = std::move(list);
  weld(mesh.list, mesh.report);
  if (mesh.list.triangle.empty()) return fail("no triangle of the mesh has an area above 0");
  mesh.report.triangles = mesh.list.triangle.size();
  find_around(mesh);
  find_beside(mesh);
  const bool orientable = wind_alike(mesh);
  if (orientable && mesh.report.open_edges == 0 && mesh.report.odd_edges == 0)
    face_outwards(mesh);
  else
    mesh.report.inside = MeshInside::by_winding;
  return mesh;
}

}  // namespace vw
