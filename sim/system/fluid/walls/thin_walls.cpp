#include "sim/system/fluid/walls/thin_walls.h"

#include <algorithm>
#include <array>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/walls/walls_sampling.h"

namespace vw {
namespace {

Vec3 place_of(const SphWorkspace& space, const Float4& row) { return xyz(row) + space.origin; }

bool is_same(const Walls::Owner& plate, const Walls::Owner& sample) {
  return plate.guest == sample.guest && (plate.guest >= 0 || plate.sample == sample.sample);
}

}  // namespace

void ThinWalls::assign(std::span<const Collider> colliders, std::span<const Guest> guests, double spacing_m) {
  plates_.clear();
  sheets_.clear();
  if (known_spacing_m_ != spacing_m) known_.clear();
  // No solid uses this geometry any more.
  std::erase_if(known_, [](const Known& one) { return one.geometry.use_count() == 1; });
  known_spacing_m_ = spacing_m;
  reach_m_ = 2 * spacing_m;
  for (std::size_t i = 0; i < colliders.size(); ++i) add(colliders[i], {-1, static_cast<std::uint32_t>(i)}, spacing_m);
  for (std::size_t g = 0; g < guests.size(); ++g)
    if (guests[g].solid) add(*guests[g].solid, {static_cast<std::int32_t>(g), 0}, spacing_m);
}

bool ThinWalls::is_sheet(const Collider& solid, double spacing_m) {
  const auto* data = std::get_if<std::shared_ptr<const Geometry>>(&solid.shape);
  if (solid.two_sided || data == nullptr) return thin_wall(solid.shape, solid.two_sided, spacing_m).has_value();
  const auto known =
      std::find_if(known_.begin(), known_.end(), [&](const Known& one) { return one.geometry == *data; });
  if (known != known_.end()) return known->is_thin;
  known_.push_back({*data, thin_wall(solid.shape, false, spacing_m).has_value()});
  return known_.back().is_thin;
}

void ThinWalls::add(const Collider& solid, const Walls::Owner& owner, double spacing_m) {
  if (is_sheet(solid, spacing_m)) {
    const bool is_plane = std::holds_alternative<PlaneShape>(solid.shape);
    const Vec3 middle = is_plane ? solid.position : solid.position + solid.orientation * bounds(solid.shape).center();
    const Vec3 half = is_plane
                          ? Vec3(Vec3::Constant(1e300))
                          : Vec3(solid.orientation.toRotationMatrix().cwiseAbs() * (0.5 * bounds(solid.shape).sizes()) +
                                 Vec3::Constant(2 * reach_m_));
    sheets_.push_back({&solid, owner, Box3(middle - half, middle + half)});
    return;
  }
  const auto* box = std::get_if<BoxShape>(&solid.shape);
  if (box == nullptr) return;
  const int across = thin_axis(box->half_extent_m, spacing_m);
  if (across < 0) return;
  Plate plate;
  plate.to_local = solid.orientation.conjugate().toRotationMatrix();
  plate.position = solid.position;
  // The separating part is extended by half the thickness, so that two plates that join at their edges leave no gap in
  // the corner.
  plate.half = box->half_extent_m + Vec3::Constant(box->half_extent_m[across]);
  plate.across = across;
  plate.owner = owner;
  // Samples lie up to three quarters of the support radius behind the face, and the lists of particles hold samples up
  // to another support radius away. The region `around` therefore extends by two support radii.
  const Vec3 half = solid.orientation.toRotationMatrix().cwiseAbs() * plate.half + Vec3::Constant(2 * reach_m_);
  plate.around = Box3(solid.position - half, solid.position + half);
  plates_.push_back(plate);
}

const ThinWalls::Side* ThinWalls::Sides::find(const std::vector<Side>& sides, std::uint32_t index) {
  const auto at = std::lower_bound(sides.begin(), sides.end(), index,
                                   [](const Side& side, std::uint32_t i) { return side.index < i; });
  return at != sides.end() && at->index == index ? &*at : nullptr;
}

/// For each sheet near the chunk, computes distance and normal at the chunk's particles, at the particles in their
/// lists, and at the samples of the sheet in their lists. Particles out of reach of the sheet are left out.
void ThinWalls::find_sides(const SphWorkspace& space, std::span<const Walls::Owner> owners, const PairChunk& chunk,
                           Scratch& scratch) const {
  const auto sort = [](std::vector<Side>& sides) {
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.index < b.index; });
    sides.erase(
        std::unique(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.index == b.index; }),
        sides.end());
  };
  for (Sides& near : scratch.sides) {
    const Sheet& sheet = *near.sheet;
    near.rows.clear(), near.walls.clear();
    for (const Cluster& cluster : chunk.clusters) {
      for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row)
        near.rows.push_back({row, {}, 0, {}});
      for (std::uint32_t k = cluster.near_begin; k < cluster.near_end; ++k)
        if (const std::uint32_t row = chunk.near_row(cluster, k); row != space.size())
          near.rows.push_back({row, {}, 0, {}});
      for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k)
        if (const std::uint32_t wall = chunk.walls[k]; wall < owners.size() && is_same(sheet.owner, owners[wall]))
          near.walls.push_back({wall, {}, 0, {}});
    }
    sort(near.rows), sort(near.walls);
    const auto ask = [&](Side& side, const Float4& row) {
      side.place = place_of(space, row);
      const SurfaceQuery found = query(*sheet.solid, side.place, reach_m_);
      side.distance_m = found.distance, side.normal = found.normal;
    };
    for (Side& side : near.rows) ask(side, space.rows[side.index]);
    for (Side& side : near.walls) ask(side, space.walls.rows[side.index]);
    std::erase_if(near.rows, [&](const Side& side) { return side.distance_m >= reach_m_; });
  }
}

