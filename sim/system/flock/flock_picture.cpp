#include "sim/system/flock/flock_picture.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/snapshot/member_shapes.h"
#include "sim/system/flock/steering/motion.h"
#include "sim/system/point_elements.h"

namespace vw {
namespace {

constexpr std::size_t picture_grain = 4096;
constexpr double absurd_mps = 1e6;

// Indices of the channels, in the order of flock_channels().
enum FlockChannel : std::size_t {
  by_speed,
  by_own_speed,
  by_neighbours,
  by_nearest,
  by_bank,
  by_age,
  by_species,
  by_contact,
  by_mass,
  by_radius
};

template <class T>
const T* row_of(std::span<const T> rows, std::size_t i, std::size_t count) {
  return rows.size() == count ? &rows[i] : nullptr;
}

double value_of(const FlockView& flock, std::size_t index, std::size_t i) {
  const FlockRows& rows = *flock.rows;
  const Seen* seen = flock.neighbours->size() == rows.size() ? &flock.neighbours->seen(i) : nullptr;
  switch (index) {
    case by_speed: return rows.elements.velocity[i].norm();
    case by_own_speed: return rows.speed[i];
    case by_neighbours: return seen != nullptr ? seen->count : 0;
    case by_nearest: {  // If a member sees no neighbour, the value is the member's reach.
      const double reach = flock.plan->species[rows.species[i]].reach_m;
      return seen != nullptr ? std::min(static_cast<double>(seen->nearest_m), reach) : reach;
    }
    case by_bank: return rows.bank[i];
    case by_age: return std::max(0.0, flock.now - rows.born[i]);
    case by_species: return rows.species[i];
    case by_contact: {
      const std::uint8_t* touched = row_of(flock.touched, i, rows.size());
      const auto& met = rows.elements.met;
      return (touched != nullptr && *touched != 0) || (met.size() == rows.size() && met[i] != 0) ? 1 : 0;
    }
    case by_mass: return rows.elements.mass[i];
    default: return rows.elements.radius[i];
  }
}

SpeciesLook look_of(MemberBody body) {
  switch (body) {
    case MemberBody::fish: return fish_look();
    case MemberBody::bird: return bird_look();
    case MemberBody::dart: return dart_look();
    case MemberBody::ball: break;
  }
  return ball_look();
}

}  // namespace

std::span<const ChannelInfo> flock_channels() {
  static const std::vector<ChannelInfo> all{{"speed", "m/s"},
                                            {"own_speed", "m/s"},
                                            {"neighbours", ""},
                                            {"nearest", "m"},
                                            {.name = "bank", .unit = "rad", .is_signed = true},
                                            {"age", "s"},
                                            {"species", ""},
                                            {"contact", ""},
                                            {"mass", "kg"},
                                            {"radius", "m"}};
  return all;
}

void flock_channel(const FlockView& flock, std::size_t index, std::vector<float>& out) {
  out.resize(flock.rows->size());
  parallel_for(out.size(), picture_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out[i] = static_cast<float>(value_of(flock, index, i));
  });
}

std::span<const ChannelInfo> flock_vectors() {
  // The motives come first, in the order of the enumeration Motive. Then follow the vectors of flock_vector().
  static const std::vector<ChannelInfo> all{
      {"avoidance", "m/s^2"}, {"flight", "m/s^2"}, {"separation", "m/s^2"}, {"hunt", "m/s^2"},   {"alignment", "m/s^2"},
      {"cohesion", "m/s^2"},  {"goal", "m/s^2"},   {"home", "m/s^2"},       {"wander", "m/s^2"}, {"cruise", "m/s^2"},
      {"steering", "m/s^2"},  {"thrust", "m/s^2"}, {"heading", ""},         {"medium", "m/s"}};
  return all;
}

void flock_vector(const FlockView& flock, std::size_t index, std::vector<Vec3f>& out) {
  const FlockRows& rows = *flock.rows;
  const std::size_t n = rows.size();
  const auto value = [&](std::size_t i) -> Vec3f {
    const MotiveRow* motives = row_of(flock.motives, i, n);
    if (index < motive_count) return motives != nullptr ? (*motives)[index] : Vec3f(Vec3f::Zero());
    switch (index - motive_count) {
      case 0: {
        Vec3f sum = Vec3f::Zero();
        for (std::size_t k = 0; k < motive_count && motives != nullptr; ++k) sum += (*motives)[k];
        return sum;
      }
      case 1: {
        const Vec3* thrust = row_of(flock.thrust, i, n);
        return thrust != nullptr ? Vec3f(thrust->cast<float>()) : Vec3f(Vec3f::Zero());
      }
      case 2: return rows.heading[i].cast<float>();
      default: {
        const Vec3* medium = row_of(flock.medium, i, n);
        return medium != nullptr ? Vec3f(medium->cast<float>()) : Vec3f(Vec3f::Zero());
      }
    }
  };
  out.resize(n);
  parallel_for(n, picture_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) out[i] = value(i);
  });
}

void show_flock(const FlockView& flock, SystemSnapshot& out) {
  const FlockRows& rows = *flock.rows;
  const std::size_t n = rows.size(), kinds = flock.plan->species.size();
  auto& members = out.use_look<MemberLook>();
  show_points(rows.elements, out);
  out.orientation.resize(n);
  out.material.resize(n);
  members.beat.resize(n);
  parallel_for(n, picture_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      out.orientation[i] = attitude(rows.heading[i], rows.bank[i]).cast<float>();
      out.size[i] = static_cast<float>(0.5 * flock.plan->species[rows.species[i]].length_m);
      out.material[i] = rows.species[i];
      members.beat[i] = static_cast<float>(rows.beat[i]);
    }
  });
  out.palette.resize(kinds);
  out.palette_names.resize(kinds);
  members.species.resize(kinds);
  for (std::size_t s = 0; s < kinds; ++s) {
    out.palette[s] = flock.plan->species[s].color.cast<float>();
    out.palette_names[s] = flock.plan->species_names[s];
    members.species[s] = look_of(flock.plan->species[s].body);
  }
}

double polarisation(const FlockRows& rows) {
  if (rows.size() == 0) return 0;
  const Vec3 sum = ordered_sum(rows.size(), picture_grain, Vec3(Vec3::Zero()), [&](Range range) {
    Vec3 part = Vec3::Zero();
    for (std::size_t i = range.begin; i < range.end; ++i) part += rows.heading[i];
    return part;
  });
  return sum.norm() / static_cast<double>(rows.size());
}

std::optional<HealthIssue> flock_health(const FlockPlan& plan, const FlockRows& rows) {
  const auto bad = first_unsound(rows.elements, absurd_mps);
  if (!bad) return std::nullopt;
  const std::string who =
      "member " + std::to_string(rows.elements.id[*bad]) + " of species " + plan.species_names[rows.species[*bad]];
  const auto element = static_cast<std::int64_t>(*bad);
  if (!rows.elements.position[*bad].allFinite())
    return HealthIssue{who + " has a position that is not finite", element,
                       "the cause is likely an infinite force, wind or flow of water"};
  return HealthIssue{who + " has a speed that is above 1e6 m/s or not finite", element,
                     "the cause is likely an impulse of a rule, or a wind, that is too strong for this mass and step"};
}

}  // namespace vw
