// A cell grid with a margin yields the candidate pairs. The geometry of sphere and cube determines each contact. The
// impulse consists of a penalty force and friction. Both sides receive the impulses in the order of the particles.
#include "sim/interaction/particles/particles_voxels.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/inertia.h"
#include "sim/base/parallel/parallel.h"
#include "sim/collision/collider.h"
#include "sim/interaction/particles/size_class.h"

namespace vw {
namespace {

constexpr std::size_t particle_grain = 2048;  // Number of particles per chunk in loops over all particles.
constexpr std::size_t candidate_grain = 256;  // Number of particles near voxels per chunk in the contact search.
/// Largest number of candidate pairs. Their list has 1 GiB, and one evaluation of them takes about 10 s on one core.
constexpr std::size_t most_pairs = std::size_t{1} << 28;
constexpr double sqrt3 = 1.7320508075688774;

}  // namespace

const ParamTable<ParticlesVoxelsParams>& particles_voxels_params() {
  using P = ParticlesVoxelsParams;
  static const ParamTable<P> table{
      rule_params("Whether particles and voxels collide."),
      Param<P>{
          .member = &P::stiffness_npm,
          .key = "stiffness",
          .unit = Unit::newton_per_meter,
          .range = {1e-6, 1e9},
          .scale = Scale::log,
          .live = Live::yes,
          .doc = "Spring constant of a contact between a particle and a voxel. A particle of mass m that hits a voxel "
                 "with the speed v penetrates it by v * sqrt(m / stiffness). A higher stiffness needs more substeps."},
      Param<P>{.member = &P::damping_ratio,
               .key = "damping_ratio",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Damping ratio of a contact along its normal. At 0, particles bounce without loss. The value 1 "
                      "is critical for a free pair."},
      Param<P>{.member = &P::mu_static,
               .key = "mu_static",
               .label = "Static friction",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Coefficient of static friction between particles and voxels."},
      Param<P>{.member = &P::mu_dynamic,
               .key = "mu_dynamic",
               .label = "Sliding friction",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Coefficient of dynamic friction between particles and voxels."},
      Param<P>{.member = &P::max_contacts,
               .key = "max_contacts",
               .label = "Maximum contacts",
               .unit = Unit::count,
               .range = {3, 1000},
               .scale = Scale::log,
               .live = Live::yes,
               .doc =
                   "Largest number of particles that press on one voxel with the full `stiffness`. If more particles "
                   "press on it, their contacts become softer, so that the substeps need not become shorter."},
  };
  return table;
}

const Schema& particles_voxels_schema() {
  static const Schema schema{"particles_voxel_body",
                             "Particles and voxel bodies collide, with friction. Each side pushes the other.",
                             particles_voxels_params().specs(),
                             {},
                             "Particles and voxel bodies"};
  return schema;
}

const Schema& particles_playback_schema() {
  static const Schema schema{"particles_playback",
                             "Particles bounce off recorded voxels. The recording does not react.",
                             particles_voxels_params().specs(),
                             {},
                             "Particles and recordings"};
  return schema;
}

double ParticlesVoxels::stiffness_npm(const System& a, const System& b) const {
  (void)a;
  (void)b;
  // A spring of angular frequency w with damping ratio zeta is stable for w dt <= 2 (sqrt(zeta^2 + 1) - zeta), if
  // symplectic Euler damps with the velocity at the start of the step. An undamped spring is stable for w dt <= 2. An
  // undamped spring with the same bound on dt has a stiffness that is larger by the squared ratio of the two bounds.
  const double zeta = params_.damping_ratio, cost = std::sqrt(zeta * zeta + 1) + zeta;
  return static_cast<double>(params_.max_contacts) * params_.stiffness_npm * cost * cost;
}

/// The world visits the state before every step and after a failed step, so the health issue is cleared here.
void ParticlesVoxels::visit_state(StateVisitor& visit) {
  issue_.reset();
  visit("energy", energy_j_);
}

// ---- Candidate pairs ----------------------------------------------------------------------------------------------

Vec3 ParticlesVoxels::particle_position(std::size_t i) const {
  return pair_.particles->position[i] + pair_.age_particles * pair_.particles->velocity[i];
}

Cube ParticlesVoxels::cube(std::size_t v) const {
  const Elements& e = *pair_.voxels;
  Cube cube{e.position[v] + pair_.age_voxels * e.velocity[v], Quat::Identity(), e.radius[v]};
  if (!e.open_faces.empty()) cube.open_faces = e.open_faces[v];
  if (e.orientation.empty()) return cube;
  cube.orientation = e.orientation[v];
  if (pair_.age_voxels > 0) {
    const Vec3 turn = 0.5 * pair_.age_voxels * e.angular_velocity[v];
    cube.orientation = (Quat(1, turn.x(), turn.y(), turn.z()) * cube.orientation).normalized();
  }
  return cube;
}

double ParticlesVoxels::reach_m(double particle_radius) const {
  return sqrt3 * widest_voxel_m_ + particle_radius + margin_m(particle_radius) + voxel_margin_m_;
}

/// Returns whether the candidate pairs are still valid: since the search, no particle or voxel has moved or grown by
/// more than its margin, and no crack has exposed a voxel.
bool ParticlesVoxels::candidates_hold() {
  const Elements &particles = *pair_.particles, &voxels = *pair_.voxels;
  if (particle_position_.size() != particles.size() || surface_.empty() || surface_.back() >= voxels.size())
    return false;
  const auto covered = std::count(voxels.open_faces.begin(), voxels.open_faces.end(), std::uint8_t{0});
  // After a crack, the list of surface voxels does not contain the voxels that the crack has exposed.
  if (surface_.size() + static_cast<std::size_t>(covered) != voxels.size()) return false;
  moved_.assign(chunk_count(particles.size(), particle_grain), 0);
  parallel_for(particles.size(), particle_grain, [this](Range range, std::size_t chunk) {
    const Elements& e = *pair_.particles;
    bool still = true;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double room = margin_m(particle_radius_[i]) - std::max(0.0, e.radius[i] - particle_radius_[i]);
      still = still && room >= 0 && (particle_position(i) - particle_position_[i]).squaredNorm() <= room * room;
    }
    moved_[chunk] = still ? 0 : 1;
  });
  if (std::any_of(moved_.begin(), moved_.end(), [](std::uint8_t moved) { return moved != 0; })) return false;
  for (std::size_t k = 0; k < surface_.size(); ++k) {
    const std::size_t v = surface_[k];
    const double grown = sqrt3 * (voxels.radius[v] - surface_radius_[k]);
    const double moved = (voxels.position[v] + pair_.age_voxels * voxels.velocity[v] - surface_position_[k]).norm();
    if (!(moved + grown <= voxel_margin_m_)) return false;
  }
  return true;
}

/// Lists the voxels with an open face.
void ParticlesVoxels::list_surface() {
  const Elements& voxels = *pair_.voxels;
  surface_.clear();
  surface_position_.clear();
  surface_radius_.clear();
  widest_voxel_m_ = 0;
  for (std::size_t v = 0; v < voxels.size(); ++v) {
    if (!voxels.open_faces.empty() && voxels.open_faces[v] == 0) continue;
    surface_.push_back(static_cast<std::uint32_t>(v));
    surface_position_.push_back(voxels.position[v] + pair_.age_voxels * voxels.velocity[v]);
    surface_radius_.push_back(voxels.radius[v]);
    widest_voxel_m_ = std::max(widest_voxel_m_, voxels.radius[v]);
  }
}

bool ParticlesVoxels::find_candidates() {
  const Elements& particles = *pair_.particles;
  list_surface();
  particle_radius_.assign(particles.radius.begin(), particles.radius.end());
  double widest = 0, sum = 0;
  for (const double radius : particle_radius_) {
    widest = std::max(widest, radius);
    sum += radius;
  }
  // The margin of the voxels depends on the mean radius. If it depended on the largest radius, one wide particle would
  // give each of many small particles a long list of voxels.
  voxel_margin_m_ = margin_m(sum / std::max(1.0, static_cast<double>(particle_radius_.size())));
  const double widest_reach = reach_m(widest);
  std::array<bool, most_classes> is_built{};

  candidate_.clear();
  near_start_.clear();
  near_.clear();
  particle_position_.resize(particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const Vec3 p = particle_position_[i] = particle_position(i);
    const double reach = reach_m(particle_radius_[i]);
    const std::size_t before = near_.size(), own = size_class_of(reach, widest_reach, most_classes);
    if (!is_built[own]) grid_[own].build(surface_position_, std::ldexp(widest_reach, -2 * static_cast<int>(own)));
    is_built[own] = true;
    grid_[own].near(p, [&](std::uint32_t k) {
      if ((surface_position_[k] - p).squaredNorm() <= reach * reach) near_.push_back(surface_[k]);
    });
    if (near_.size() > most_pairs) return false;
    if (near_.size() == before) continue;
    std::sort(near_.begin() + static_cast<std::ptrdiff_t>(before), near_.end());
    candidate_.push_back(static_cast<std::uint32_t>(i));
    near_start_.push_back(static_cast<std::uint32_t>(before));
  }
  near_start_.push_back(static_cast<std::uint32_t>(near_.size()));
  return true;
}

// ---- Contacts -----------------------------------------------------------------------------------------------------

/// Returns the contacts of one particle: the deepest contact, and further contacts on faces whose normals differ by
/// more than 60 degrees from the normals of all earlier contacts. A particle can thus rest in a corner, but is not
/// affected by the edges between the voxels of a flat wall.
ParticlesVoxels::Hits ParticlesVoxels::touch(std::size_t candidate) const {
  const std::uint32_t particle = candidate_[candidate];
  const Vec3 p = particle_position(particle);
  const double radius = pair_.particles->radius[particle];
  Hits hits;
  const auto consider = [&](bool first) {
    CubeHit best;
    std::uint32_t voxel = 0;
    for (std::uint32_t k = near_start_[candidate]; k < near_start_[candidate + 1]; ++k) {
      const CubeHit hit = sphere_on_cube(cube(near_[k]), p, radius);
      if (hit.depth <= best.depth || (!first && !hit.on_face)) continue;
      const auto same_way = [&](std::size_t j) { return hits.hit[j].normal.dot(hit.normal) > 0.5; };
      bool new_way = true;
      for (std::size_t j = 0; j < hits.count; ++j) new_way = new_way && !same_way(j);
      if (!new_way) continue;
      best = hit;
      voxel = near_[k];
    }
    if (best.depth <= 0) return false;
    hits.hit[hits.count] = best;
    hits.voxel[hits.count++] = voxel;
    return true;
  };
  while (hits.count < most_hits && consider(hits.count == 0)) {
  }
  return hits;
}

void ParticlesVoxels::find_contacts() {
  hits_.resize(candidate_.size());
  parallel_for(candidate_.size(), candidate_grain, [this](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) hits_[c] = touch(c);
  });
  contacts_.clear();
  load_.assign(pair_.voxels->size(), 0);
  for (std::size_t c = 0; c < candidate_.size(); ++c)
    for (std::size_t k = 0; k < hits_[c].count; ++k) {
      contacts_.push_back(
          {candidate_[c], hits_[c].voxel[k], hits_[c].hit[k].normal, hits_[c].hit[k].depth, Vec3::Zero()});
      ++load_[hits_[c].voxel[k]];
    }
}

// ---- Contact forces -----------------------------------------------------------------------------------------------

/// Returns the impulse on the particle over the time span of the evaluation. Velocities include pending impulses.
/// Otherwise, a contact would brake the side with the longer substep again in every substep of the other side.
Vec3 ParticlesVoxels::contact_impulse(const Contact& contact, double& energy_j) const {
  const Elements &p = *pair_.particles, &b = *pair_.voxels;
  const std::size_t i = contact.particle, v = contact.voxel;
  const bool held = !b.held.empty() && b.held[v] != 0, spins = !held && !b.angular_velocity.empty();
  const double inverse_mass = held ? 0 : 1 / b.mass[v],
               inverse_inertia = spins ? 1 / cube_inertia(b.mass[v], b.radius[v]) : 0;
  const double crowd = load_[v];
  const Vec3 arm = particle_position(i) - (b.position[v] + pair_.age_voxels * b.velocity[v]);
  Vec3 relative = p.velocity[i] + p.impulse[i] / p.mass[i] - b.velocity[v] - inverse_mass * b.impulse[v];
  if (spins) relative -= (b.angular_velocity[v] + inverse_inertia * b.angular_impulse[v]).cross(arm);
  // Effective mass along u. All contacts of a voxel act at once,
  // so each contact gets an equal share of the mass of the voxel.
  const auto mass_along = [&](const Vec3& u) {
    return 1 / (1 / p.mass[i] + crowd * (inverse_mass + inverse_inertia * arm.cross(u).squaredNorm()));
  };
  const Vec3& n = contact.normal;
  const double k = params_.stiffness_npm * std::min(1.0, static_cast<double>(params_.max_contacts) / crowd);
  const double c = 2 * params_.damping_ratio * std::sqrt(k * mass_along(n));
  const double v_n = relative.dot(n);
  energy_j += 0.5 * k * contact.depth * contact.depth;
  const double normal = std::max(0.0, k * contact.depth - c * v_n) * pair_.dt;
  const Vec3 tangential = relative - v_n * n;
  const double speed = tangential.norm();
  if (speed == 0 || normal == 0) return normal * n;
  const double mass = mass_along(tangential / speed), stop = mass * speed;
  const SurfaceMaterial pair{.restitution = 0, .mu_static = params_.mu_static, .mu_dynamic = params_.mu_dynamic};
  return normal * n - (friction_share(pair, stop, normal, 1 / mass) * stop / speed) * tangential;
}

void ParticlesVoxels::apply(System& a, System& b, const PairContext& context) {
  Elements &particles = a.elements(), &voxels = b.elements();
  pair_ = {&particles, &voxels, context.age_a, context.age_b, context.dt};
  energy_j_ = 0;
  if (issue_) return;
  if (!candidates_hold() && !find_candidates()) {
    surface_.clear();  // the next evaluation searches again
    std::vector<std::uint32_t>().swap(near_);
    contacts_.clear();
    issue_ = HealthIssue{fmt::format("particles of \"{}\" and voxels of \"{}\" form more than {} pairs that may touch",
                                     a.name(), b.name(), most_pairs),
                         -1, "use fewer or smaller particles, or larger voxels"};
    return;
  }
  find_contacts();
  if (contacts_.empty()) return;
  particles.room_for_impulses();
  voxels.room_for_impulses();
  for (Contact& contact : contacts_) contact.impulse = contact_impulse(contact, energy_j_);
  for (const Contact& contact : contacts_) {
    const std::size_t i = contact.particle, v = contact.voxel;
    particles.impulse[i] += contact.impulse;
    voxels.impulse[v] -= contact.impulse;
    if (!contact.impulse.isZero(0)) voxels.note_meeting(v);
    // Pending impulses act at the positions after the last substeps, so the lever arm is taken from these positions.
    // This conserves the angular momentum of the pair exactly.
    if (!voxels.angular_impulse.empty())
      voxels.angular_impulse[v] -= (particles.position[i] - voxels.position[v]).cross(contact.impulse);
  }
}

}  // namespace vw