/// Returns whether the straight line between two positions crosses the sheet.
bool ThinWalls::is_parted(const Collider& sheet, const Side& from, const Side& to) {
  const Vec3 way = to.place - from.place;
  if (std::max(0.0, from.distance_m) + std::max(0.0, to.distance_m) > way.norm()) return false;
  // If both positions are in front of the same part of a smooth surface, the line does not cross the surface.
  constexpr double alike = 0.7;  // Minimum cosine of the angle between the normals.
  if (from.normal.dot(to.normal) > alike && from.distance_m + from.normal.dot(way) > 0 &&
      to.distance_m - to.normal.dot(way) > 0)
    return false;
  return sweep(sheet, sheet, from.place, to.place, 0).has_value();
}

/// Sets the mask bits of the pairs that sheets separate. Returns whether there are such pairs.
bool ThinWalls::part_by_sheets(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster,
                               Scratch& scratch) {
  bool any = false;
  const auto part = [&](std::vector<std::uint8_t>& mask, std::uint32_t entry, std::uint32_t i) {
    mask[entry] |= static_cast<std::uint8_t>(1U << i);
    any = true;
  };
  for (const Sides& near : scratch.sides)
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      const Side* own = Sides::find(near.rows, cluster.row + i);
      for (std::uint32_t k = cluster.near_begin; own != nullptr && k < cluster.near_end; ++k) {
        const std::uint32_t row = chunk.near_row(cluster, k);
        const Side* other = row == space.size() ? nullptr : Sides::find(near.rows, row);
        if (other != nullptr && other != own && is_parted(*near.sheet->solid, *own, *other))
          part(scratch.near, k - cluster.near_begin, i);
      }
      // The samples of a face act only on the fluid in front of that face. They are removed from the lists of all other
      // particles, including the particles out of reach of the sheet.
      for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
        const Side* sample = Sides::find(near.walls, chunk.walls[k]);
        if (sample == nullptr) continue;
        const bool is_before = own != nullptr && sample->normal.dot(own->place - sample->place) < 0;
        if (!is_before || !is_parted(*near.sheet->solid, *own, *sample)) part(scratch.walls, k - cluster.wall_begin, i);
      }
    }
  return any;
}

/// Sets the mask bits of the pairs that thin boxes separate. Returns whether there are such pairs.
bool ThinWalls::part_by_plates(const SphWorkspace& space, std::span<const Walls::Owner> owners, const PairChunk& chunk,
                               const Cluster& cluster, Scratch& scratch) {
  bool any = false;
  for (const Plate* plate : scratch.of_cluster) {
    const int across = plate->across;
    std::array<Vec3, 4> at;
    for (std::uint32_t i = 0; i < cluster.rows; ++i) at[i] = plate->local(place_of(space, space.rows[cluster.row + i]));
    for (std::uint32_t k = cluster.near_begin; k < cluster.near_end; ++k) {
      const std::uint32_t row = chunk.near_row(cluster, k);
      if (row == space.size()) continue;
      const Vec3 other = plate->local(place_of(space, space.rows[row]));
      for (std::uint32_t i = 0; i < cluster.rows; ++i) {
        const double from = at[i][across], to = other[across];
        if ((from < 0) == (to < 0)) continue;
        const Vec3 crossing = at[i] + from / (from - to) * (other - at[i]);
        if (!(crossing.cwiseAbs().array() <= plate->half.array()).all()) continue;
        scratch.near[k - cluster.near_begin] |= static_cast<std::uint8_t>(1U << i);
        any = true;
      }
    }
    // Samples of a face lie beyond the midplane. Only particles in front of the face, that is, on the opposite side of
    // the midplane, keep these samples in their lists.
    for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
      const std::uint32_t wall = chunk.walls[k];
      if (wall >= owners.size() || !is_same(plate->owner, owners[wall])) continue;
      const double beyond = plate->local(place_of(space, space.walls.rows[wall]))[across];
      for (std::uint32_t i = 0; i < cluster.rows; ++i) {
        if ((at[i][across] < 0) != (beyond < 0)) continue;
        scratch.walls[k - cluster.wall_begin] |= static_cast<std::uint8_t>(1U << i);
        any = true;
      }
    }
  }
  return any;
}

