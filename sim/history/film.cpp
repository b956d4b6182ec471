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
/// Fraction of the limit that thinning frees in addition to the required space, so that not every frame causes a
/// thinning.
constexpr double spare_film_share = 0.1;
/// Number of frames for which memory is reserved when the first frame is added.
constexpr std::size_t reserved_frames = 1 << 15;
/// First epoch number of frames. Worlds are never reset so often that they reach it, so frames have unique epochs.
constexpr std::uint64_t first_film_epoch = std::uint64_t{1} << 31U;

/// Number of floats in one row, for example 3 for Vec3f.
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

/// Reads data that a FilmWriter of this process has written. The data are therefore not checked.
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

// The functions below list the contents of a frame. They are used both for writing (const snapshots) and for reading.

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
  if (auto* members = std::get_if<MemberLook>(&system.look)) film.template scaled<std::uint16_t>(members->beat);
  film.template scaled<std::uint8_t>(system.tint);
  film.raw(system.id);
  film.raw(system.material);
  film.raw(system.asleep);
  film.raw(system.totals);
  for (auto& channel : system.channels) film.template scaled<std::uint16_t>(channel.values);
  for (auto* value : {&system.mass_kg, &system.kinetic_j, &system.potential_j, &system.elastic_j}) film.number(*value);
  for (auto* sum : {&system.center_of_mass, &system.momentum, &system.angular_momentum}) vector_numbers(film, *sum);
  if (auto* rigid = std::get_if<RigidLook>(&system.look))
    for (auto& joint : rigid->joints) joint_parts(film, joint);
}

/// Processes the members of a collider that may change from frame to frame.
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

/// Returns a copy of the data of a snapshot that frames share. The arrays that frame_parts() writes stay empty.
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
    if (auto* members = std::get_if<MemberLook>(&kept.look)) members->beat.clear();
    if (auto* rigid = std::get_if<RigidLook>(&kept.look)) rigid->contacts.clear();
    kept.palette = system.palette;
    kept.palette_names = system.palette_names;
    kept.available = system.available;
    kept.available_vectors = system.available_vectors;
    for (const Channel& channel : system.channels) kept.channels.push_back({channel.name, {}, channel.index});
    kept.period = system.period;
  }
  cast->signals = snapshot.signals;
  cast->colliders = snapshot.colliders;
  for (const RuleSnapshot& rule : snapshot.rules)
    cast->rules.push_back({rule.node, rule.kind, rule.a, rule.b, rule.enabled, 0, 0, {}, {}});
  return cast;
}

/// Returns whether two looks are equal, except for the members that change from frame to frame.
bool is_same(const SphereLook& a, const SphereLook& b) { return a.soft == b.soft; }
bool is_same(const VoxelLook& a, const VoxelLook& b) { return a.skin == b.skin; }
bool is_same(const RigidLook& a, const RigidLook& b) {
  return a.meshes == b.meshes && a.particles == b.particles && a.particle_m == b.particle_m &&
         std::ranges::equal(a.joints, b.joints, {}, &JointMark::name, &JointMark::name);
}
bool is_same(const FluidLook& a, const FluidLook& b) { return a.spacing_m == b.spacing_m; }
bool is_same(const MemberLook& a, const MemberLook& b) { return a.species.size() == b.species.size(); }

bool is_same_look(const SystemSnapshot& a, const SystemSnapshot& b) {
  const auto looks_agree = [&] {
    return std::visit(
        [&]<class L>(const L& look) {
          const auto* other = b.look_as<L>();
          return other != nullptr && is_same(look, *other);
        },
        a.look);
  };
  const auto channel_names_agree = [&] {
    return std::ranges::equal(a.channels, b.channels, {}, &Channel::name, &Channel::name);
  };
  return a.name == b.name && a.kind == b.kind && a.palette == b.palette && a.period == b.period && looks_agree() &&
         channel_names_agree();
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

}  // namespace

std::size_t Film::place_of(std::uint32_t branch, double elapsed_s) const {
  const auto is_before = [](const Frame& frame, const std::pair<std::uint32_t, double>& wanted) {
    return std::pair(frame.branch, frame.elapsed_s) < wanted;
  };
  const auto at = std::lower_bound(frames_.begin(), frames_.end(), std::pair(branch, elapsed_s), is_before);
  return static_cast<std::size_t>(at - frames_.begin());
}

bool Film::is_due(std::uint32_t branch, double elapsed_s) const {
  constexpr double slack = 1e-6;
  const auto found = nearest(branch, elapsed_s);
  return !found || std::abs(*found - elapsed_s) >= frame_interval_s * (1 - slack);
}

const Film::Frame* Film::find(std::uint32_t branch, double elapsed_s) const {
  const std::size_t after = place_of(branch, elapsed_s);
  const bool has_after = after < frames_.size() && frames_[after].branch == branch;
  const bool has_before = after > 0 && frames_[after - 1].branch == branch;
  if (!has_after && !has_before) return nullptr;
  if (!has_before) return &frames_[after];
  const bool is_after = has_after && frames_[after].elapsed_s - elapsed_s < elapsed_s - frames_[after - 1].elapsed_s;
  return &frames_[is_after ? after : after - 1];
}

