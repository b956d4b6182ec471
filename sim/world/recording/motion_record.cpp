#include "sim/world/recording/motion_record.h"

#include <algorithm>
#include <array>

#include "sim/base/parallel/parallel.h"
#include "sim/world/recording/common_rows.h"

namespace vw {
namespace {

constexpr std::size_t motion_rows_a_chunk = 16384;

/// Returns the next channel of `out` to fill, after setting its name to `name`.
VectorChannel& next_of(std::vector<VectorChannel>& out, std::size_t& used, const std::string& name) {
  if (used == out.size()) out.emplace_back();
  out[used].name = name;
  return out[used++];
}

}  // namespace

std::span<const ChannelInfo> measured_vectors() {
  static const auto both = std::to_array<ChannelInfo>({{"acceleration", "m/s^2"}, {"net_force", "N"}});
  return both;
}

void MotionRecord::ask(std::vector<std::string> names) {
  asked_ = std::move(names);
  measures_ = std::ranges::any_of(
      measured_vectors(), [&](const ChannelInfo& one) { return std::ranges::find(asked_, one.name) != asked_.end(); });
  if (!measures_) begun_ = measured_ = false;
}

void MotionRecord::begin_step(const WorldParts& parts) {
  begun_ = measures_;
  if (!measures_) return;
  next_.resize(parts.systems.size());
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const Elements& elements = parts.systems[i]->elements();
    next_[i].id = elements.id;
    next_[i].velocity = elements.velocity;
  }
}

void MotionRecord::end_step(double dt) {
  if (!begun_) return;
  before_.swap(next_);
  dt_ = dt;
  begun_ = false;
  measured_ = true;
}

void MotionRecord::accelerations(const Elements& elements, const Motion& before, std::vector<Vec3f>& out) const {
  const auto rate = [&](std::size_t now, std::size_t then) -> Vec3f {
    return ((elements.velocity[now] - before.velocity[then]) / dt_).cast<float>();
  };
  out.resize(elements.size());
  if (before.velocity.size() == elements.size() && before.id == elements.id) {
    parallel_for(out.size(), motion_rows_a_chunk, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) out[i] = rate(i, i);
    });
    return;
  }
  std::ranges::fill(out, Vec3f::Zero());
  each_common_row(before.id, before.velocity.size(), elements.id, elements.size(),
                  [&](std::size_t then, std::size_t now) { out[now] = rate(now, then); });
}

void MotionRecord::write(const System& system, std::size_t index, SystemSnapshot& out) const {
  const auto own = system.vector_channels();
  const auto wanted = [&](const ChannelInfo& one) { return std::ranges::find(asked_, one.name) != asked_.end(); };
  // Each entry is assigned separately, so that the memory of its strings is reused.
  out.available_vectors.resize(measured_vectors().size() + own.size());
  std::ranges::copy(own, std::ranges::copy(measured_vectors(), out.available_vectors.begin()).out);
  std::size_t used = 0;
  for (const ChannelInfo& one : measured_vectors()) {
    if (!measured_ || !wanted(one)) continue;
    std::vector<Vec3f>& values = next_of(out.vectors, used, one.name).values;
    accelerations(system.elements(), before_[index], values);
    if (&one == &measured_vectors()[0]) continue;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= static_cast<float>(system.elements().mass[i]);
  }
  for (std::size_t i = 0; i < own.size(); ++i)
    if (wanted(own[i])) system.vector_channel(i, next_of(out.vectors, used, own[i].name).values);
  out.vectors.resize(used);
}

}  // namespace vw
