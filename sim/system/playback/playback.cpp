#include "sim/system/playback/playback.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/base/rotation.h"
#include "sim/collision/pose.h"
#include "sim/system/playback/recording.h"
#include "sim/system/turning_vectors.h"

namespace vw {
namespace {

enum class AtEnd { loop, hold };

struct PlaybackParams {
  std::string source;
  double speed = 1;
  AtEnd at_end = AtEnd::loop;
  Vec3 position{0, 0, 0};
};

const ParamTable<PlaybackParams>& playback_params() {
  using P = PlaybackParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::source,
               .key = "source",
               .doc = "Path of a voxcraft recording (.history), relative to the scene file."},
      Param<P>{.member = &P::speed,
               .key = "speed",
               .unit = Unit::ratio,
               .range = {0, 1000},
               .live = Live::yes,
               .doc = "Number of seconds of the recording that are played per simulated second. 0 means standstill."},
      Param<P>{.member = &P::at_end,
               .key = "at_end",
               .live = Live::yes,
               .choices = {"loop", "hold"},
               .doc = "Behaviour after the last frame of the recording. loop: the recording starts again with its "
                      "first frame. hold: the last frame stays."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Position of the origin of the recording in the world."},
  };
  return table;
}

constexpr std::size_t voxel_grain = 2048;  // Voxels per chunk.

/// Largest number of voxels that are drawn as cubes. Each voxel has a separate cube, because a Recording contains no
/// bonds. A cube takes half a kilobyte, so larger recordings are drawn as balls.
constexpr std::size_t most_cubes = std::size_t{1} << 19;

std::shared_ptr<const VoxelSkin> loose_cubes(std::size_t count, double edge_m) {
  // Corners of each face, counter-clockwise from outside. Bits 0, 1 and 2 of a corner's number are set if the corner is
  // on the side +x, +y and +z of the cube. The order of the faces is -x +x -y +y -z +z.
  constexpr std::array<std::array<std::int32_t, 4>, 6> faces{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  auto skin = std::make_shared<VoxelSkin>();
  skin->edge_m = static_cast<float>(edge_m);
  skin->vertices.reserve(8 * count);
  skin->quads.reserve(6 * count);
  for (std::size_t v = 0; v < count; ++v) {
    const auto voxel = static_cast<std::int32_t>(v);
    for (std::uint8_t corner = 0; corner < 8; ++corner)
      skin->vertices.push_back({{voxel, -1, -1, -1, -1, -1, -1, -1}, {corner, 0, 0, 0, 0, 0, 0, 0}});
    for (std::uint8_t face = 0; face < 6; ++face) {
      VoxelSkin::Quad quad{faces[face], voxel, face};
      for (std::int32_t& vertex : quad.vertex) vertex += 8 * voxel;
      skin->quads.push_back(quad);
    }
  }
  return skin;
}

/// Displayed moment: a position between two frames of the recording.
struct Moment {
  std::size_t from = 0, to = 0;  ///< Frames before and after the moment. Equal if nothing is interpolated.
  double share = 0;              ///< Weight of `to`.
  std::uint64_t round = 0;       ///< Number of times that playback has restarted.
  bool moving = true;
};

class Playback final : public System {
 public:
  Playback(const Node& self, Recording recording) : System(self.name), recording_(std::move(recording)) {
    params_ = playback_params().read(self.values);
    for (std::size_t k = 1; k < recording_.frames.size(); ++k)
      if (recording_.frames[k].segment != recording_.frames[k - 1].segment) first_of_segment_.push_back(k);
    first_of_segment_.insert(first_of_segment_.begin(), 0);
    place();
  }

  [[nodiscard]] const Schema& schema() const override { return playback_schema(); }
  [[nodiscard]] bool is_driven() const override { return true; }

  Result<void> configure(const Node& self, const Node& scene) override {
    (void)scene;
    params_ = playback_params().read(self.values);
    place();
    return {};
  }

  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override {
    (void)coupled_stiffness_npm;
    return std::numeric_limits<double>::infinity();
  }

  /// Impulses have no effect, because every element has prescribed motion.
  void substep(const StepContext& context, double t, double dt) override {
    (void)context;
    (void)t;
    (void)dt;
    std::fill(elements_.impulse.begin(), elements_.impulse.end(), Vec3::Zero());
    std::fill(elements_.angular_impulse.begin(), elements_.angular_impulse.end(), Vec3::Zero());
  }

  /// Elements change only at the end of a step, so that they are constant while interactions use them.
  void end_step(const StepContext& context) override {
    played_s_ += params_.speed * context.dt;
    place();
  }

  [[nodiscard]] Elements& elements() override { return elements_; }
  [[nodiscard]] const Elements& elements() const override { return elements_; }

  void visit_state(StateVisitor& visit) override { visit("played", played_s_, state_clock); }
  [[nodiscard]] std::string state_problem() const override {
    return played_s_ >= 0 && std::isfinite(played_s_) ? "" : "the played time is negative or not finite";
  }
  void state_restored() override { place(); }

  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override {
    (void)context;
    Diagnostics d;
    d.count = elements_.size();
    for (const Vec3& x : elements_.position) d.center_of_mass += x / static_cast<double>(d.count);
    return d;
  }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return std::nullopt; }

  [[nodiscard]] std::span<const ChannelInfo> channels() const override {
    static const std::vector<ChannelInfo> all{{"speed", "m/s"}, {"edge", "m"}};
    return all;
  }
  void channel(std::size_t index, std::vector<float>& out) const override {
    out.resize(elements_.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<float>(index == 0 ? elements_.velocity[i].norm() : 2 * elements_.radius[i]);
  }

  [[nodiscard]] std::span<const ChannelInfo> vector_channels() const override { return turning_vectors(); }
  void vector_channel(std::size_t index, std::vector<Vec3f>& out) const override {
    turning_vector(elements_, index, out);
  }

  void snapshot(SystemSnapshot& out) const override {
    const std::size_t n = elements_.size();
    out.revision = moment_.round * recording_.segments() + recording_.frames[moment_.from].segment;
    out.position.resize(n);
    out.velocity.resize(n);
    out.orientation.resize(n);
    out.size.resize(n);
    const std::size_t row = recording_.frames[moment_.from].begin;
    out.material.assign(recording_.material.begin() + static_cast<std::ptrdiff_t>(row),
                        recording_.material.begin() + static_cast<std::ptrdiff_t>(row + n));
    for (std::size_t i = 0; i < n; ++i) {
      out.position[i] = elements_.position[i].cast<float>();
      out.velocity[i] = elements_.velocity[i].cast<float>();
      out.orientation[i] = elements_.orientation[i].cast<float>();
      out.size[i] = static_cast<float>(2 * elements_.radius[i]);
    }
    out.id = elements_.id;
    out.palette = recording_.palette;
    out.palette_names = recording_.palette_names;
    out.use_look<VoxelLook>().skin = skin_;
  }

 private:
  [[nodiscard]] Moment moment_at(double played_s) const {
    const auto& frames = recording_.frames;
    const double duration = recording_.duration_s();
    Moment moment;
    if (!(duration > 0)) return {.moving = false};
    double t = played_s;
    if (params_.at_end == AtEnd::loop) {
      const double rounds = std::floor(played_s / duration);
      moment.round = static_cast<std::uint64_t>(std::min(rounds, 1e15));
      t = std::clamp(played_s - rounds * duration, 0.0, duration);
    }
    if (t >= duration && params_.at_end == AtEnd::hold)
      return {.from = frames.size() - 1, .to = frames.size() - 1, .moving = false};
    const double time = frames.front().time_s + t;
    const auto later = std::upper_bound(frames.begin() + 1, frames.end() - 1, time,
                                        [](double x, const Recording::Frame& f) { return x < f.time_s; });
    moment.to = static_cast<std::size_t>(later - frames.begin());
    moment.from = moment.to - 1;
    const double gap = frames[moment.to].time_s - frames[moment.from].time_s;
    moment.share = std::clamp((time - frames[moment.from].time_s) / gap, 0.0, 1.0);
    // If the next frame contains other voxels, the current voxels remain until that frame is reached.
    if (frames[moment.to].segment != frames[moment.from].segment) {
      moment.moving = false;
      if (moment.share >= 1) moment.from = moment.to;
      moment.to = moment.from;
    }
    return moment;
  }

  /// Sets the elements for the time `played_s_`. The elements are determined by `played_s_`, the recording and the
  /// parameters alone.
  void place() {
    moment_ = moment_at(played_s_);
    const Recording::Frame &from = recording_.frames[moment_.from], &to = recording_.frames[moment_.to];
    resize(from);
    const double rate = moment_.moving && to.time_s > from.time_s ? params_.speed / (to.time_s - from.time_s) : 0;
    parallel_for(elements_.size(), voxel_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) place_voxel(i, from.begin + i, to.begin + i, rate);
    });
  }

