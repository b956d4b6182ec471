// Output of a voxel body: channels, diagnostics, totals and snapshot.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/turning_vectors.h"
#include "sim/system/voxel/implicit/tensors.h"
#include "sim/system/voxel/lattice/skin.h"
#include "sim/system/voxel/voxel_body.h"

namespace vw {
namespace {

enum ChannelIndex : std::size_t {
  speed,
  displacement,
  strain,
  strain_max,
  strain_min,
  strain_von_mises,
  stress,
  stress_max,
  stress_min,
  stress_axial,
  pressure,
  force,
  kinetic,
  elastic,
  temperature,
  muscle,
  contact,
  plastic,
  channel_count
};

const std::array<ChannelInfo, channel_count>& channel_table() {
  static const std::array<ChannelInfo, channel_count> table{
      {{"speed", "m/s"},
       {"displacement", "m"},
       // Largest magnitude of the principal strains.
       {"strain", ""},
       {.name = "strain_max", .unit = "", .is_signed = true},  // largest principal strain
       {.name = "strain_min", .unit = "", .is_signed = true},  // smallest principal strain
       {"strain_von_mises", ""},
       {"stress", "Pa"},                                         // von Mises stress
       {.name = "stress_max", .unit = "Pa", .is_signed = true},  // largest principal stress
       {.name = "stress_min", .unit = "Pa", .is_signed = true},  // smallest principal stress
       // Normal stress of largest magnitude along a lattice axis.
       {.name = "stress_axial", .unit = "Pa", .is_signed = true},
       {.name = "pressure", .unit = "Pa", .is_signed = true},
       {"force", "N"},  // magnitude of the sum of the bond forces
       {"kinetic_energy", "J"},
       {"elastic_energy", "J"},
       {.name = "temperature", .unit = "K", .is_signed = true},
       {.name = "muscle_strain", .unit = "", .is_signed = true},  // strain that the muscles prescribe
       {"contact", ""},
       {"plastic_strain", ""}}};
  return table;
}

template <class F>
void fill(std::vector<float>& out, std::size_t count, const F& value) {
  constexpr std::size_t grain = 512;
  out.resize(count);
  parallel_for(count, grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) out[v] = static_cast<float>(value(v));
  });
}

/// Fills `out` with the distance of each voxel from its position at time 0 [m], after the mean displacement of the body
/// has been subtracted.
void fill_displacement(const VoxelBody& body, std::vector<float>& out) {
  const Elements& e = body.elements();
  Vec3 shift = Vec3::Zero();
  double mass = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    shift += e.mass[v] * (e.position[v] - body.rest_position(v));
    mass += e.mass[v];
  }
  shift /= mass;
  fill(out, e.size(), [&](std::size_t v) { return (e.position[v] - body.rest_position(v) - shift).norm(); });
}

/// Output arrays of the channels with indices First to Last, which are filled together in one pass over the voxels. The
/// array of a channel that is not requested is null.
template <std::size_t First, std::size_t Last>
class ChannelGroup {
 public:
  ChannelGroup(std::span<Channel> wanted, std::size_t count) {
    for (Channel& one : wanted) {
      if (one.index < First || one.index > Last) continue;
      one.values.resize(count);
      values_[one.index - First] = one.values.data();
      any_ = true;
    }
  }
  [[nodiscard]] static bool holds(std::size_t index) { return index >= First && index <= Last; }
  [[nodiscard]] bool any() const { return any_; }
  void set(std::size_t index, std::size_t v, double value) const {
    if (values_[index - First] != nullptr) values_[index - First][v] = static_cast<float>(value);
  }

 private:
  std::array<float*, Last - First + 1> values_{};
  bool any_ = false;
};
using StrainChannels = ChannelGroup<strain, strain_von_mises>;
using StressChannels = ChannelGroup<stress, force>;

constexpr std::size_t tensor_grain = 256;

double larger_in_magnitude(double a, double b) { return std::abs(a) >= std::abs(b) ? a : b; }

void fill_strains(const BodyView& body, const StrainChannels& out) {
  if (!out.any()) return;
  parallel_for(body.elements->size(), tensor_grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) {
      const Mat3 tensor = strain_tensor(body, v);
      const Vec3 principal = principal_values(tensor);
      out.set(strain, v, std::abs(larger_in_magnitude(principal[0], principal[2])));
      out.set(strain_max, v, principal[2]);
      out.set(strain_min, v, principal[0]);
      out.set(strain_von_mises, v, von_mises_strain(tensor));
    }
  });
}

void fill_stresses(const BodyView& body, const StressChannels& out) {
  if (!out.any()) return;
  ElasticLoads loads;
  find_elastic_loads(body, loads);
  parallel_for(body.elements->size(), tensor_grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) {
      const Mat3 tensor = stress_tensor(body, loads, v);
      const Vec3 principal = principal_values(tensor);
      out.set(stress, v, von_mises_stress(tensor));
      out.set(stress_max, v, principal[2]);
      out.set(stress_min, v, principal[0]);
      out.set(stress_axial, v, larger_in_magnitude(larger_in_magnitude(tensor(0, 0), tensor(1, 1)), tensor(2, 2)));
      out.set(pressure, v, -tensor.trace() / 3);
      out.set(force, v, bond_pull(body, loads, v).norm());
    }
  });
}

}  // namespace

std::span<const ChannelInfo> VoxelBody::channels() const { return channel_table(); }

void VoxelBody::channel(std::size_t index, std::vector<float>& out) const {
  std::array<Channel, 1> one;
  one[0].index = index;
  one[0].values.swap(out);
  fill_channels(one);
  one[0].values.swap(out);
}

