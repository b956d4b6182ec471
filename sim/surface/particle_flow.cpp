#include "sim/surface/particle_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vw {
namespace {

/// Support radius of the kernel, in spacings. In a cubic lattice, 65 particles lie within it.
constexpr double flow_support = 2.5;
/// Length of a step along a line, in spacings.
constexpr double flow_step = 0.25;
/// Largest number of steps in each of the two directions of a line.
constexpr std::size_t most_flow_steps = 2000;
constexpr double most_flow_nodes = 8e6;

/// Returns the Wendland C2 kernel without its factor, at the distance r with q = r / H, where H is the support radius.
double flow_weight(double q) {
  const double t = 1 - q;
  return q < 1 ? t * t * t * t * (1 + 4 * q) : 0;
}

/// Returns the factor by which a sum of weights of particles is multiplied to get a volume fraction. Each particle has
/// the volume spacing^3.
double fraction_factor() { return 21 / (2 * std::numbers::pi) / (flow_support * flow_support * flow_support); }

/// Returns a unit vector perpendicular to `along`, of any direction.
Vec3 across_of(const Vec3& along) {
  const Vec3 other = std::abs(along.y()) < 0.9 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX());
  return along.cross(other).normalized();
}

}  // namespace

void ParticleFlow::build(std::span<const Vec3f> position, std::span<const Vec3f> velocity, double spacing_m) {
  spacing_m_ = spacing_m;
  support_m_ = flow_support * spacing_m;
  position_.clear(), velocity_.clear(), row_.clear();
  box_.setEmpty();
  double fastest = 0;
  for (std::size_t i = 0; i < position.size() && i < velocity.size() && spacing_m > 0; ++i) {
    if (!position[i].allFinite() || !velocity[i].allFinite()) continue;
    position_.push_back(position[i].cast<double>());
    velocity_.push_back(velocity[i].cast<double>());
    row_.push_back(static_cast<std::uint32_t>(i));
    box_.extend(position_.back());
    fastest = std::max(fastest, velocity_.back().norm());
  }
  still_mps_ = std::max(1e-12, 1e-6 * fastest);
  cells_.build(position_, support_m_);
}

FlowSample ParticleFlow::at(const Vec3& place) const {
  if (empty()) return {};
  // Computes the moments of the weights with the basis (1, d), where d is the offset of a particle in units of the
  // support.
  Eigen::Matrix4d moments = Eigen::Matrix4d::Zero();
  Eigen::Matrix<double, 4, 3> sums = Eigen::Matrix<double, 4, 3>::Zero();
  cells_.near(place, [&](std::uint32_t i) {
    const Vec3 d = (position_[i] - place) / support_m_;
    const double w = flow_weight(d.norm());
    if (w <= 0) return;
    const Eigen::Vector4d basis(1, d.x(), d.y(), d.z());
    moments.noalias() += w * basis * basis.transpose();
    sums.noalias() += w * basis * velocity_[i].transpose();
  });
  FlowSample out;
  const double weight = moments(0, 0);
  out.fraction = fraction_factor() * weight;
  if (!(weight > 0)) return out;
  out.velocity = sums.row(0).transpose() / weight;
  // A tiny addition to the diagonal makes the fit bounded if all particles lie in a plane or on a line.
  const double spread = (moments(1, 1) + moments(2, 2) + moments(3, 3)) / 3;
  if (!(spread > 1e-6 * weight)) return out;
  for (int a = 1; a < 4; ++a) moments(a, a) += 1e-9 * spread;
  const Eigen::Matrix<double, 4, 3> fit = moments.ldlt().solve(sums);
  if (!fit.allFinite()) return out;
  out.velocity = fit.row(0).transpose();
  out.gradient = fit.bottomRows<3>().transpose() / support_m_;
  return out;
}

