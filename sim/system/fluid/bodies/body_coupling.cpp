#include "sim/system/fluid/bodies/body_coupling.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

/// Newton iteration for the response of a guest (a coupled body). `most_newton_rounds` is the iteration limit. The line
/// search halves the step only while the step is longer than the fraction `least_share` of the Newton step. The
/// iteration ends when one step reduces the squared residual to less than the fraction `settled` of its value.
constexpr int most_newton_rounds = 12;
constexpr double least_share = 0.05, settled = 1e-16;

/// A particle is trapped if its diagonal entry of the pressure matrix is below this fraction of the entry of a particle
/// in a lattice.
constexpr float hardly = 0.5F;

/// Guests per task. Tasks of several guests are used because the work for one guest takes only microseconds.
constexpr std::size_t guest_grain = 4;

}  // namespace

/// Finds the contacts of a cluster's particles with samples of guests and appends them to `out`. push_sweep() uses the
/// same formula for walls, so a guest receives, up to rounding, the momentum that the fluid loses.
void BodyCoupling::find_of_cluster(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster,
                                   ChunkContacts& out) const {
  const double reach = space.scale.reach_m();
  const double scale = lattice_factor_ * volume_m3_ / (reach * reach * reach * reach * reach);
  for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row) {
    const std::size_t first = out.touches.size();
    for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
      const std::uint32_t wall = chunk.walls[k];
      if (wall >= owners_.size() || owners_[wall].guest < 0) continue;
      const Vec3 apart = xyz(space.rows[row]) - xyz(space.walls.rows[wall]);
      const double q = apart.norm() / reach;
      if (q >= 1) continue;
      const Vec3 slope =
          scale * static_cast<double>(space.walls.rows[wall].w) * kernel_slope(space.scale.kernel, q) * apart;
      out.contacts.push_back({row, wall, slope});
      add_touch(space, out.contacts.back(), first, out.touches);
    }
  }
}

void BodyCoupling::soften_trapped(std::span<DensityRow> rows, float usual) {
  gives_.clear();
  if (std::all_of(guests_.begin(), guests_.end(), [](const Guest& guest) { return guest.part.empty(); })) return;
  for (const ChunkContacts& chunk : chunks_)
    for (std::size_t first = 0, last = 0; first < chunk.contacts.size(); first = last) {
      const std::uint32_t row = chunk.contacts[first].row;
      while (last < chunk.contacts.size() && chunk.contacts[last].row == row) ++last;
      const float caught = std::max(0.0F, 1 - rows[row].answer / (hardly * usual));
      if (!(caught > 0)) continue;
      const double give = give_of(std::span(chunk.contacts).subspan(first, last - first));
      if (!(give > 0)) continue;
      gives_.push_back({row, caught * caught * static_cast<float>(give)});
      rows[row].answer += gives_.back().answer;
    }
}

/// Returns the addition to the diagonal entry of a particle that is trapped between parts of guests. The addition
/// accounts for the mobility of these parts. Each part moves separately, so the result is the sum of 4 V lever^2 / mass
/// over the parts, where V is the volume of a particle and lever the sum of the slopes of the part's contacts.
double BodyCoupling::give_of(std::span<const Contact> contacts) const {
  struct Part {
    std::int32_t guest;
    std::uint32_t number;
    double mass_kg;
    Vec3 lever;
  };
  std::vector<Part> parts;
  for (const Contact& contact : contacts) {
    const Walls::Owner& owner = owners_[contact.wall];
    const Guest& guest = guests_[static_cast<std::size_t>(owner.guest)];
    if (guest.part.empty()) continue;
    const std::uint32_t number = guest.part[owner.sample];
    const auto same = [&](const Part& part) { return part.guest == owner.guest && part.number == number; };
    auto part = std::find_if(parts.begin(), parts.end(), same);
    if (part == parts.end())
      part = parts.insert(part, {owner.guest, number, guest.part_mass_kg[owner.sample], Vec3::Zero()});
    part->lever += contact.slope;
  }
  double sum = 0;
  for (const Part& part : parts) sum += part.lever.squaredNorm() / part.mass_kg;
  return 4 * volume_m3_ * sum;
}