void VoxelBody::fill_channels(std::span<Channel> wanted) const {
  const std::size_t n = elements_.size();
  const BodyView body = view();
  fill_strains(body, {wanted, n});
  fill_stresses(body, {wanted, n});
  for (Channel& one : wanted)
    if (!StrainChannels::holds(one.index) && !StressChannels::holds(one.index))
      fill_plain_channel(one.index, body, one.values);
}

std::span<const ChannelInfo> VoxelBody::vector_channels() const { return turning_vectors(); }

void VoxelBody::vector_channel(std::size_t index, std::vector<Vec3f>& out) const {
  turning_vector(elements_, index, out);
}

void VoxelBody::find_touching(std::vector<std::uint8_t>& out) const {
  const std::size_t n = elements_.size();
  out.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v)
    out[v] = contacts_[v].touching != 0 || (!elements_.met.empty() && elements_.met[v] != 0) ? 1 : 0;
  if (!has_self_pairs_) return;
  const bool implicit = params_.integrator == Integrator::implicit_euler;
  for (const auto& [a, b] : implicit ? watch_.pairs() : engine_.self_pairs()) {
    const double reach = elements_.radius[a] + elements_.radius[b];
    if ((elements_.position[b] - elements_.position[a]).squaredNorm() < reach * reach) out[a] = out[b] = 1;
  }
}

/// Fills a channel that needs neither strain nor stress tensors.
void VoxelBody::fill_plain_channel(std::size_t index, const BodyView& body, std::vector<float>& out) const {
  const std::size_t n = elements_.size();
  switch (index) {
    case speed: return fill(out, n, [&](std::size_t v) { return elements_.velocity[v].norm(); });
    case displacement: return fill_displacement(*this, out);
    case kinetic: return fill(out, n, [&](std::size_t v) { return kinetic_energy(body, v); });
    case elastic: return fill(out, n, [&](std::size_t v) { return elastic_energy(body, v); });
    case temperature: {
      const TemperatureMoment moment(program(), time_);
      return fill(out, n, [&](std::size_t v) { return moment.at(phases_, v); });
    }
    case muscle: return fill(out, n, [&](std::size_t v) { return muscles_.strain_of(v, 1); });
    case contact: {
      find_touching(touching_);
      return fill(out, n, [&](std::size_t v) { return touching_[v]; });
    }
    case plastic: return fill(out, n, [&](std::size_t v) { return plastic_strain(body, v); });
    default: out.assign(n, 0.0F);
  }
}

Diagnostics VoxelBody::diagnostics(const StepContext& context) const {
  Diagnostics out = measure(view(), context.gravity);
  const double dt = context.time - time_;  // length of the last substep, if it ended at the present time
  const bool blown = params_.wind && context.fields != nullptr && context.fields->is_felt();
  if (params_.integrator != Integrator::explicit_symplectic || constants_.damped || blown) return out;
  // kinetic_energy_at_positions() needs the length of the last substep. It is therefore called only if a substep has
  // ended at the present time.
  if (!(dt > 0) || dt > largest_stable_dt(spectrum(), 0)) return out;
  find_touching(touching_);
  out.kinetic = kinetic_energy_at_positions(view(), {dt, context.gravity, &regions_, touching_}, pushed_);
  return out;
}

void VoxelBody::totals(std::vector<Total>& out) const {
  const BondTotals bonds = bond_totals(view(), measured_);
  find_touching(touching_);
  const auto touching = std::count(touching_.begin(), touching_.end(), 1);
  out.clear();
  out.push_back({"voxels_in_contact", "", static_cast<double>(touching)});
  out.push_back({"broken_bonds", "", static_cast<double>(bonds.broken)});
  out.push_back({"plastic_bonds", "", static_cast<double>(bonds.yielded)});
  out.push_back({"largest_strain", "", bonds.largest_strain});
  out.push_back({"largest_stress", "Pa", bonds.largest_stress});
  const bool implicit = params_.integrator == Integrator::implicit_euler;
  const double step = last_dt_ > 0 ? last_dt_ : params_.implicit_step_s;
  out.push_back({"numerical_damping_at_10_hz", "", implicit ? numerical_damping_ratio(2 * pi * 10, step) : 0});
  out.push_back({"implicit_residual", "", implicit ? implicit_report_.residual : 0});
}

void VoxelBody::snapshot(SystemSnapshot& out) const {
  const std::size_t n = elements_.size();
  out.revision = cracks_;
  out.position.resize(n);
  out.velocity.resize(n);
  out.orientation.resize(n);
  out.size.resize(n);
  out.id.resize(n);
  out.material.resize(n);
  for (std::size_t v = 0; v < n; ++v) {
    out.position[v] = elements_.position[v].cast<float>();
    out.velocity[v] = elements_.velocity[v].cast<float>();
    out.orientation[v] = elements_.orientation[v].cast<float>();
    out.size[v] = static_cast<float>(2 * elements_.radius[v]);
    out.id[v] = static_cast<std::uint32_t>(v);
    out.material[v] = static_cast<std::uint8_t>(std::min<std::size_t>(lattice_.material[v], 255));
  }
  const std::size_t shown = std::min<std::size_t>(lattice_.materials.size(), 256);
  out.palette.resize(shown);
  out.palette_names.resize(shown);
  for (std::size_t i = 0; i < shown; ++i) {
    out.palette[i] = lattice_.materials[i].color.cast<float>();
    out.palette_names[i] = lattice_.material_name[i];
  }
  if (!skin_) skin_ = make_skin(lattice_, topology_);
  out.use_look<VoxelLook>().skin = skin_;
}

}  // namespace vw
