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

/// Numbers of one row, such as 3 of a Vec3f.
template <class Row>
constexpr std::size_t columns_of = sizeof(Row) / sizeof(float);

class FilmWriter {
 public:
  explicit FilmWriter(std::vector<std::byte>& out) : out_(out) {}
  template <class T>
  void number(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    put_bytes(&value, sizeof value);
  }
  template <class T>
  void raw(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    number<std::uint64_t>(values.size());
    put_bytes(values.data(), values.size() * sizeof(T));
  }
  /// Writes rows of single-precision numbers as integers of type Small, relative to the range of each column.
  template <class Small, class Row>
  void scaled(const std::vector<Row>& values) {
    number<std::uint64_t>(values.size());
    const auto* from = reinterpret_cast<const float*>(values.data());
    for (std::size_t c = 0; c < columns_of<Row>; ++c) put_column<Small>(from + c, values.size(), columns_of<Row>);
  }

 private:
  template <class Small>
  void put_column(const float* from, std::size_t rows, std::size_t columns) {
    constexpr auto most = static_cast<float>(std::numeric_limits<Small>::max());
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (std::size_t i = 0; i < rows; ++i) {
      low = std::min(low, from[i * columns]);
      high = std::max(high, from[i * columns]);
    }
    number(low);
    number(high);
    const float scale = high > low ? most / (high - low) : 0;
    const std::size_t at = out_.size();
    out_.resize(at + rows * sizeof(Small));
    for (std::size_t i = 0; i < rows; ++i) {
      const auto small = static_cast<Small>(std::clamp((from[i * columns] - low) * scale + 0.5F, 0.0F, most));
      std::memcpy(out_.data() + at + i * sizeof(Small), &small, sizeof small);
    }
  }
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
  void number(T& value) {
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
  }
  template <class T>
  void raw(std::vector<T>& values) {
    values.resize(count());
    if (!values.empty()) std::memcpy(values.data(), at_, values.size() * sizeof(T));
    at_ += values.size() * sizeof(T);
  }
  template <class Small, class Row>
  void scaled(std::vector<Row>& values) {
    values.resize(count());
    auto* to = reinterpret_cast<float*>(values.data());
    for (std::size_t c = 0; c < columns_of<Row>; ++c) take_column<Small>(to + c, values.size(), columns_of<Row>);
  }

 private:
  std::size_t count() {
    std::uint64_t rows = 0;
    number(rows);
    return rows;
  }
  template <class Small>
  void take_column(float* to, std::size_t rows, std::size_t columns) {
    float low = 0, high = 0;
    number(low);
    number(high);
    const float scale = (high - low) / static_cast<float>(std::numeric_limits<Small>::max());
    for (std::size_t i = 0; i < rows; ++i) {
      Small small{};
      number(small);
      to[i * columns] = low + static_cast<float>(small) * scale;
    }
  }
  const std::byte* at_;
};

// The functions below describe what a frame holds, once for writing (const snapshots) and reading.

template <class Codec, class Vector>
void vector_numbers(Codec& film, Vector& vector) {
  for (Eigen::Index i = 0; i < vector.size(); ++i) film.number(vector[i]);
}

template <class Codec, class Joint>
void joint_parts(Codec& film, Joint& joint) {
  for (auto* place : {&joint.a, &joint.b, &joint.axis}) vector_numbers(film, *place);
  for (auto* value : {&joint.force_n, &joint.torque_nm, &joint.reading, &joint.speed}) film.number(*value);
  film.number(joint.broken);
}

template <class Codec, class System>
void system_parts(Codec& film, System& system) {
  film.number(system.revision);
  film.template scaled<std::uint16_t>(system.position);
  film.template scaled<std::uint8_t>(system.velocity);
  film.template scaled<std::uint16_t>(system.orientation);
  film.template scaled<std::uint16_t>(system.size);
  film.template scaled<std::uint16_t>(system.beat);
  film.template scaled<std::uint8_t>(system.tint);
  film.raw(system.id);
  film.raw(system.material);
  film.raw(system.asleep);
  film.raw(system.totals);
  for (auto& channel : system.channels) film.template scaled<std::uint16_t>(channel.values);
  for (auto* value : {&system.mass_kg, &system.kinetic_j, &system.potential_j, &system.elastic_j}) film.number(*value);
  for (auto* sum : {&system.center_of_mass, &system.momentum, &system.angular_momentum}) vector_numbers(film, *sum);
  for (auto& joint : system.joints) joint_parts(film, joint);
}

/// The parts of a collider that move or fade.
template <class Codec, class Collider>
void collider_parts(Codec& film, Collider& collider) {
  for (auto* part : {&collider.position, &collider.half_extent, &collider.color}) vector_numbers(film, *part);
  vector_numbers(film, collider.orientation.coeffs());
  film.number(collider.opacity);
}

template <class Codec, class Shown>
void frame_parts(Codec& film, Shown& shown) {
  film.number(shown.step);
  film.number(shown.time_s);
  film.number(shown.tick);
  film.number(shown.commands);
  film.number(shown.place.branch_time_s);
  for (auto& system : shown.systems) system_parts(film, system);
  for (auto& collider : shown.colliders) collider_parts(film, collider);
  for (auto& signal : shown.signals) film.number(signal.value);
}

static_assert(columns_of<Vec3f> == 3 && columns_of<Vec4f> == 4 && columns_of<Quatf> == 4);

/// Copies what frames share. The arrays that frame_parts() writes stay empty.
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
  frame_parts(out, snapshot);
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
  out.place = {.branch = branch, .elapsed_s = found->first};
  FilmReader in(frame.data);
  frame_parts(in, out);
  for (SystemSnapshot& system : out.systems)
    for (Quatf& q : system.orientation) q.normalize();
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
