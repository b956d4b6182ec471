#include "sim/world/recording/force_record.h"

#include <algorithm>

#include "sim/base/parallel/parallel.h"
#include "sim/world/recording/common_rows.h"

namespace vw {
namespace {

constexpr std::size_t force_rows_a_chunk = 16384;

/// Vector sum of the forces, sum of their magnitudes, and number of nonzero forces.
struct Whole {
  Vec3 sum = Vec3::Zero();
  double sizes = 0;
  std::size_t touched = 0;
};

Whole whole_of(std::span<const Vec3f> forces) {
  Whole all;
  for (const Vec3f& force : forces) {
    if (force.isZero(0)) continue;
    all.sum += force.cast<double>();
    all.sizes += static_cast<double>(force.norm());
    ++all.touched;
  }
  return all;
}

}  // namespace

void ForceRecord::ask(std::vector<std::string> nodes) { asked_ = std::move(nodes); }

void ForceRecord::forget() {
  for (Measured& rule : rules_) rule.a.any = rule.b.any = false;
}

void ForceRecord::begin_step(const WorldParts& parts) {
  if (asked_.empty() && rules_.empty()) return;
  rules_.resize(asked_.empty() ? 0 : parts.rules.size());
  for (std::size_t i = 0; i < rules_.size(); ++i)
    rules_[i].wanted = std::find(asked_.begin(), asked_.end(), parts.rules[i].node) != asked_.end();
  forget();
}

void ForceRecord::before(const WorldParts& parts, std::size_t rule) {
  if (rules_.empty() || !rules_[rule].wanted) return;
  const SystemPair pair = parts.rules[rule].pair;
  const auto copy = [&](std::size_t side, std::vector<Vec3>& to) {
    const std::vector<Vec3>& from = parts.systems[side]->elements().impulse;
    to.assign(from.begin(), from.end());
  };
  copy(pair.a, before_a_);
  if (pair.b != pair.a) copy(pair.b, before_b_);
}

void ForceRecord::after(const WorldParts& parts, std::size_t rule) {
  if (rules_.empty() || !rules_[rule].wanted) return;
  const SystemPair pair = parts.rules[rule].pair;
  rules_[rule].a.add(parts.systems[pair.a]->elements(), before_a_);
  if (pair.b != pair.a) rules_[rule].b.add(parts.systems[pair.b]->elements(), before_b_);
}

void ForceRecord::Side::add(const Elements& elements, const std::vector<Vec3>& before) {
  if (!any) {
    impulse.assign(elements.size(), Vec3::Zero());
    id = elements.id;
    any = true;
  } else if (impulse.size() != elements.size() || id != elements.id) {
    std::vector<Vec3> kept(elements.size(), Vec3::Zero());
    each_common_row(id, impulse.size(), elements.id, elements.size(),
                    [&](std::size_t from, std::size_t to) { kept[to] = impulse[from]; });
    impulse.swap(kept);
    id = elements.id;
  }
  if (elements.impulse.size() != elements.size()) return;  // no rule has applied an impulse to this system
  const bool fresh = before.size() != elements.size();
  parallel_for(impulse.size(), force_rows_a_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      impulse[i] += fresh ? elements.impulse[i] : Vec3(elements.impulse[i] - before[i]);
  });
}

void ForceRecord::Side::mean(const Elements& elements, double dt, std::vector<Vec3f>& out) const {
  out.assign(any ? elements.size() : 0, Vec3f::Zero());
  if (!any) return;
  each_common_row(id, impulse.size(), elements.id, out.size(),
                  [&](std::size_t from, std::size_t to) { out[to] = (impulse[from] / dt).cast<float>(); });
}

void ForceRecord::write(const WorldParts& parts, double dt, std::vector<RuleSnapshot>& out) const {
  out.resize(parts.rules.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Rule& rule = parts.rules[i];
    RuleSnapshot& picture = out[i];
    picture.node = rule.node;
    picture.kind = rule.kind;
    picture.a = rule.pair.a;
    picture.b = rule.pair.b;
    picture.enabled = rule.interaction->enabled();
    picture.touching = 0;
    picture.force_n = 0;
    picture.force_a.clear();
    picture.force_b.clear();
    if (i >= rules_.size() || !rules_[i].wanted) continue;
    rules_[i].a.mean(parts.systems[rule.pair.a]->elements(), dt, picture.force_a);
    rules_[i].b.mean(parts.systems[rule.pair.b]->elements(), dt, picture.force_b);
    const Whole a = whole_of(picture.force_a), b = whole_of(picture.force_b);
    picture.touching = a.touched + b.touched;
    picture.force_n = rule.pair.a == rule.pair.b ? 0.5 * a.sizes : std::max(a.sum.norm(), b.sum.norm());
  }
}

}  // namespace vw
