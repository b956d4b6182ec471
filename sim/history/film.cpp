#include "sim/history/film.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace vw {
namespace {

/// Shortest time between two frames [s].
constexpr double frame_interval_s = 1.0 / 30;
/// Fraction of the limit that thinning frees in addition, so that it does not run for every frame.
constexpr double spare_film_share = 0.1;
/// Epochs of frames begin here. No world is reset that often.
constexpr std::uint64_t first_film_epoch = std::uint64_t{1} << 31U;

class FilmWriter {
 public:
  explicit FilmWriter(std::vector<std::byte>& out) : out_(out) {}
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(&value, sizeof value);
  }
  template <class T>
  void put_raw(const std::vector<T>& values) {
    put<std::uint64_t>(values.size());
    put_bytes(values.data(), values.size() * sizeof(T));
  }
  /// Writes `rows` rows of `columns` numbers as integers of type Small, relative to the range of each column.
  template <class Small>
  void put_scaled(const float* from, std::size_t rows, std::size_t columns) {
    put<std::uint64_t>(rows);
    constexpr auto most = static_cast<float>(std::numeric_limits<Small>::max());
    for (std::size_t c = 0; c < columns; ++c) {
      float low = std::numeric_limits<float>::infinity(), high = -low;
      for (std::size_t i = 0; i < rows; ++i) {
        low = std::min(low, from[i * columns + c]);
        high = std::max(high, from[i * columns + c]);
      }
      if (!(high > low)) high = low;
      put(low);
      put(high);
      const float scale = high > low ? most / (high - low) : 0;
      const std::size_t at = out_.size();
      out_.resize(at + rows * sizeof(Small));
      for (std::size_t i = 0; i < rows; ++i) {
        const auto small = static_cast<Small>(std::clamp((from[i * columns + c] - low) * scale + 0.5F, 0.0F, most));
        std::memcpy(out_.data() + at + i * sizeof(Small), &small, sizeof small);
      }
    }
  }

 private:
  void put_bytes(const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    out_.insert(out_.end(), bytes, bytes + size);
  }
  std::vector<std::byte>& out_;
};

/// Reads what FilmWriter wrote in this process, and therefore checks nothing.
class FilmReader {
 public:
  explicit FilmReader(const std::vector<std::byte>& in) : at_(in.data()) {}
  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  void take_raw(std::vector<T>& values) {
    values.resize(take<std::uint64_t>());
    if (!values.empty()) std::memcpy(values.data(), at_, values.size() * sizeof(T));
    at_ += values.size() * sizeof(T);
  }
  /// Calls `resize` with the number of rows, which returns the place of the numbers.
  template <class Small, class Resize>
  void take_scaled(std::size_t columns, const Resize& resize) {
    const std::size_t rows = take<std::uint64_t>();
    float* to = resize(rows);
    constexpr auto most = static_cast<float>(std::numeric_limits<Small>::max());
    for (std::size_t c = 0; c < columns; ++c) {
      const auto low = take<float>(), high = take<float>();
      const float scale = (high - low) / most;
      for (std::size_t i = 0; i < rows; ++i) {
        Small small{};
        std::memcpy(&small, at_ + i * sizeof small, sizeof small);
        to[i * columns + c] = rows == 0 ? 0 : low + static_cast<float>(small) * scale;
      }
      at_ += rows * sizeof(Small);
    }
  }

 private:
  const std::byte* at_;
};

template <class Row>
const float* numbers_of(const std::vector<Row>& rows) {
  return rows.empty() ? nullptr : reinterpret_cast<const float*>(rows.data());
}
/// Resizes an array of rows and returns its numbers.
template <class Row>
auto resizer(std::vector<Row>& rows) {
  return [&rows](std::size_t size) {
    rows.resize(size);
    return rows.empty() ? nullptr : reinterpret_cast<float*>(rows.data());
  };
}
static_assert(sizeof(Vec3f) == 3 * sizeof(float) && sizeof(Vec4f) == 4 * sizeof(float) &&
              sizeof(Quatf) == 4 * sizeof(float));

/// The parts of a collider that move or fade: position, half extent, colour, orientation, opacity.
using ColliderPose = std::array<float, 14>;
/// Numbers of a system as a whole.
using SystemSums = std::array<double, 13>;
/// Numbers of a joint: anchors, axis, then force, torque, reading, speed, and whether it is broken.
using JointNumbers = std::array<double, 14>;