void BodyCoupling::add_touch(const SphWorkspace& space, const Contact& contact, std::size_t first,
                             std::vector<Touch>& out) const {
  const auto guest = static_cast<std::uint32_t>(owners_[contact.wall].guest);
  std::size_t at = first;
  while (at < out.size() && out[at].guest != guest) ++at;
  if (at == out.size()) out.push_back({contact.row, guest, Six::Zero()});
  out[at].lever.head<3>() += contact.slope;
  out[at].lever.tail<3>() += guests_[guest].pressure_moment * arm_of(space, contact.wall).cross(contact.slope);
}

Vec3 BodyCoupling::arm_of(const SphWorkspace& space, std::uint32_t wall) const {
  return xyz(space.walls.rows[wall]) + space.origin - guests_[static_cast<std::size_t>(owners_[wall].guest)].center;
}

void BodyCoupling::build(const SphWorkspace& space, std::span<Guest> guests, std::span<const Walls::Owner> owners) {
  guests_ = guests;
  owners_ = owners;
  volume_m3_ = space.scale.volume_m3();
  lattice_factor_ = lattice_factor(space.scale.kernel);
  for (Guest& guest : guests_) {
    guest.impulse.assign(guest.place.size(), Vec3::Zero());
    guest.inactive_moment.setZero();
  }
  gives_.clear();  // WCSPH does not call soften_trapped(), and the rows of an earlier substep may not exist any more.
  motion_.assign(guests_.size(), Six::Zero());
  force_.assign(guests_.size(), Six::Zero());
  const auto chunks = guests_.empty() ? std::span<const PairChunk>() : space.lists.chunks();
  chunks_.resize(chunks.size());
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) {
      chunks_[c].contacts.clear();
      chunks_[c].touches.clear();
      for (const Cluster& cluster : chunks[c].clusters) find_of_cluster(space, chunks[c], cluster, chunks_[c]);
    }
  });
  sort_by_guest();
  find_turns(space.size());
  inverse_mass_.resize(guests_.size());
  for (std::size_t g = 0; g < guests_.size(); ++g) inverse_mass_[g] = inverse_mass(guests_[g]);
}

void BodyCoupling::sort_by_guest() {
  start_.assign(guests_.size() + 1, 0);
  for (const ChunkContacts& chunk : chunks_)
    for (const Touch& touch : chunk.touches) ++start_[touch.guest + 1];
  for (std::size_t g = 0; g < guests_.size(); ++g) start_[g + 1] += start_[g];
  std::vector<std::size_t> next(start_.begin(), start_.end());
  touches_.resize(start_.back());
  for (const ChunkContacts& chunk : chunks_)
    for (const Touch& touch : chunk.touches) touches_[next[touch.guest]++] = touch;
}

/// Returns the inverse of a guest's 6 x 6 mass matrix, for motion about its centre in world axes.
BodyCoupling::Matrix6 BodyCoupling::inverse_mass(const Guest& guest) const {
  Matrix6 inverse = Matrix6::Zero();
  if (guest.mass_kg > 0) inverse.topLeftCorner<3, 3>() = Mat3::Identity() / guest.mass_kg;
  inverse.bottomRightCorner<3, 3>() = guest.inverse_inertia;
  return inverse;
}

void BodyCoupling::find_turns(std::size_t rows) {
  turn_of_row_.assign(guests_.empty() ? 0 : rows, 0);
  turn_of_guest_.assign(guests_.size(), 0);
  std::size_t turns = 0;
  for (std::size_t g = 0; g < guests_.size(); ++g) {
    std::uint32_t turn = 0;
    for (std::size_t k = start_[g]; k < start_[g + 1]; ++k) turn = std::max(turn, turn_of_row_[touches_[k].row]);
    for (std::size_t k = start_[g]; k < start_[g + 1]; ++k) turn_of_row_[touches_[k].row] = turn + 1;
    turn_of_guest_[g] = turn;
    if (start_[g] < start_[g + 1]) turns = std::max<std::size_t>(turns, turn + 1);
  }
  turn_start_.assign(turns + 1, 0);
  const auto has_touches = [&](std::size_t g) { return start_[g] < start_[g + 1]; };
  for (std::size_t g = 0; g < guests_.size(); ++g)
    if (has_touches(g)) ++turn_start_[turn_of_guest_[g] + 1];
  for (std::size_t t = 0; t < turns; ++t) turn_start_[t + 1] += turn_start_[t];
  by_turn_.resize(turn_start_[turns]);
  std::vector<std::size_t> next(turn_start_.begin(), turn_start_.end());
  for (std::size_t g = 0; g < guests_.size(); ++g)
    if (has_touches(g)) by_turn_[next[turn_of_guest_[g]]++] = static_cast<std::uint32_t>(g);
}