  /// Interpolates row i between rows a and b of the recording.
  void place_voxel(std::size_t i, std::size_t a, std::size_t b, double rate) {
    const Vec3 x = recording_.position[a].cast<double>(), step = recording_.position[b].cast<double>() - x;
    const Quat q = recording_.orientation[a].cast<double>().normalized(),
               next = recording_.orientation[b].cast<double>().normalized();
    elements_.position[i] = params_.position + x + moment_.share * step;
    elements_.orientation[i] = slerp(q, next, moment_.share);
    elements_.velocity[i] = bounded(rate * step);
    elements_.angular_velocity[i] = rate * rotation_vector_of(next * q.conjugate());
    const double edge = (1 - moment_.share) * static_cast<double>(recording_.edge[a]) +
                        moment_.share * static_cast<double>(recording_.edge[b]);
    elements_.radius[i] = 0.5 * edge;
    elements_.mass[i] = density * edge * edge * edge;
  }

  /// Limits the velocity: a jump between two frames is not a physical motion.
  static Vec3 bounded(const Vec3& v) {
    constexpr double fastest = 500;
    const double speed = v.norm();
    return speed <= fastest ? v : Vec3(v * (fastest / speed));
  }

  void resize(const Recording::Frame& frame) {
    const std::size_t n = frame.end - frame.begin;
    elements_.position.resize(n);
    elements_.velocity.resize(n);
    elements_.mass.resize(n);
    elements_.radius.resize(n);
    elements_.orientation.resize(n);
    elements_.angular_velocity.resize(n);
    elements_.impulse.assign(n, Vec3::Zero());
    elements_.angular_impulse.assign(n, Vec3::Zero());
    elements_.held.assign(n, 1);
    const double edge_m = recording_.voxel_size_m > 0 || n == 0 ? recording_.voxel_size_m
                                                                : static_cast<double>(recording_.edge[frame.begin]);
    if (skin_ == nullptr || skin_->quads.size() != 6 * n) skin_ = n <= most_cubes ? loose_cubes(n, edge_m) : nullptr;
    elements_.id.resize(n);
    // Identities are unique within a segment. In each segment they start at the first row of the segment's first frame.
    const auto first = static_cast<std::uint32_t>(recording_.frames[first_of_segment_[frame.segment]].begin);
    for (std::size_t i = 0; i < n; ++i) elements_.id[i] = first + static_cast<std::uint32_t>(i);
  }

  // Density of the voxels [kg/m^3]. It gives interactions a plausible mass, although no impulse moves the voxels.
  static constexpr double density = 1000;

  PlaybackParams params_;
  Recording recording_;
  std::vector<std::size_t> first_of_segment_;  ///< Index of the first frame of each segment.
  Elements elements_;
  std::shared_ptr<const VoxelSkin> skin_;
  Moment moment_;
  double played_s_ = 0;  ///< Time of the recording that has been played [s]. It is the complete state.
};

}  // namespace

const Schema& playback_schema() {
  static const Schema schema{
      "playback", "A recording of moving voxels. It is independent of all forces.", playback_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<System>> create_playback(const Node& self, const Node& scene) {
  (void)scene;
  const auto& source = std::get<std::string>(self.value("source"));
  const auto bad = [&](std::string expected) {
    return wrong_value(self.line, "system." + self.name + ".source", '"' + source.substr(0, 160) + '"',
                       std::move(expected));
  };
  if (source.empty()) return bad("must name a recording (.history)");
  auto recording = read_recording(source);
  if (!recording) return bad("must be a readable recording: " + recording.error().message());
  return std::unique_ptr<System>(std::make_unique<Playback>(self, std::move(*recording)));
}

}  // namespace vw