ColliderPose pose_of(const ColliderSnapshot& collider) {
  ColliderPose pose{};
  Eigen::Map<Vec3f>(pose.data()) = collider.position;
  Eigen::Map<Vec3f>(pose.data() + 3) = collider.half_extent;
  Eigen::Map<Vec3f>(pose.data() + 6) = collider.color;
  Eigen::Map<Vec4f>(pose.data() + 9) = collider.orientation.coeffs();
  pose[13] = collider.opacity;
  return pose;
}

void put_pose(const ColliderPose& pose, ColliderSnapshot& collider) {
  collider.position = Eigen::Map<const Vec3f>(pose.data());
  collider.half_extent = Eigen::Map<const Vec3f>(pose.data() + 3);
  collider.color = Eigen::Map<const Vec3f>(pose.data() + 6);
  collider.orientation.coeffs() = Eigen::Map<const Vec4f>(pose.data() + 9);
  collider.opacity = pose[13];
}

SystemSums sums_of(const SystemSnapshot& system) {
  const Vec3 &c = system.center_of_mass, &p = system.momentum, &l = system.angular_momentum;
  return {system.mass_kg,
          system.kinetic_j,
          system.potential_j,
          system.elastic_j,
          c.x(),
          c.y(),
          c.z(),
          p.x(),
          p.y(),
          p.z(),
          l.x(),
          l.y(),
          l.z()};
}

void put_sums(const SystemSums& sums, SystemSnapshot& system) {
  system.mass_kg = sums[0];
  system.kinetic_j = sums[1];
  system.potential_j = sums[2];
  system.elastic_j = sums[3];
  system.center_of_mass = Eigen::Map<const Vec3>(sums.data() + 4);
  system.momentum = Eigen::Map<const Vec3>(sums.data() + 7);
  system.angular_momentum = Eigen::Map<const Vec3>(sums.data() + 10);
}

JointNumbers numbers_of_joint(const JointMark& joint) {
  JointNumbers numbers{};
  Eigen::Map<Vec3>(numbers.data()) = joint.a.cast<double>();
  Eigen::Map<Vec3>(numbers.data() + 3) = joint.b.cast<double>();
  Eigen::Map<Vec3>(numbers.data() + 6) = joint.axis.cast<double>();
  numbers[9] = joint.force_n;
  numbers[10] = joint.torque_nm;
  numbers[11] = joint.reading;
  numbers[12] = joint.speed;
  numbers[13] = joint.broken ? 1 : 0;
  return numbers;
}

void put_joint(const JointNumbers& numbers, JointMark& joint) {
  joint.a = Eigen::Map<const Vec3>(numbers.data()).cast<float>();
  joint.b = Eigen::Map<const Vec3>(numbers.data() + 3).cast<float>();
  joint.axis = Eigen::Map<const Vec3>(numbers.data() + 6).cast<float>();
  joint.force_n = numbers[9];
  joint.torque_nm = numbers[10];
  joint.reading = numbers[11];
  joint.speed = numbers[12];
  joint.broken = numbers[13] != 0;
}

void write_system(FilmWriter& out, const SystemSnapshot& system) {
  out.put(system.revision);
  out.put_scaled<std::uint16_t>(numbers_of(system.position), system.position.size(), 3);
  out.put_scaled<std::uint8_t>(numbers_of(system.velocity), system.velocity.size(), 3);
  out.put_scaled<std::uint16_t>(numbers_of(system.orientation), system.orientation.size(), 4);
  out.put_scaled<std::uint16_t>(system.size.data(), system.size.size(), 1);
  out.put_scaled<std::uint16_t>(system.beat.data(), system.beat.size(), 1);
  out.put_scaled<std::uint8_t>(numbers_of(system.tint), system.tint.size(), 4);
  out.put_raw(system.id);
  out.put_raw(system.material);
  out.put_raw(system.asleep);
  out.put<std::uint64_t>(system.channels.size());
  for (const Channel& channel : system.channels)
    out.put_scaled<std::uint16_t>(channel.values.data(), channel.values.size(), 1);
  out.put(sums_of(system));
  out.put_raw(system.totals);
  for (const JointMark& joint : system.joints) out.put(numbers_of_joint(joint));
}

