#include "sim/system/fluid/walls/walls.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/shape/hollow.h"
#include "sim/system/fluid/walls/wall_area.h"
#include "sim/system/fluid/walls/walls_sampling.h"

namespace vw {
namespace {

constexpr std::size_t wall_grain = 2048;
/// Upper limit for the samples of one collider. A shape that would take more is sampled only in the region that fluid
/// may reach.
constexpr double most_samples = 2e6;
constexpr double large_box = 1e5;  ///< Number of samples in one layer above which a box is sampled only near fluid.
/// Half width of the sampled part of a plane or large box if follow() was never called [spacings].
constexpr double widest_plane = 1500;
constexpr double everywhere_m = 1e300;   ///< Half extent of the region of a moving collider, whose samples are kept.
constexpr std::int32_t tiles_ahead = 1;  ///< Number of extra tiles around fluid that are sampled in advance.

bool same_shape(const Shape& a, const Shape& b) {
  if (a.index() != b.index()) return false;
  struct {
    const Shape& other;
    bool operator()(const PlaneShape&) const { return true; }
    bool operator()(const SphereShape& one) const { return one.radius_m == std::get<SphereShape>(other).radius_m; }
    bool operator()(const BoxShape& one) const { return one.half_extent_m == std::get<BoxShape>(other).half_extent_m; }
    bool operator()(const CapsuleShape& one) const {
      const auto& two = std::get<CapsuleShape>(other);
      return one.radius_m == two.radius_m && one.half_length_m == two.half_length_m;
    }
    bool operator()(const CylinderShape& one) const {
      const auto& two = std::get<CylinderShape>(other);
      return one.radius_m == two.radius_m && one.half_length_m == two.half_length_m;
    }
    bool operator()(const std::shared_ptr<const Geometry>& one) const {
      return one == std::get<std::shared_ptr<const Geometry>>(other);
    }
  } const same{b};
  return std::visit(same, a);
}

bool is_plane(const Shape& shape) { return std::holds_alternative<PlaneShape>(shape); }
Vec3 to_world(const Collider& collider, const Vec3& local) { return collider.position + collider.orientation * local; }
Vec3 to_local(const Collider& collider, const Vec3& point) {
  return collider.orientation.conjugate() * (point - collider.position);
}

/// Returns the bounding box, in the collider's frame, of a box in world axes.
Box3 local_box(const Collider& collider, const Box3& world) {
  Box3 local;
  for (int corner = 0; corner < 8; ++corner)
    local.extend(to_local(collider, {(corner & 1) != 0 ? world.max().x() : world.min().x(),
                                     (corner & 2) != 0 ? world.max().y() : world.min().y(),
                                     (corner & 4) != 0 ? world.max().z() : world.min().z()}));
  return local;
}

/// Resizes a vector whose length rarely changes, without the spare capacity of geometric growth.
template <class T>
void fit(std::vector<T>& v, std::size_t count) {
  if (v.capacity() < count || v.capacity() > count + count / 2 + 64) {
    v = {};
    v.reserve(count);
  }
  v.resize(count);
}

/// Returns the cells of a solid box or of a hollow box (room). The result is empty for other shapes.
std::optional<BoxCells> box_cells(const Shape& shape, bool two_sided, const SampleScale& scale) {
  if (two_sided) return std::nullopt;
  const Shape* hole = hole_of(shape);
  const auto* box = std::get_if<BoxShape>(hole != nullptr ? hole : &shape);
  return box != nullptr ? std::optional<BoxCells>(BoxCells(box->half_extent_m, hole != nullptr, scale)) : std::nullopt;
}

Float4 row_about(const Vec3& place, const Vec3& origin, float share) {
  const Vec3f at = (place - origin).cast<float>();
  return {at.x(), at.y(), at.z(), share};
}

/// Returns the approximate number of samples per squared spacing. The area of a sheet includes one side only, so a
/// sheet has twice as many layers per area as a solid.
int layers_of(const Collider& collider, double spacing_m) {
  return thin_wall(collider.shape, collider.two_sided, spacing_m) == 0.0 ? 4 : 2;
}

/// Returns the approximate number of samples of the whole surface of a collider, which may be infinite.
double samples_of_all(const Collider& collider, double spacing_m) {
  return layers_of(collider, spacing_m) * wall_area(collider) / (spacing_m * spacing_m);
}

}  // namespace

bool is_still(const Collider& collider) { return collider.velocity.isZero(0) && collider.angular_velocity.isZero(0); }

double samples_of_wall(const Collider& collider, double spacing_m, const Box3& needed) {
  if (is_plane(collider.shape) || box_cells(collider.shape, collider.two_sided, {spacing_m, SphKernel::wendland}))
    return 0;
  const double all = samples_of_all(collider, spacing_m);
  if (all < most_samples) return all;  // In this case, Walls::cover() samples the whole surface.
  const Vec3 size = needed.sizes();
  const double widest = 2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x());
  const double samples = std::min(all, layers_of(collider, spacing_m) * widest / (spacing_m * spacing_m));
  // No samples are needed if the whole region is free space or lies inside the solid.
  const double reach = 2 * spacing_m, half = 0.5 * size.norm() + reach;
  return std::abs(query(collider, needed.center(), 2 * half).distance) < half ? samples : 0;
}

