#include "sim/system/rigid/contacts/contact_memory.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/system/system.h"

namespace vw {
namespace {

/// A contact takes over a stored force only if the stored contact point is nearer than this fraction of the body's
/// reach.
constexpr double near_share = 0.1;

}  // namespace

void ContactMemory::Rows::clear() { a.clear(), other.clear(), place.clear(), force.clear(), mark.clear(); }

void ContactMemory::Rows::add(const Rows& from, std::size_t i) {
  a.push_back(from.a[i]), other.push_back(from.other[i]), place.push_back(from.place[i]),
      force.push_back(from.force[i]);
  mark.push_back(from.mark[i]);
}

void ContactMemory::Rows::visit_state(StateVisitor& visit, const char* prefix) {
  const std::string name(prefix);
  visit.rows("contact");
  visit(name + "_a", a);
  visit(name + "_other", other);
  visit(name + "_place", place);
  visit(name + "_force", force);
}

void ContactMemory::keep(std::span<const RigidContact> contacts, const RigidScene& scene) {
  awake_.clear();
  for (const RigidContact& c : contacts) {
    if (!(c.normal_impulse > 0)) continue;
    awake_.a.push_back(static_cast<std::uint32_t>(c.a));
    awake_.other.push_back(c.other);
    awake_.place.push_back(c.place);
    awake_.force.push_back(c.impulse() / scene.dt);
    awake_.mark.push_back(c.mark);
  }
  find_first(scene.bodies.size());
}

void ContactMemory::find_first(std::size_t bodies) {
  first_.assign(bodies + 1, 0);
  for (const std::uint32_t a : awake_.a) ++first_[a + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

/// Gives each contact in `pair` the force of the nearest stored row of this pair of bodies that no earlier contact has
/// taken. If the pair has one contact now and had one contact in the last substep, both are treated as the same
/// contact, however far apart they are. The reason is that the contact point of a rolling ball moves on the ball.
void ContactMemory::recall(std::span<RigidContact> pair, const RigidScene& scene) const {
  const RigidContact& front = pair.front();
  if (first_.empty() || first_[front.a] == first_[front.a + 1]) return;
  const auto begin = awake_.other.begin() + static_cast<std::ptrdiff_t>(first_[front.a]);
  const auto end = awake_.other.begin() + static_cast<std::ptrdiff_t>(first_[front.a + 1]);
  const auto [low, high] = std::equal_range(begin, end, front.other);
  const std::size_t first = static_cast<std::size_t>(low - awake_.other.begin()),
                    count = static_cast<std::size_t>(high - low);
  if (count == 0) return;
  const double near = near_share * scene.bodies[front.a].reach_m;
  std::uint64_t used = 0;
  for (RigidContact& c : pair) {
    std::size_t best = count;
    double nearest = count == 1 && pair.size() == 1 ? std::numeric_limits<double>::infinity() : near;
    for (std::size_t k = 0; k < std::min<std::size_t>(count, 64); ++k) {
      const double apart = (awake_.place[first + k] - c.place).norm();
      if ((used >> k & 1) == 0 && apart < nearest) best = k, nearest = apart;
    }
    if (best == count) continue;
    used |= std::uint64_t{1} << best;
    const Vec3 impulse = scene.dt * awake_.force[first + best];
    c.normal_impulse = std::max(0.0, impulse.dot(c.normal));
    if (c.normal_impulse > 0) c.friction_impulse = impulse - impulse.dot(c.normal) * c.normal;
    c.mark = awake_.mark[first + best];
  }
}

/// Fills order_ with the indices of the rows of all_, ordered by body and other side.
void ContactMemory::order_all() {
  order_.resize(all_.a.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
    return std::pair(all_.a[i], all_.other[i]) < std::pair(all_.a[j], all_.other[j]);
  });
}

void ContactMemory::sort_out(const RigidScene& scene) {
  all_.clear();
  for (const Rows* rows : {&awake_, &asleep_})
    for (std::size_t i = 0; i < rows->a.size(); ++i) all_.add(*rows, i);
  order_all();
  awake_.clear();
  asleep_.clear();
  for (const std::size_t i : order_) (scene.sleeps(all_.a[i]) ? asleep_ : awake_).add(all_, i);
  find_first(scene.bodies.size());
}

void ContactMemory::forget_marks() {
  std::fill(awake_.mark.begin(), awake_.mark.end(), no_mark);
  std::fill(asleep_.mark.begin(), asleep_.mark.end(), no_mark);
}

void ContactMemory::take_over(const ContactMemory& former, std::span<const std::int64_t> now) {
  all_.clear();
  for (const Rows* rows : {&former.awake_, &former.asleep_})
    for (std::size_t i = 0; i < rows->a.size(); ++i) {
      const bool to_obstacle = rows->other[i] >= first_obstacle;
      const std::int64_t a = now[rows->a[i]], other = to_obstacle ? rows->other[i] : now[rows->other[i]];
      if (a < 0 || other < 0) continue;
      all_.add(*rows, i);
      all_.a.back() = static_cast<std::uint32_t>(a), all_.other.back() = static_cast<std::uint32_t>(other);
    }
  order_all();
  awake_.clear(), asleep_.clear();
  for (const std::size_t i : order_) awake_.add(all_, i);
}

void ContactMemory::renumber_obstacles(std::span<const std::size_t> now) {
  for (Rows* rows : {&awake_, &asleep_}) {
    all_.clear();
    for (std::size_t i = 0; i < rows->a.size(); ++i) {
      const std::uint32_t other = rows->other[i];
      const std::size_t index = other < first_obstacle ? 0 : other - first_obstacle;
      if (other >= first_obstacle && (index >= now.size() || now[index] == System::no_collider)) continue;
      all_.add(*rows, i);
      if (other >= first_obstacle) all_.other.back() = first_obstacle + static_cast<std::uint32_t>(now[index]);
    }
    order_all();
    rows->clear();
    for (const std::size_t i : order_) rows->add(all_, i);
  }
}

void ContactMemory::visit_state(StateVisitor& visit) {
  awake_.visit_state(visit, "contact");
  asleep_.visit_state(visit, "asleep_contact");
}

std::string ContactMemory::problem(std::size_t bodies) const {
  for (const Rows* rows : {&awake_, &asleep_}) {
    const std::size_t n = rows->a.size();
    if (rows->other.size() != n || rows->place.size() != n || rows->force.size() != n)
      return "the arrays of contacts in the state differ in length";
    for (std::size_t i = 0; i < n; ++i) {
      const bool known = rows->a[i] < bodies && (rows->other[i] >= first_obstacle || rows->other[i] < bodies);
      if (!known || !rows->place[i].allFinite() || !rows->force[i].allFinite())
        return "a contact in the state refers to a missing body or is not finite";
    }
  }
  if (!std::is_sorted(awake_.a.begin(), awake_.a.end())) return "the contacts in the state are not sorted";
  return {};
}

void ContactMemory::state_restored(std::size_t bodies) {
  awake_.mark.assign(awake_.a.size(), no_mark);
  asleep_.mark.assign(asleep_.a.size(), no_mark);
  find_first(bodies);
}

}  // namespace vw