/// Calls f(index) for each guest with contacts, level by level (see by_turn_). A sequential loop would give the same
/// result.
template <class F>
void BodyCoupling::in_turns(F f) const {
  for (std::size_t t = 0; t + 1 < turn_start_.size(); ++t)
    parallel_for(turn_start_[t + 1] - turn_start_[t], guest_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) f(std::size_t{by_turn_[turn_start_[t] + i]});
    });
}

void BodyCoupling::expect(const SphWorkspace& space, std::span<const float> kappa, double dt, Float4s& change) const {
  change.clear();
  if (empty()) return;
  std::vector<Six> motion(guests_.size(), Six::Zero());
  for (std::size_t g = 0; g < guests_.size(); ++g) {
    Six force = Six::Zero();
    for (std::size_t k = start_[g]; k < start_[g + 1]; ++k)
      force += static_cast<double>(kappa[touches_[k].row]) * touches_[k].lever;
    motion[g] = 2 * dt * volume_m3_ * (inverse_mass_[g] * force);
  }
  change.assign(owners_.size(), Float4{});
  for (std::size_t w = 0; w < owners_.size(); ++w) {
    if (owners_[w].guest < 0) continue;
    const Six& gained = motion[static_cast<std::size_t>(owners_[w].guest)];
    const Vec3f v =
        (gained.head<3>() + gained.tail<3>().cross(arm_of(space, static_cast<std::uint32_t>(w)))).cast<float>();
    change[w] = {v.x(), v.y(), v.z(), 0};
  }
}

void BodyCoupling::answer(std::span<const float> kappa, double dt, std::span<float> rate) {
  bend_of_.assign(guests_.size(), 0);
  in_turns([&](std::size_t g) {
    Six force = Six::Zero();
    for (std::size_t k = start_[g]; k < start_[g + 1]; ++k)
      force += static_cast<double>(kappa[touches_[k].row]) * touches_[k].lever;
    const Six motion = 2 * dt * volume_m3_ * (inverse_mass_[g] * force);
    bend_of_[g] = 2 * dt * (motion - motion_[g]).dot(force - force_[g]);
    force_[g] = force;
    motion_[g] = motion;
    for (std::size_t k = start_[g]; k < start_[g + 1]; ++k)
      rate[touches_[k].row] -= static_cast<float>(2 * motion_[g].dot(touches_[k].lever));
  });
  curvature_ = 0;
  for (const double curvature : bend_of_) curvature_ += curvature;
  for (const Give& give : gives_) rate[give.row] -= static_cast<float>(dt) * give.answer * kappa[give.row];
}

/// Newton solve of correct() for one guest. J has one row per contact of the guest: the contact's lever. The corrected
/// pressures are to' = to - gives * (J mass h), clamped to [0, most]. The unknown h = J^T (to' - from) is the load on
/// the guest that the pressure changes cause, divided by twice the volume V of a particle. `mass` is 4 V times the
/// inverse mass matrix.
struct BodyCoupling::Balance {
  const BodyCoupling& all;
  std::size_t guest;
  Matrix6 mass;
  std::span<const float> from, gives, to;
  float most;