bool takes_too_many_samples(const Collider& collider, double spacing_m, const Box3& needed) {
  return samples_of_wall(collider, spacing_m, needed) >= most_samples;
}

bool is_sampled_near_fluid(const Collider& collider, const SphScale& scale) {
  if (is_plane(collider.shape)) return true;
  const double d = scale.spacing_m;
  return area(collider.shape) / (d * d) > large_box &&
         box_cells(collider.shape, collider.two_sided, {d, scale.kernel}).has_value();
}

SurfaceSamples sample_wall(const Shape& shape, bool two_sided, double spacing_m, SphKernel kernel, const Box3& needed) {
  const SampleScale scale(spacing_m, kernel);
  if (is_plane(shape)) return cover_plane(two_sided, scale, needed);
  if (const auto box = box_cells(shape, two_sided, scale)) return box->cover(needed);
  return cover_evenly(shape, two_sided, scale, needed);
}

void Walls::Placed::clear() {
  place.clear();
  velocity.clear();
  share.clear();
  owner.clear();
  sort.keys.clear();
}

bool Walls::fits(const Cover& cover, const Collider& collider) {
  return cover.samples && cover.two_sided == collider.two_sided && same_shape(cover.shape, collider.shape);
}

/// Whether the samples cover the region that fluid may reach. Samples of only a part of a shape do not cover it if the
/// collider has been moved since they were made. A collider that moves always keeps its samples, because sampling in
/// each substep would take too long.
bool Walls::reaches(const Cover& cover, const Collider& collider) const {
  return !cover.partial || cover.is_wide() || !is_still(collider) ||
         cover.region.contains(local_box(collider, needed_));
}

void Walls::configure(std::span<const Collider> colliders, const SphScale& scale, const Box3& needed) {
  const bool other_scale = scale.kernel != scale_.kernel || scale.spacing_m != scale_.spacing_m;
  const bool other_region = needed.min() != needed_.min() || needed.max() != needed_.max();
  scale_ = scale;
  needed_ = needed;
  std::vector<Cover> before = std::move(covers_);
  if (other_scale) before.clear();
  if (other_region) std::erase_if(before, [](const Cover& cover) { return cover.partial; });
  covers_.assign(colliders.size(), {});
  bool changed = before.size() != colliders.size();
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const auto known = [&](const Cover& cover) { return fits(cover, colliders[i]) && reaches(cover, colliders[i]); };
    if (i < before.size() && known(before[i])) {
      covers_[i] = before[i];
      continue;
    }
    changed = true;
    // The samples of a moving collider may lie elsewhere than those that another collider needs.
    const auto can_share = [&](const Cover& cover) {
      return known(cover) && !(cover.partial && cover.region.max().x() >= everywhere_m);
    };
    const auto there = std::find_if(before.begin(), before.end(), can_share);
    const auto earlier = std::find_if(covers_.begin(), covers_.begin() + static_cast<std::ptrdiff_t>(i), can_share);
    // The tiles of planes and large boxes belong to one collider, so they are not shared.
    if (there != before.end() && !there->is_wide())
      covers_[i] = *there;
    else if (earlier != covers_.begin() + static_cast<std::ptrdiff_t>(i) && !earlier->is_wide())
      covers_[i] = *earlier;
    else
      cover(colliders[i], covers_[i]);
  }
  for (std::size_t i = 0; i < colliders.size(); ++i)
    if (!is_still(colliders[i])) covers_[i].region = Box3(Vec3::Constant(-everywhere_m), Vec3::Constant(everywhere_m));
  stale_ = stale_ || changed;
}