/// Appends a cluster with the rows [first, first + rows) of the cluster `of`. Its lists omit the entries that walls
/// separate from the first of these rows.
void ThinWalls::add_cluster(const SphWorkspace& space, const Cluster& of, std::uint32_t first, std::uint32_t rows,
                            PairChunk& chunk, Scratch& scratch) {
  // The page of the padding row has the first slot in every page table, so its entry is the same for all clusters.
  const auto padding = static_cast<std::uint16_t>(space.size() % (std::size_t{1} << page_bits));
  Cluster own = of;
  own.row = of.row + first;
  own.rows = rows;
  own.near_begin = static_cast<std::uint32_t>(chunk.near.size());
  for (std::uint32_t k = of.near_begin; k < of.near_end; ++k)
    if ((scratch.near[k - of.near_begin] >> first & 1U) == 0) chunk.near.push_back(chunk.near[k]);
  while (chunk.near.size() % 4 != 0) chunk.near.push_back(padding);
  own.near_end = static_cast<std::uint32_t>(chunk.near.size());
  own.wall_begin = static_cast<std::uint32_t>(chunk.walls.size());
  for (std::uint32_t k = of.wall_begin; k < of.wall_end; ++k)
    if ((scratch.walls[k - of.wall_begin] >> first & 1U) == 0) chunk.walls.push_back(chunk.walls[k]);
  while (chunk.walls.size() % 4 != 0) chunk.walls.push_back(static_cast<std::uint32_t>(space.walls.size()));
  own.wall_end = static_cast<std::uint32_t>(chunk.walls.size());
  scratch.clusters.push_back(own);
}

void ThinWalls::part_chunk(const SphWorkspace& space, std::span<const Walls::Owner> owners, PairChunk& chunk,
                           Scratch& scratch) const {
  Box3 rows;
  for (std::uint32_t row = chunk.first_row; row < chunk.end_row; ++row) rows.extend(place_of(space, space.rows[row]));
  scratch.plates.clear();
  for (const Plate& plate : plates_)
    if (plate.around.intersects(rows)) scratch.plates.push_back(&plate);
  std::size_t sheets = 0;
  for (const Sheet& sheet : sheets_) {
    if (!sheet.around.intersects(rows)) continue;
    if (scratch.sides.size() == sheets) scratch.sides.emplace_back();
    scratch.sides[sheets++].sheet = &sheet;
  }
  scratch.sides.resize(sheets);
  if (scratch.plates.empty() && sheets == 0) return;
  find_sides(space, owners, chunk, scratch);
  scratch.clusters.clear();
  for (const Cluster& cluster : chunk.clusters) {
    scratch.of_cluster.clear();
    for (const Plate* plate : scratch.plates)
      for (std::uint32_t i = 0; i < cluster.rows; ++i)
        if (plate->around.contains(place_of(space, space.rows[cluster.row + i]))) {
          scratch.of_cluster.push_back(plate);
          break;
        }
    scratch.near.assign(cluster.near_end - cluster.near_begin, 0);
    scratch.walls.assign(cluster.wall_end - cluster.wall_begin, 0);
    const bool by_sheets = part_by_sheets(space, chunk, cluster, scratch),
               by_plates = part_by_plates(space, owners, chunk, cluster, scratch);
    if (!by_sheets && !by_plates) {
      scratch.clusters.push_back(cluster);
      continue;
    }
    const auto all = static_cast<std::uint8_t>((1U << cluster.rows) - 1);
    const auto is_alike = [&](std::uint8_t mask) { return mask == 0 || mask == all; };
    if (std::all_of(scratch.near.begin(), scratch.near.end(), is_alike) &&
        std::all_of(scratch.walls.begin(), scratch.walls.end(), is_alike))
      add_cluster(space, cluster, 0, cluster.rows, chunk, scratch);
    else
      for (std::uint32_t i = 0; i < cluster.rows; ++i) add_cluster(space, cluster, i, 1, chunk, scratch);
  }
  chunk.clusters.assign(scratch.clusters.begin(), scratch.clusters.end());
}

void ThinWalls::part(SphWorkspace& space, std::span<const Walls::Owner> owners) {
  if (empty()) return;
  const std::span<PairChunk> chunks = space.lists.chunks_to_edit();
  scratch_.resize(chunks.size());
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) part_chunk(space, owners, chunks[c], scratch_[c]);
  });
}

}  // namespace vw