  struct Rest {
    Six off = Six::Zero();           ///< Residual: h minus J^T (to' - from).
    Matrix6 soft = Matrix6::Zero();  ///< Contribution of the pressures within bounds to the derivative of the residual.
    double wrong = 0;
  };
  template <class F>
  void each(F f) const {
    for (std::size_t k = all.start_[guest]; k < all.start_[guest + 1]; ++k)
      if (const Touch& touch = all.touches_[k]; gives[touch.row] > 0) f(touch, static_cast<double>(gives[touch.row]));
  }
  [[nodiscard]] Rest rest_of(const Six& h) const {
    const Six given = mass * h;
    Rest rest{h};
    each([&](const Touch& touch, double weight) {
      const double free = static_cast<double>(to[touch.row]) - weight * touch.lever.dot(given);
      const double bounded = std::max(0.0, std::min(free, static_cast<double>(most)));
      rest.off -= (bounded - (from.empty() ? 0.0 : static_cast<double>(from[touch.row]))) * touch.lever;
      if (bounded == free) rest.soft += weight * touch.lever * touch.lever.transpose();
    });
    rest.wrong = rest.off.dot(mass * rest.off);
    return rest;
  }
  /// Solves for h by Newton steps with a backtracking line search. The residual is the gradient of a convex, piecewise
  /// quadratic function of h.
  [[nodiscard]] Six solve() const {
    Six h = Six::Zero();
    Rest rest = rest_of(h);
    for (int i = 0; i < most_newton_rounds; ++i) {
      const Six way = (Matrix6::Identity() + rest.soft * mass).partialPivLu().solve(rest.off);
      double share = 1;
      Rest next = rest_of(h - way);
      for (; next.wrong > rest.wrong && share > least_share; next = rest_of(h - share * way)) share /= 2;
      if (!(next.wrong < rest.wrong)) break;
      const bool done = next.wrong < settled * rest.wrong;
      h -= share * way;
      rest = next;
      if (done) break;
    }
    return h;
  }
};

void BodyCoupling::correct(std::span<const float> from, std::span<const float> gives, float most,
                           std::span<float> to) const {
  // Guests that share a particle are corrected one after the other, because each correction changes the particle's
  // pressure.
  in_turns([&](std::size_t g) {
    const Balance balance{*this, g, 4 * volume_m3_ * inverse_mass_[g], from, gives, to, most};
    if (balance.mass.isZero(0)) return;
    const Six given = balance.mass * balance.solve();
    balance.each([&](const Touch& touch, double weight) {
      to[touch.row] -= static_cast<float>(weight * touch.lever.dot(given));
    });
  });
}

BodyCoupling::Work BodyCoupling::work(const SphWorkspace& space, std::span<const float> kappa, double dt) const {
  Work work;
  for (const ChunkContacts& chunk : chunks_)
    for (const Contact& contact : chunk.contacts) {
      const Float4& motion = space.walls.motion[contact.wall];
      work.gain -= 2 * dt * volume_m3_ * static_cast<double>(kappa[contact.row]) * contact.slope.dot(xyz(motion));
    }
  for (std::size_t g = 0; g < guests_.size(); ++g) work.cost += 2 * dt * volume_m3_ * force_[g].dot(motion_[g]);
  for (const Give& give : gives_) {
    const double pressure = static_cast<double>(kappa[give.row]);
    work.cost += dt * dt * volume_m3_ * static_cast<double>(give.answer) * pressure * pressure;
  }
  return work;
}

void BodyCoupling::scale(double share) {
  for (Six& force : force_) force *= share;
  for (Six& motion : motion_) motion *= share;
}

void BodyCoupling::finish(SphWorkspace& space, std::span<const float> kappa, double dt) {
  if (guests_.empty()) return;
  for (const ChunkContacts& chunk : chunks_)
    for (const Contact& contact : chunk.contacts) {
      const Walls::Owner& owner = owners_[contact.wall];
      Guest& guest = guests_[static_cast<std::size_t>(owner.guest)];
      const Vec3 given = 2 * dt * volume_m3_ * static_cast<double>(kappa[contact.row]) * contact.slope,
                 moment = arm_of(space, contact.wall).cross(given);
      guest.impulse[owner.sample] += given;
      guest.inactive_moment += moment - guest.pressure_moment * moment;
    }
  for (std::size_t w = 0; w < owners_.size(); ++w) {
    if (owners_[w].guest < 0) continue;
    const Six& given = motion_[static_cast<std::size_t>(owners_[w].guest)];
    const Vec3 change = given.head<3>() + given.tail<3>().cross(arm_of(space, static_cast<std::uint32_t>(w)));
    Float4& motion = space.walls.motion[w];
    motion.x += static_cast<float>(change.x()), motion.y += static_cast<float>(change.y()),
        motion.z += static_cast<float>(change.z());
  }
}

}  // namespace vw
