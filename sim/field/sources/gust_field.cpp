// Gusts that travel as fronts: one gust at a given time, or gusts at random times.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/base/random.h"
#include "sim/field/field_kinds.h"
#include "sim/field/sources/axial.h"

namespace vw {
namespace {

enum class GustTimes { once, random };

struct GustParams : FieldParams {
  Vec3 velocity{5, 0, 0};
  Vec3 travel{5, 0, 0};
  Vec3 position = Vec3::Zero();
  double rise_m = 5;
  double hold_m = 0;
  double width_m = 0;
  GustTimes times = GustTimes::once;
  double start_s = 1;
  double rate_hz = 0.2;
  double scatter_m = 0;
  std::int64_t seed = 1;
};

const ParamTable<GustParams>& gust_params() {
  using P = GustParams;
  static const ParamTable<P> table{
      field_params(),
      Param<P>{.member = &P::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-200, 200},
               .live = Live::yes,
               .doc = "Velocity that a gust adds to the wind where the gust is strongest."},
      Param<P>{.member = &P::travel,
               .key = "travel",
               .label = "Velocity of front",
               .unit = Unit::meter_per_second,
               .range = {-200, 200},
               .live = Live::yes,
               .doc = "Velocity with which the front of a gust moves. The front is a plane perpendicular to this "
                      "vector. A typical value is the mean wind. The velocity must not be zero."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Point through which the centre of a gust passes. If times = \"once\", the gust reaches this "
                      "point at the time `start`."},
      Param<P>{.member = &P::rise_m,
               .key = "rise",
               .unit = Unit::meter,
               .range = {1e-3, 1e5},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Length over which the gust grows from nothing to its full strength. At the distance s behind "
                      "the front, the strength is (1 - cos(pi s / rise)) / 2. The gust decays over the same length."},
      Param<P>{.member = &P::hold_m,
               .key = "hold",
               .unit = Unit::meter,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Length over which the gust has its full strength, between its growth and its decay."},
      Param<P>{.member = &P::width_m,
               .key = "width",
               .unit = Unit::meter,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Width of the gust across its direction of travel. At the distance d from the middle of the "
                      "gust, the strength is multiplied by (1 + cos(2 pi d / width)) / 2, which is 0 at d = width / 2. "
                      "0 means no limit."},
      Param<P>{.member = &P::times,
               .key = "times",
               .live = Live::yes,
               .choices = {"once", "random"},
               .doc = "Times at which gusts occur. once: one gust at the time `start`. random: gusts at random times, "
                      "as in a Poisson process."},
      Param<P>{.member = &P::start_s,
               .key = "start",
               .unit = Unit::second,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Time at which the gust reaches `position`, for times = \"once\"."},
      Param<P>{.member = &P::rate_hz,
               .key = "rate",
               .unit = Unit::hertz,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Mean number of gusts per second, for times = \"random\"."},
      Param<P>{.member = &P::scatter_m,
               .key = "scatter",
               .unit = Unit::meter,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Radius of the disc around `position` through which the centres of gusts pass, for times = "
                      "\"random\". 0 means no scatter, so that all centres pass through `position`."},
      Param<P>{.member = &P::seed,
               .key = "seed",
               .range = {0, 1e15},
               .live = Live::yes,
               .doc = "Seed of the random gusts. A different value gives different times and places, and so does a "
                      "different `world.seed`."},
  };
  return table;
}

class Gusts final : public Field {
 public:
  Gusts(const GustParams& params, RandomKey key)
      : p_(params),
        key_(key),
        speed_(params.travel.norm()),
        way_(params.travel / speed_),
        side_(way_.unitOrthogonal()),
        length_(2 * p_.rise_m + p_.hold_m) {}

  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    if (p_.times == GustTimes::once) {
      for (std::size_t i = 0; i < position.size(); ++i)
        velocity[i] += share(position[i] - p_.position, moment.time - p_.start_s) * p_.velocity;
      return;
    }
    if (!(p_.rate_hz > 0)) return;
    for (std::size_t i = 0; i < position.size(); ++i)
      velocity[i] += of_all(position[i] - p_.position, moment.time) * p_.velocity;
  }
  [[nodiscard]] double length_m() const override {
    return p_.width_m > 0 ? std::min(p_.rise_m, 0.5 * p_.width_m) : p_.rise_m;
  }