void Walls::cover(const Collider& collider, Cover& out) {
  out = {collider.shape, collider.two_sided, false, {}, nullptr, nullptr, {}};
  const double d = scale_.spacing_m, samples = area(collider.shape) / (d * d);
  Box3 region = local_box(collider, needed_);
  if (!is_plane(collider.shape) && samples > large_box)
    if (const auto cells = box_cells(collider.shape, collider.two_sided, {d, scale_.kernel}))
      out.cells = std::make_shared<BoxCells>(*cells);
  if (out.is_wide()) {
    const Vec3 middle = region.center(), half = 0.5 * region.sizes().cwiseMin(2 * widest_plane * d);
    region = Box3(middle - half, middle + half);
    if (followed_) region.setEmpty();
    out.partial = !followed_;
  } else if (samples_of_all(collider, d) < most_samples) {
    region = skin_bounds(collider.shape, 2 * d);
  } else {
    out.partial = true;
    out.region = region;
  }
  out.samples =
      std::make_shared<SurfaceSamples>(sample_wall(collider.shape, collider.two_sided, d, scale_.kernel, region));
}

void Walls::follow(const BrickTable& fluid, const CellFrame& frame) {
  if (!followed_) {  // Planes and large boxes start without samples.
    followed_ = true;
    for (Cover& one : covers_)
      if (one.is_wide()) {
        one.samples = std::make_shared<SurfaceSamples>();
        one.partial = false;
      }
    stale_ = true;
  }
  constexpr double brick_cells = 4;
  const double width = brick_cells * frame.cell_m;
  fluid_half_m_ = 0.5 * width;
  fluid_middles_.clear();
  for (const Brick& brick : fluid.bricks())
    fluid_middles_.push_back(brick_corner(frame, brick.place) + Vec3::Constant(0.5 * width));
}

void Walls::extend(std::size_t number, const Collider& collider, Cover& wide) {
  const double d = scale_.spacing_m, width = tile_cells * d;
  const auto tile_at = [&](const Vec3& at) {
    constexpr double farthest = 2e9;  // Numbers of tiles must fit into 32 bits.
    const auto count = [&](double x) {
      return static_cast<std::int32_t>(std::clamp(std::floor(x / width), -farthest, farthest));
    };
    return wide.cells ? wide.cells->tile_at(at) : WallTile{count(at.x()), 0, count(at.z())};
  };
  // Half extents, along the axes of the shape, of the region within reach of a brick's fluid.
  const Vec3 reach =
      (collider.orientation.toRotationMatrix().transpose().cwiseAbs() * Vec3::Constant(fluid_half_m_)).array() +
      scale_.reach_m();
  const auto is_near = [&](const Vec3& local) {
    if (!wide.cells) return std::abs(local.y()) <= reach.y();
    return std::abs(query(wide.shape, local, 2 * reach.norm()).distance) <= reach.norm();
  };
  const auto each = [](const WallTile& low, const WallTile& high, auto&& visit) {
    for (std::int32_t x = low[0]; x <= high[0]; ++x)
      for (std::int32_t y = low[1]; y <= high[1]; ++y)
        for (std::int32_t z = low[2]; z <= high[2]; ++z) visit(WallTile{x, y, z});
  };
  std::vector<WallTile> wanted;
  bool covered = true;
  const Vec3 ahead(tiles_ahead * width, wide.cells ? tiles_ahead * width : 0, tiles_ahead * width);
  for (const Vec3& middle : fluid_middles_) {
    const Vec3 local = to_local(collider, middle);
    if (!is_near(local)) continue;
    each(tile_at(local - reach), tile_at(local + reach), [&](const WallTile& tile) {
      covered = covered && std::binary_search(wide.tiles.begin(), wide.tiles.end(), tile);
    });
    each(tile_at(local - reach - ahead), tile_at(local + reach + ahead),
         [&](const WallTile& tile) { wanted.push_back(tile); });
  }
  for (const WallPatch& patch : patches_) {
    if (patch.collider != number) continue;
    each(tile_at(patch.region.min()), tile_at(patch.region.max()), [&](const WallTile& tile) {
      covered = covered && std::binary_search(wide.tiles.begin(), wide.tiles.end(), tile);
      wanted.push_back(tile);
    });
  }
  if (covered) return;
  // Tiles that are neither near fluid nor in a patch are removed.
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  wide.tiles.assign(wanted.begin(), wanted.end());
  wide.tiles.shrink_to_fit();
  stale_ = true;
}

bool Walls::still_changed(std::span<const Collider> colliders) const {
  if (stale_ || still_poses_.size() != colliders.size()) return true;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (is_still(colliders[i]) != is_still(still_poses_[i])) return true;
    if (is_still(colliders[i]) && (colliders[i].position != still_poses_[i].position ||
                                   colliders[i].orientation.coeffs() != still_poses_[i].orientation.coeffs()))
      return true;
  }
  return false;
}