std::optional<double> Film::nearest(std::uint32_t branch, double elapsed_s) const {
  const Frame* found = find(branch, elapsed_s);
  return found == nullptr ? std::nullopt : std::optional(found->elapsed_s);
}

void Film::add(const Snapshot& snapshot, std::uint32_t branch) {
  if (cast_ == nullptr || !is_cast_of(*cast_, snapshot)) cast_ = cast_of(snapshot);
  if (frames_.capacity() == 0) {
    frames_.reserve(reserved_frames);
    candidates_.reserve(reserved_frames);
    neighbours_.reserve(reserved_frames);
  }
  packed_.clear();
  FilmWriter out(packed_);
  frame_parts(out, snapshot);
  const double now_s = snapshot.place.elapsed_s;
  if (!pages_.has_room(packed_.size()))
    thin(static_cast<std::uint64_t>((1 - spare_film_share) * static_cast<double>(pages_.limit_bytes())), now_s);
  if (!pages_.has_room(packed_.size())) return;
  const std::size_t at = place_of(branch, now_s);
  if (at < frames_.size() && frames_[at].branch == branch && frames_[at].elapsed_s == now_s) return;
  frames_.insert(frames_.begin() + static_cast<std::ptrdiff_t>(at), {branch, now_s, pages_.write(packed_), cast_});
}

bool Film::show(std::uint32_t branch, double elapsed_s, Snapshot& out) {
  const Frame* frame = find(branch, elapsed_s);
  if (frame == nullptr) return false;
  const std::uint64_t sequence = out.sequence;
  out = *frame->cast;
  out.sequence = sequence;
  out.epoch = first_film_epoch + ++shown_;
  out.place = {.branch = branch, .elapsed_s = frame->elapsed_s};
  pages_.read(frame->place, packed_);
  FilmReader in(packed_);
  frame_parts(in, out);
  for (SystemSnapshot& system : out.systems)
    for (Quatf& q : system.orientation) q.normalize();
  return true;
}

void Film::keep_only(const std::function<bool(std::uint32_t branch)>& is_kept) {
  std::erase_if(frames_, [&](const Frame& frame) {
    if (is_kept(frame.branch)) return false;
    pages_.free(frame.place);
    return true;
  });
}

// ---- Thinning -------------------------------------------------------------------------------------------------------

/// Returns whether a frame is the first or the last frame of its branch. Such frames are never removed.
bool Film::is_at_edge(std::size_t frame) const {
  return frame == 0 || frame + 1 == frames_.size() || frames_[frame - 1].branch != frames_[frame].branch ||
         frames_[frame + 1].branch != frames_[frame].branch;
}

/// Returns the time between the neighbours of a frame, divided by the time between the frame and the present. Frames
/// with low values are removed first.
double Film::urgency_of(std::size_t frame, double present_s) const {
  const Neighbours& beside = neighbours_[frame];
  const double gap_s = frames_[beside.after].elapsed_s - frames_[beside.before].elapsed_s;
  return gap_s / std::max(std::abs(present_s - frames_[frame].elapsed_s), frame_interval_s);
}

/// Removes frames until at most `wanted_bytes` are used, if possible.
void Film::thin(std::uint64_t wanted_bytes, double present_s) {
  while (pages_.used_bytes() > wanted_bytes)
    if (!remove_rarest(wanted_bytes, present_s)) return;
}

/// Removes frames whose neighbours are close to each other compared with their distance from the present. Returns
/// whether any frame was removed.
bool Film::remove_rarest(std::uint64_t wanted_bytes, double present_s) {
  candidates_.clear();
  neighbours_.clear();
  const auto count = static_cast<std::uint32_t>(frames_.size());
  for (std::uint32_t i = 0; i < count; ++i) neighbours_.push_back({i == 0 ? 0 : i - 1, i + 1 < count ? i + 1 : i});
  for (std::uint32_t i = 0; i < count; ++i)
    if (!is_at_edge(i)) candidates_.push_back({urgency_of(i, present_s), i});
  std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
    return std::pair(a.urgency, a.frame) < std::pair(b.urgency, b.frame);
  });
  bool is_any = false;
  for (const Candidate& candidate : candidates_) {
    if (pages_.used_bytes() <= wanted_bytes) break;
    // A neighbour may have been removed in this pass. If the gap has grown much, the frame is kept.
    if (urgency_of(candidate.frame, present_s) > 2 * candidate.urgency) continue;
    Neighbours& beside = neighbours_[candidate.frame];
    neighbours_[beside.before].after = beside.after;
    neighbours_[beside.after].before = beside.before;
    beside.is_removed = true;
    pages_.free(frames_[candidate.frame].place);
    is_any = true;
  }
  erase_removed();
  return is_any;
}

void Film::erase_removed() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (neighbours_[i].is_removed) continue;
    if (kept != i) frames_[kept] = std::move(frames_[i]);
    ++kept;
  }
  frames_.erase(frames_.begin() + static_cast<std::ptrdiff_t>(kept), frames_.end());
}

}  // namespace vw