double ParticleFlow::mean_at(const Vec3& place, std::span<const float> values) const {
  if (empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0, weight = 0;
  cells_.near(place, [&](std::uint32_t i) {
    const double w = flow_weight((position_[i] - place).norm() / support_m_);
    if (w <= 0 || row_[i] >= values.size()) return;
    sum += w * static_cast<double>(values[row_[i]]);
    weight += w;
  });
  return fraction_factor() * weight >= least_fraction ? sum / weight : std::numeric_limits<double>::quiet_NaN();
}

void ParticleFlow::trace_half(double sign, double length_m, std::vector<Tip>& out) const {
  const double h = flow_step * spacing_m_;
  const auto direction = [&](const Vec3& place, FlowSample& sample) -> Vec3 {
    sample = at(place);
    const double speed = sample.velocity.norm();
    if (!(speed > still_mps_) || sample.fraction < least_fraction) return Vec3::Zero();
    return sign / speed * sample.velocity;
  };
  const auto steps = static_cast<std::size_t>(std::min(length_m / h, static_cast<double>(most_flow_steps)));
  FlowSample here, other;
  Vec3 k1 = direction(out.front().place, here);
  for (std::size_t step = 0; step < steps && !k1.isZero(); ++step) {
    const Tip& tip = out.back();
    const Vec3 k2 = direction(tip.place + 0.5 * h * k1, other);
    const Vec3 k3 = direction(tip.place + 0.5 * h * k2, other);
    const Vec3 k4 = direction(tip.place + h * k3, other);
    if (k2.isZero() || k3.isZero() || k4.isZero()) return;
    // While the point moves by h, the fluid turns about the line by half of its vorticity along the line. Upstream, the
    // sign is opposite.
    const double turn = sign * 0.5 * vorticity_of(here.gradient).dot(k1) * h / here.velocity.norm();
    Tip next;
    next.place = tip.place + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const Vec3 turned = tip.normal + turn * k1.cross(tip.normal);
    k1 = direction(next.place, here);
    if (k1.isZero()) return;
    const Vec3 across = turned - turned.dot(k1) * k1;
    next.normal = across.norm() > 1e-6 ? Vec3(across.normalized()) : across_of(k1);
    next.speed = here.velocity.norm();
    out.push_back(next);
  }
}

void ParticleFlow::trace(const Vec3& seed, double length_m, FlowLines& out) const {
  const FlowSample first = at(seed);
  const double speed = first.velocity.norm();
  if (!(speed > still_mps_) || first.fraction < least_fraction) return;
  const Tip tip{seed, across_of(first.velocity / speed), speed};
  std::vector<Tip> back{tip}, forth{tip};
  trace_half(-1, 0.5 * length_m, back);
  trace_half(1, 0.5 * length_m, forth);
  if (back.size() + forth.size() < 4) return;
  const auto add = [&](const Tip& point) {
    out.point.push_back(point.place);
    out.speed.push_back(point.speed);
    out.normal.push_back(point.normal);
  };
  for (std::size_t i = back.size(); i-- > 1;) add(back[i]);
  for (const Tip& point : forth) add(point);
  out.start.push_back(static_cast<std::uint32_t>(out.point.size()));
}

std::vector<Vec3> ParticleFlow::even_places(std::size_t count) const {
  std::vector<Vec3> places(std::min(count, position_.size()));
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Particles are stored in the order of their creation. Multiples of the golden ratio spread the chosen indices
    // evenly over this order.
    const double golden = 0.6180339887498949 * static_cast<double>(i + 1);
    const auto row = static_cast<std::size_t>((golden - std::floor(golden)) * static_cast<double>(position_.size()));
    places[i] = position_[std::min(row, position_.size() - 1)];
  }
  return places;
}

FlowLines ParticleFlow::streamlines(std::span<const Vec3> seeds, double length_m) const {
  std::vector<FlowLines> traced(seeds.size());
  parallel_for(seeds.size(), 4, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) trace(seeds[i], length_m, traced[i]);
  });
  FlowLines out;
  for (const FlowLines& line : traced) {
    if (line.point.empty()) continue;
    out.point.insert(out.point.end(), line.point.begin(), line.point.end());
    out.speed.insert(out.speed.end(), line.speed.begin(), line.speed.end());
    out.normal.insert(out.normal.end(), line.normal.begin(), line.normal.end());
    out.start.push_back(static_cast<std::uint32_t>(out.point.size()));
  }
  return out;
}

ValueGrid ParticleFlow::grid_of(double cell_m) const {
  ValueGrid grid;
  if (position_.empty()) return grid;
  const Vec3 low = box_.min() - Vec3::Constant(spacing_m_), size = box_.sizes() + Vec3::Constant(2 * spacing_m_);
  grid.cell_m = std::max(cell_m, 1e-9 * size.maxCoeff());
  const auto nodes = [&] { return (size / grid.cell_m + Vec3::Constant(2)).array().floor().prod(); };
  while (nodes() > most_flow_nodes) grid.cell_m *= 1.1;
  // This offset prevents nodes from lying on the planes of particles that form a lattice.
  grid.origin = low - Vec3::Constant(0.37 * grid.cell_m);
  for (int a = 0; a < 3; ++a)
    grid.count[static_cast<std::size_t>(a)] = static_cast<std::size_t>(size[a] / grid.cell_m) + 2;
  return grid;
}

}  // namespace vw