/// Adds the samples of one collider at its current pose.
void Walls::Placed::add(const Cover& cover, const Collider& collider, const SampleScale& scale, std::uint32_t number) {
  SurfaceSamples tiles;
  for (const WallTile& tile : cover.tiles) {
    const std::int64_t x = std::int64_t{tile_cells} * tile[0], z = std::int64_t{tile_cells} * tile[2];
    if (cover.cells)
      cover.cells->cover(tile, tiles);
    else
      cover_cells(cover.two_sided, scale, {x, x + tile_cells, z, z + tile_cells}, tiles);
  }
  const SurfaceSamples& samples = cover.tiles.empty() ? *cover.samples : tiles;
  const Mat3 turn = collider.orientation.toRotationMatrix();
  const std::size_t first = place.size();
  place.resize(first + samples.place.size());
  parallel_for(samples.place.size(), wall_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k)
      place[first + k] = collider.position + turn * samples.place[k];
  });
  share.insert(share.end(), samples.share.begin(), samples.share.end());
  owner.insert(owner.end(), samples.place.size(), {-1, number});
}

void Walls::Placed::sort_by_place(const CellFrame& frame) {
  sort.keys.resize(place.size());
  parallel_for(place.size(), wall_grain, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) sort.keys[k] = place_key(frame, place[k]);
  });
  sort.sort();
}

void Walls::Still::take(const Placed& placed, const Vec3& origin) {
  const std::size_t n = placed.place.size();
  rows.reserve(n + 1);  // One more row for the padding row.
  fit(rows, n), fit(owner, n), fit(keys, n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t at = placed.sort.order[k];
    rows[k] = row_about(placed.place[at], origin, placed.share[at]);
    owner[k] = placed.owner[at];
    keys[k] = placed.sort.keys[k];
  }
}

void Walls::Still::give(WallRows& out, std::vector<Owner>& owners) {
  out.table.build(keys);
  fit(out.motion, rows.size() + 1);
  std::fill(out.motion.begin(), out.motion.end(), Float4{});
  out.rows = std::move(rows);
  out.rows.push_back({padding_coordinate, padding_coordinate, padding_coordinate, 0});
  owners = std::move(owner);
  *this = {};
}

void Walls::gather_still(std::span<const Collider> colliders, const CellFrame& frame, const Vec3& origin) {
  const SampleScale scale(scale_.spacing_m, scale_.kernel);
  Placed still;
  still_poses_.assign(colliders.begin(), colliders.end());
  for (std::size_t i = 0; i < colliders.size(); ++i)
    if (is_still(colliders[i])) still.add(covers_[i], colliders[i], scale, static_cast<std::uint32_t>(i));
  share_overlaps(colliders, still);
  still.sort_by_place(frame);
  still_.take(still, origin);
  stale_ = false;
}

/// Reduces the volumes of samples that lie in several static solids, for example at the edges of tanks. A sample deeper
/// than the support radius in another solid is removed, because no fluid outside both solids can reach it.
void Walls::share_overlaps(std::span<const Collider> colliders, Placed& still) const {
  const double d = scale_.spacing_m, reach = scale_.reach_m();
  struct Solid {
    std::uint32_t number;
    Box3 around;
    bool plane;
    Vec3 up;  ///< Normal of a plane.
  };
  std::vector<Solid> solids;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (!is_still(colliders[i]) || colliders[i].two_sided) continue;
    Box3 around(Vec3::Constant(-everywhere_m), Vec3::Constant(everywhere_m));
    if (!is_plane(colliders[i].shape)) {
      const Box3 local = skin_bounds(colliders[i].shape, 2 * d);
      around.setEmpty();
      for (int corner = 0; corner < 8; ++corner)
        around.extend(to_world(colliders[i], local.corner(static_cast<Box3::CornerType>(corner))));
      around = Box3(around.min() - Vec3::Constant(d), around.max() + Vec3::Constant(d));
    }
    solids.push_back({static_cast<std::uint32_t>(i), around, is_plane(colliders[i].shape),
                      colliders[i].orientation * Vec3::UnitY()});
  }
  parallel_for(still.place.size(), 256, [&](Range range, std::size_t) {
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const bool is_sheet = colliders[still.owner[k].sample].two_sided;
      double others = 0;
      for (const Solid& solid : solids) {
        if (solid.number == still.owner[k].sample || !solid.around.contains(still.place[k])) continue;
        const Collider& collider = colliders[solid.number];
        const double depth = solid.plane ? solid.up.dot(collider.position - still.place[k])
                                         : -query(collider, still.place[k], 1.01 * reach).distance;
        if (depth > reach) {
          still.share[k] = 0;
          break;
        }
        others += std::clamp(depth / d + 0.5, 0.0, 1.0);
      }
      // A sheet has no inside, so the samples of solids keep their full volume beside it. The volume of a sheet's
      // sample falls to zero inside a solid.
      still.share[k] *= static_cast<float>(is_sheet ? std::max(0.0, 1 - others) : 1 / (1 + others));
    }
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < still.place.size(); ++k) {
    if (still.share[k] == 0) continue;
    still.place[kept] = still.place[k];
    still.share[kept] = still.share[k];
    still.owner[kept++] = still.owner[k];
  }
  still.place.resize(kept);
  still.share.resize(kept);
  still.owner.resize(kept);
}