void read_system(FilmReader& in, SystemSnapshot& system) {
  system.revision = in.take<std::uint64_t>();
  in.take_scaled<std::uint16_t>(3, resizer(system.position));
  in.take_scaled<std::uint8_t>(3, resizer(system.velocity));
  in.take_scaled<std::uint16_t>(4, resizer(system.orientation));
  for (Quatf& q : system.orientation) q.normalize();
  in.take_scaled<std::uint16_t>(1, resizer(system.size));
  in.take_scaled<std::uint16_t>(1, resizer(system.beat));
  in.take_scaled<std::uint8_t>(4, resizer(system.tint));
  in.take_raw(system.id);
  in.take_raw(system.material);
  in.take_raw(system.asleep);
  const auto channels = in.take<std::uint64_t>();
  for (std::uint64_t k = 0; k < channels; ++k) in.take_scaled<std::uint16_t>(1, resizer(system.channels[k].values));
  put_sums(in.take<SystemSums>(), system);
  in.take_raw(system.totals);
  for (JointMark& joint : system.joints) put_joint(in.take<JointNumbers>(), joint);
}

/// Copies what frames share. The arrays that write_system() writes stay empty.
std::shared_ptr<const Snapshot> cast_of(const Snapshot& snapshot) {
  auto cast = std::make_shared<Snapshot>();
  cast->changes = snapshot.changes;
  cast->run = snapshot.run;
  cast->dt_s = snapshot.dt_s;
  cast->asked_speed = snapshot.asked_speed;
  for (const SystemSnapshot& system : snapshot.systems) {
    SystemSnapshot& kept = cast->systems.emplace_back();
    kept.name = system.name;
    kept.kind = system.kind;
    kept.look = system.look;
    kept.palette = system.palette;
    kept.palette_names = system.palette_names;
    kept.soft = system.soft;
    kept.available = system.available;
    kept.available_vectors = system.available_vectors;
    for (const Channel& channel : system.channels) kept.channels.push_back({channel.name, {}, channel.index});
    kept.skin = system.skin;
    kept.body_mesh = system.body_mesh;
    kept.body_particles = system.body_particles;
    kept.particle_m = system.particle_m;
    kept.member_look = system.member_look;
    kept.spacing_m = system.spacing_m;
    kept.period = system.period;
    kept.joints = system.joints;
  }
  cast->signals = snapshot.signals;
  cast->colliders = snapshot.colliders;
  for (const RuleSnapshot& rule : snapshot.rules)
    cast->rules.push_back({rule.node, rule.kind, rule.a, rule.b, rule.enabled, 0, 0, {}, {}});
  return cast;
}

bool is_same_look(const SystemSnapshot& a, const SystemSnapshot& b) {
  const auto channel_names_agree = [&] {
    return std::ranges::equal(a.channels, b.channels, {}, &Channel::name, &Channel::name);
  };
  return a.name == b.name && a.kind == b.kind && a.look == b.look && a.soft == b.soft && a.skin == b.skin &&
         a.palette == b.palette && a.body_mesh == b.body_mesh && a.body_particles == b.body_particles &&
         a.spacing_m == b.spacing_m && a.period == b.period && a.particle_m == b.particle_m &&
         a.member_look.size() == b.member_look.size() && channel_names_agree() &&
         std::ranges::equal(a.joints, b.joints, {}, &JointMark::name, &JointMark::name);
}

bool is_cast_of(const Snapshot& cast, const Snapshot& snapshot) {
  return cast.changes == snapshot.changes && cast.run == snapshot.run && cast.dt_s == snapshot.dt_s &&
         std::ranges::equal(cast.systems, snapshot.systems, is_same_look) &&
         std::ranges::equal(
             cast.colliders, snapshot.colliders,
             [](const auto& a, const auto& b) { return a.kind == b.kind && a.mesh == b.mesh && a.name == b.name; }) &&
         cast.rules.size() == snapshot.rules.size() &&
         std::ranges::equal(cast.signals, snapshot.signals, {}, &SignalSnapshot::name, &SignalSnapshot::name);
}

/// Time between the neighbours of a frame [s].
double gap_around(const auto& at) { return std::next(at)->first - std::prev(at)->first; }

}  // namespace

bool Film::is_due(std::uint32_t branch, double elapsed_s) const {
  constexpr double slack = 1e-6;
  const auto found = nearest(branch, elapsed_s);
  return !found || std::abs(*found - elapsed_s) >= frame_interval_s * (1 - slack);
}

const Film::Frames::value_type* Film::find(std::uint32_t branch, double elapsed_s) const {
  const auto frames = branches_.find(branch);
  if (frames == branches_.end() || frames->second.empty()) return nullptr;
  const auto after = frames->second.lower_bound(elapsed_s);
  if (after == frames->second.begin()) return &*after;
  const auto before = std::prev(after);
  const bool is_after = after != frames->second.end() && after->first - elapsed_s < elapsed_s - before->first;
  return is_after ? &*after : &*before;
}

