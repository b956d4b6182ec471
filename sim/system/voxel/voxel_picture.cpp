// What a voxel body shows: its snapshot and the channels that colour it.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/system/voxel/voxel_body.h"

namespace vw {
namespace {

enum ChannelIndex : std::size_t { speed, displacement, strain, stress, kinetic, elastic, temperature, contact };

const std::array<ChannelInfo, 8>& channel_table() {
  static const std::array<ChannelInfo, 8> table{{{"speed", "m/s", false},
                                                 {"displacement", "m", false},
                                                 {"strain", "", false},
                                                 {"stress", "Pa", false},
                                                 {"kinetic_energy", "J", false},
                                                 {"elastic_energy", "J", false},
                                                 {"temperature", "K", true},
                                                 {"contact", "", false}}};
  return table;
}

template <class F>
void fill(std::vector<float>& out, std::size_t count, F value) {
  out.resize(count);
  for (std::size_t v = 0; v < count; ++v) out[v] = static_cast<float>(value(v));
}

/// Distance from the place at the start, the motion of the centre of mass taken off.
void fill_displacement(const Elements& e, const std::vector<Vec3>& rest, std::vector<float>& out) {
  Vec3 shift = Vec3::Zero();
  double mass = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    shift += e.mass[v] * (e.position[v] - rest[v]);
    mass += e.mass[v];
  }
  shift /= mass;
  fill(out, e.size(), [&](std::size_t v) { return (e.position[v] - rest[v] - shift).norm(); });
}

}  // namespace

std::span<const ChannelInfo> VoxelBody::channels() const { return channel_table(); }

void VoxelBody::channel(std::size_t index, std::vector<float>& out) const {
  const std::size_t n = elements_.size();
  switch (index) {
    case speed: return fill(out, n, [&](std::size_t v) { return elements_.velocity[v].norm(); });
    case displacement: return fill_displacement(elements_, rest_position_, out);
    case strain: return voxel_strain(view(), out);
    case stress: return voxel_stress(view(), out);
    case kinetic: return voxel_kinetic_energy(view(), out);
    case elastic: return voxel_elastic_energy(view(), out);
    case temperature: {
      const TemperatureMoment moment(program(), time_);
      return fill(out, n, [&](std::size_t v) { return moment.at(phases_, v); });
    }
    case contact: return fill(out, n, [&](std::size_t v) { return contacts_[v].touching != 0 ? 1 : 0; });
    default: out.assign(n, 0.0F);
  }
}

void VoxelBody::snapshot(SystemSnapshot& out) const {
  const std::size_t n = elements_.size();
  out.look = Look::voxels;
  out.revision = 0;
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
  out.skin = skin_;
}

}  // namespace vw