void Walls::gather_moving(std::span<const Collider> colliders, std::span<const Guest> guests) {
  const SampleScale scale(scale_.spacing_m, scale_.kernel);
  moving_.clear();
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (is_still(colliders[i])) continue;
    moving_.add(covers_[i], colliders[i], scale, static_cast<std::uint32_t>(i));
    for (std::size_t k = moving_.velocity.size(); k < moving_.place.size(); ++k)
      moving_.velocity.push_back(colliders[i].velocity_at(moving_.place[k]));
  }
  for (std::size_t g = 0; g < guests.size(); ++g)
    for (std::size_t k = 0; k < guests[g].place.size(); ++k) {
      moving_.place.push_back(guests[g].place[k]);
      moving_.velocity.push_back(guests[g].velocity[k]);
      moving_.share.push_back(guests[g].share[k]);
      moving_.owner.push_back({static_cast<std::int32_t>(g), static_cast<std::uint32_t>(k)});
    }
}

void Walls::place(std::span<const Collider> colliders, std::span<const Guest> guests, const CellFrame& frame,
                  const Vec3& origin, WallRows& out) {
  if (covers_.size() != colliders.size()) configure(colliders, scale_, needed_);
  if (followed_)
    for (std::size_t i = 0; i < colliders.size(); ++i)
      if (covers_[i].is_wide()) extend(i, colliders[i], covers_[i]);
  const bool elsewhere = frame.origin != frame_.origin || frame.cell_m != frame_.cell_m || origin != origin_;
  const bool changed = elsewhere || still_changed(colliders);
  gather_moving(colliders, guests);
  const bool given = filled_ != nullptr;
  if (!changed && moving_.place.empty() && filled_ == &out && out.size() == owners_.size()) return;
  if (changed || given) gather_still(colliders, frame, origin);
  frame_ = frame;
  origin_ = origin;
  if (moving_.place.empty())
    still_.give(out, owners_);
  else
    merge(out);
  filled_ = moving_.place.empty() ? &out : nullptr;
}

void Walls::merge(WallRows& out) {
  moving_.sort_by_place(frame_);
  const std::size_t still = still_.rows.size(), moving = moving_.place.size(), n = still + moving;
  fit(out.rows, n + 1), fit(out.motion, n + 1), fit(owners_, n), fit(keys_, n);
  for (std::size_t s = 0, m = 0, k = 0; k < n; ++k) {
    const bool from_still = m == moving || (s < still && still_.keys[s] <= moving_.sort.keys[m]);
    if (from_still) {
      keys_[k] = still_.keys[s], owners_[k] = still_.owner[s];
      out.rows[k] = still_.rows[s++];
      out.motion[k] = {};
      continue;
    }
    const std::uint32_t at = moving_.sort.order[m];
    keys_[k] = moving_.sort.keys[m++], owners_[k] = moving_.owner[at];
    out.rows[k] = row_about(moving_.place[at], origin_, moving_.share[at]);
    const Vec3f v = moving_.velocity[at].cast<float>();
    out.motion[k] = {v.x(), v.y(), v.z(), 0};
  }
  out.rows[n] = {padding_coordinate, padding_coordinate, padding_coordinate, 0};
  out.motion[n] = {};
  out.table.build(keys_);
}

std::size_t Walls::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t sum = of(still_.rows) + of(still_.owner) + of(still_.keys) + of(moving_.place) + of(moving_.velocity) +
                    of(moving_.share) + of(moving_.owner) + moving_.sort.keys.capacity() * 24 + of(owners_) + of(keys_);
  for (const Cover& cover : covers_) sum += of(cover.samples->place) + of(cover.samples->share) + of(cover.tiles);
  return sum;
}

}  // namespace vw