 private:
  /// Returns the strength at `place` of a gust that reached the reference position `age` seconds ago. `place` is
  /// relative to the reference position.
  [[nodiscard]] double share(const Vec3& place, double age) const {
    const double ahead = place.dot(way_), behind = speed_ * age - ahead;
    if (!(behind > 0 && behind < length_)) return 0;
    const double edge = std::min({behind, length_ - behind, p_.rise_m});
    const double strength = 0.5 * (1 - elementary::cos(pi * edge / p_.rise_m));
    if (p_.width_m == 0) return strength;
    const double aside = (place - ahead * way_).norm() / p_.width_m;
    return aside < 0.5 ? strength * 0.5 * (1 + elementary::cos(2 * pi * aside)) : 0;
  }

  /// Returns the sum of the strengths at `time` of all gusts that cover `place`. A gust covers a position if its front
  /// has passed the position by at most the length of the gust. Time is divided into slots, in each of which one gust
  /// starts on average. The number of a slot determines the number and the times of its gusts, so any time can be
  /// evaluated directly.
  [[nodiscard]] double of_all(const Vec3& place, double time) const {
    const double last = (time - place.dot(way_) / speed_) * p_.rate_hz, first = last - length_ / speed_ * p_.rate_hz;
    if (!(std::abs(last) < 1e15)) return 0;
    double sum = 0;
    for (auto slot = static_cast<std::int64_t>(std::floor(first)); static_cast<double>(slot) <= last; ++slot) {
      const auto lane = static_cast<std::uint64_t>(slot);
      const int count = number_of_gusts(random_uniform(key_, 0, lane));
      for (int k = 1; k <= count; ++k) {
        const auto index = static_cast<std::uint64_t>(3 * k);
        const double begun = (static_cast<double>(slot) + random_uniform(key_, index, lane)) / p_.rate_hz;
        Vec3 from = place;
        if (p_.scatter_m > 0) {
          const double r = p_.scatter_m * std::sqrt(random_uniform(key_, index + 1, lane)),
                       angle = 2 * pi * random_uniform(key_, index + 2, lane);
          from -= r * (elementary::cos(angle) * side_ + elementary::sin(angle) * way_.cross(side_));
        }
        sum += share(from, time - begun);
      }
    }
    return sum;
  }

  /// Returns the number of gusts in a slot: the inverse of the Poisson distribution with mean 1 at the uniform number
  /// `draw`.
  [[nodiscard]] static int number_of_gusts(double draw) {
    double chance = elementary::exp(-1.0), sum = chance;
    int count = 0;
    while (draw >= sum && count < 20) sum += chance /= ++count;
    return count;
  }

  GustParams p_;
  RandomKey key_;
  double speed_;
  Vec3 way_, side_;
  double length_;
};

const Schema& gust_schema() {
  static const Schema schema{
      "gust",
      "Gusts of wind that travel as fronts, once or at random times. The wind rises and falls as 1 - cos. If the "
      "gust's velocity has a component along the direction of travel, the flow is not divergence-free.",
      gust_params().specs(),
      {}};
  return schema;
}

Result<std::unique_ptr<Field>> create_gust(const Node& self, std::uint64_t world_seed) {
  const GustParams params = gust_params().read(self.values);
  if (!(params.travel.norm() > 1e-6))
    return wrong_value(self.line, "travel", to_text(Value(params.travel)) + " m/s",
                       "must not be zero: the front must move");
  const double together = params.rate_hz * (2 * params.rise_m + params.hold_m) / params.travel.norm();
  if (params.times == GustTimes::random && together > 200)
    return wrong_value(
        self.line, "rate", to_text(Value(params.rate_hz)) + " Hz",
        fmt::format("must be at most {:.3g} Hz, so that at most 200 gusts act at one place at the same time",
                    200 * params.travel.norm() / (2 * params.rise_m + params.hold_m)));
  const auto words = random_words({world_seed, stream_id(self.name)}, static_cast<std::uint64_t>(params.seed));
  return make_field<Gusts>(params,
                           RandomKey{words[0] + (static_cast<std::uint64_t>(words[1]) << 32), stream_id("gust")});
}

}  // namespace

FieldKind gust_kind() { return {&gust_schema(), create_gust}; }

}  // namespace vw