std::optional<double> Film::nearest(std::uint32_t branch, double elapsed_s) const {
  const auto* found = find(branch, elapsed_s);
  return found == nullptr ? std::nullopt : std::optional(found->first);
}

void Film::add(const Snapshot& snapshot, std::uint32_t branch) {
  if (cast_ == nullptr || !is_cast_of(*cast_, snapshot)) cast_ = cast_of(snapshot);
  Frame frame{cast_, {}};
  FilmWriter out(frame.data);
  out.put(snapshot.step);
  out.put(snapshot.time_s);
  out.put(snapshot.tick);
  out.put(snapshot.commands);
  out.put(snapshot.place.branch_time_s);
  for (const SystemSnapshot& system : snapshot.systems) write_system(out, system);
  for (const ColliderSnapshot& collider : snapshot.colliders) out.put(pose_of(collider));
  for (const SignalSnapshot& signal : snapshot.signals) out.put(signal.value);
  frame.data.shrink_to_fit();
  last_s_ = snapshot.place.elapsed_s;
  const std::uint64_t size = frame.bytes();
  if (!branches_[branch].try_emplace(last_s_, std::move(frame)).second) return;
  bytes_ += size;
  if (bytes_ > limit_) thin();
}

bool Film::show(std::uint32_t branch, double elapsed_s, Snapshot& out) {
  const auto* found = find(branch, elapsed_s);
  if (found == nullptr) return false;
  const Frame& frame = found->second;
  const std::uint64_t sequence = out.sequence;
  out = *frame.cast;
  out.sequence = sequence;
  out.epoch = first_film_epoch + ++shown_;
  FilmReader in(frame.data);
  out.step = in.take<std::uint64_t>();
  out.time_s = in.take<double>();
  out.tick = in.take<std::uint64_t>();
  out.commands = in.take<std::uint64_t>();
  out.place = {.branch = branch, .elapsed_s = found->first, .branch_time_s = in.take<double>()};
  for (SystemSnapshot& system : out.systems) read_system(in, system);
  for (ColliderSnapshot& collider : out.colliders) put_pose(in.take<ColliderPose>(), collider);
  for (SignalSnapshot& signal : out.signals) signal.value = in.take<double>();
  return true;
}

void Film::keep_only(const std::function<bool(std::uint32_t branch)>& is_kept) {
  for (auto at = branches_.begin(); at != branches_.end();) {
    if (is_kept(at->first)) {
      ++at;
      continue;
    }
    for (const auto& [time_s, frame] : at->second) bytes_ -= frame.bytes();
    at = branches_.erase(at);
  }
}

std::size_t Film::size() const {
  std::size_t count = 0;
  for (const auto& [number, frames] : branches_) count += frames.size();
  return count;
}

/// Removes frames whose neighbours are close compared with the distance from the last frame.
void Film::thin() {
  struct Candidate {
    double urgency = 0;
    std::uint32_t branch = 0;
    double time_s = 0;
  };
  const auto wanted = static_cast<std::uint64_t>((1 - spare_film_share) * static_cast<double>(limit_));
  while (bytes_ > wanted) {
    std::vector<Candidate> candidates;
    for (const auto& [number, frames] : branches_)
      for (auto at = frames.begin(); at != frames.end(); ++at) {
        if (at == frames.begin() || std::next(at) == frames.end()) continue;
        candidates.push_back(
            {gap_around(at) / std::max(std::abs(last_s_ - at->first), frame_interval_s), number, at->first});
      }
    if (candidates.empty()) return;
    std::ranges::sort(candidates, {}, &Candidate::urgency);
    bool is_any = false;
    for (const Candidate& candidate : candidates) {
      if (bytes_ <= wanted) return;
      Frames& frames = branches_.at(candidate.branch);
      const auto at = frames.find(candidate.time_s);
      // A neighbour may have been removed in this pass, so the gap may have grown.
      const double distance_s = std::max(std::abs(last_s_ - at->first), frame_interval_s);
      if (at == frames.begin() || std::next(at) == frames.end() || gap_around(at) / distance_s > 2 * candidate.urgency)
        continue;
      bytes_ -= at->second.bytes();
      frames.erase(at);
      is_any = true;
    }
    if (!is_any) return;
  }
}

}  // namespace vw
