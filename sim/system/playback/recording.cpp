#include "sim/system/playback/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "sim/base/files/file.h"
#include "sim/base/rotation.h"
#include "sim/base/srgb.h"

namespace vw {
namespace {

constexpr double farthest_m = 1e6;
constexpr double latest_s = 1e9;         // largest magnitude of the time of a frame
constexpr double shortest_gap_s = 1e-9;  // frames that are less than this apart have the same time
constexpr std::size_t most_colors = 256;
constexpr float smallest_edge_m = 1e-9F;

/// Maps (x, y, z) with z up to (x, z, -y) with y up. Voxcraft designs are mapped in the same way (design_to_scene.cpp).
Vec3 turned(const Vec3& v) { return {v.x(), v.z(), 0 - v.y()}; }

/// Parses `text` as a finite number. Returns nullopt if other characters remain.
std::optional<double> number_of(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double x = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(x)) return std::nullopt;
  return x;
}

/// Returns the text before `mark`, and removes that text and `mark` from `rest`. Returns nullopt if the mark is
/// missing.
std::optional<std::string_view> up_to(std::string_view& rest, std::string_view mark) {
  const auto at = rest.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view head = rest.substr(0, at);
  rest.remove_prefix(at + mark.size());
  return head;
}

/// Returns the text between <name> and </name>, or nullopt if a tag is missing.
std::optional<std::string_view> element(std::string_view text, std::string_view name) {
  if (!up_to(text, fmt::format("<{}>", name))) return std::nullopt;
  return up_to(text, fmt::format("</{}>", name));
}

std::string quoted(std::string_view text) {
  std::string out(text.substr(0, 40));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  return '"' + out + (text.size() > 40 ? "...\"" : "\"");
}

class RecordingReader {
 public:
  RecordingReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<Recording> run() {
    reserve();
    for (line_ = 1; !text_.empty() && !error_; ++line_) {
      const auto end = text_.find('\n');
      const bool last = end == std::string_view::npos;
      read_line(text_.substr(0, end), last);
      text_.remove_prefix(last ? text_.size() : end + 1);
    }
    line_ = 0;
    if (recording_.frames.empty())
      refuse("", "no complete frame",
             "must contain at least one frame, which begins with <<<Step0 Time:0>>> and ends with <<<>>>");
    if (error_) return fail(std::move(*error_));
    name_segments();
    return std::move(recording_);
  }

 private:
  void refuse(std::string key, std::string found, std::string expected) {
    if (error_) return;
    error_.emplace();
    error_->file = file_;
    error_->line = line_;
    error_->key = std::move(key);
    error_->found = std::move(found);
    error_->expected = std::move(expected);
  }

  /// Reserves the arrays. Every record ends in a semicolon, so no array grows while the text is in memory.
  void reserve() {
    const auto most =
        std::min(static_cast<std::size_t>(std::count(text_.begin(), text_.end(), ';')), max_recorded_voxels);
    recording_.position.reserve(most);
    recording_.orientation.reserve(most);
    recording_.edge.reserve(most);
    recording_.material.reserve(most);
  }

  /// Reads a setting or a frame. Other lines belong to voxcraft's log and are ignored.
  void read_line(std::string_view line, bool last) {
    if (line.starts_with("{{{setting}}}"))
      read_setting(line);
    else if (line.starts_with("<<<Step"))
      read_frame(line, last);
  }

  void read_setting(std::string_view line) {
    if (const auto text = element(line, "rescale")) read_scale(*text, "rescale", rescale_);
    if (const auto text = element(line, "voxel_size")) read_scale(*text, "voxel_size", recording_.voxel_size_m);
    if (const auto text = element(line, "matcolor")) read_color(*text);
  }

  void read_scale(std::string_view text, const char* name, double& out) {
    const auto x = number_of(text);
    if (!x || *x <= 0 || *x > 1e3) return refuse(name, quoted(text), "must be a number above 0 and at most 1000");
    out = *x;
  }

  void read_color(std::string_view text) {
    const auto id = number_of(element(text, "id").value_or(""));
    if (!id || *id != std::floor(*id) || *id < 0 || *id > 65535)
      return refuse("matcolor.id", quoted(text), "must be a whole number from 0 to 65535");
    Vec3f color;
    int channel = 0;
    for (const char* name : {"r", "g", "b"}) {
      const auto level = number_of(element(text, name).value_or("0.5"));
      if (!level) return refuse(fmt::format("matcolor.{}", name), quoted(text), "must be a number");
      color[channel++] = static_cast<float>(linear_of_srgb(std::clamp(*level, 0.0, 1.0)));
    }
    recording_.palette[index_of(static_cast<int>(*id))] = color;
  }

  /// Index of a material in the palette. A new material is grey. All materials beyond the limit share the last index.
  std::size_t index_of(int id) {
    if (const auto known = index_of_id_.find(id); known != index_of_id_.end()) return known->second;
    if (recording_.palette.size() == most_colors) return most_colors - 1;
    recording_.palette.push_back(Vec3f::Constant(0.5F));
    recording_.palette_names.push_back(fmt::format("material {}", id));
    return index_of_id_[id] = recording_.palette.size() - 1;
  }

  void read_frame(std::string_view line, bool last) {
    const std::string_view whole = line;
    const auto head = up_to(line, ">>>");
    const auto records = head ? up_to(line, "<<<>>>") : std::nullopt;
    if (!records) {
      if (!last) return refuse("frame", quoted(whole), "a frame must end with <<<>>>");
      recording_.cut_off = true;
      return;
    }
    const auto time_at = head->find("Time:");
    const auto time = time_at == std::string_view::npos ? std::nullopt : number_of(head->substr(time_at + 5));
    if (!time) return refuse("frame", quoted(*head), "must give its time as Time:SECONDS");
    if (!(std::abs(*time) <= latest_s))
      return refuse("Time", fmt::format("{} s", *time), fmt::format("must be within {:g} s of 0", latest_s));
    begin_frame(*time);
    read_records(records->substr(0, records->find('|')));  // The records of bonds follow the character |.
    if (!error_) recording_.frames.back().end = recording_.position.size();
  }

  void begin_frame(double time) {
    auto& frames = recording_.frames;
    if (!frames.empty() && time < frames.back().time_s)
      return refuse("Time", fmt::format("{} s after {} s", time, frames.back().time_s),
                    "must not be earlier than the frame before");
    if (frames.size() == max_recorded_frames)
      return refuse("frame", "too many frames",
                    fmt::format("the recording must have at most {} frames", max_recorded_frames));
    // If two steps have the same printed time, the later step replaces the earlier one. Velocities between frames are
    // differences of positions divided by the gap, so the gap must not be arbitrarily short.
    if (!frames.empty() && time - frames.back().time_s < shortest_gap_s) frames.pop_back();
    frames.push_back({time, recording_.position.size(), recording_.position.size(), 0});
  }

  void read_records(std::string_view records) {
    for (std::size_t number = 1; !records.empty() && !error_; ++number) {
      const auto end = records.find(';');
      const std::string_view record = records.substr(0, end);
      records.remove_prefix(end == std::string_view::npos ? records.size() : end + 1);
      if (record.find_first_not_of(" \r\t") != std::string_view::npos) read_record(record, number);
    }
  }

  /// Reads a record with the fields x,y,z, angle [degree], axis, lower corner, upper corner, material[, signal,].
  void read_record(std::string_view record, std::size_t number) {
    std::array<double, 14> field{};
    std::string_view rest = record;
    for (double& x : field) {
      const auto comma = rest.find(',');
      const auto read = number_of(rest.substr(0, comma));
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
      if (!read)
        return refuse(fmt::format("voxel {}", number), quoted(record),
                      "must be at least 14 finite numbers, separated by commas");
      x = *read;
    }
    if (recording_.position.size() == max_recorded_voxels)
      return refuse(
          "voxels", "too many voxels",
          fmt::format("the recording must have at most {} voxels in all frames together", max_recorded_voxels));
    add_voxel(field, record, number);
  }

  void add_voxel(const std::array<double, 14>& field, std::string_view record, std::size_t number) {
    const auto vector = [&](std::size_t at) { return Vec3(field[at], field[at + 1], field[at + 2]); };
    // The three numbers after the angle are the vector part of a quaternion, printed with two digits. They are used
    // only for the axis, because the angle is more precise.
    const Vec3 axis = turned(vector(4));
    const double angle = field[3] * pi / 180;
    const Quat turn = axis.norm() > 0 ? rotation_about(axis.normalized(), angle) : Quat::Identity();
    const Vec3 low = rescale_ * turned(vector(7)), high = rescale_ * turned(vector(10));
    const Vec3 middle = rescale_ * turned(vector(0)) + turn * (0.5 * (low + high));
    const double edge = (high - low).cwiseAbs().sum() / 3;
    const double material = field[13];
    if (!(middle.cwiseAbs().maxCoeff() <= farthest_m) || !(edge <= farthest_m))
      return refuse(fmt::format("voxel {}", number), quoted(record),
                    fmt::format("must lie within {:g} m of the origin", farthest_m));
    if (material != std::floor(material) || material < 0 || material > 65535)
      return refuse(fmt::format("voxel {}", number), fmt::format("material {}", material),
                    "must be a whole number from 0 to 65535");
    recording_.position.push_back(middle.cast<float>());
    recording_.orientation.push_back(turn.cast<float>());
    recording_.edge.push_back(std::max(static_cast<float>(edge), smallest_edge_m));
    recording_.material.push_back(static_cast<std::uint8_t>(index_of(static_cast<int>(material))));
  }

  /// Whether frame `now` contains the same voxels as frame `before`. Records have no identities. The voxels are taken
  /// to be the same if count and materials agree and no voxel has moved by more than two edge lengths relative to the
  /// mean displacement.
  [[nodiscard]] bool continues(const Recording::Frame& before, const Recording::Frame& now) const {
    const std::size_t n = now.end - now.begin;
    if (before.end - before.begin != n) return false;
    Vec3f shift = Vec3f::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      if (recording_.material[before.begin + i] != recording_.material[now.begin + i]) return false;
      shift += (recording_.position[now.begin + i] - recording_.position[before.begin + i]) / static_cast<float>(n);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3f own = recording_.position[now.begin + i] - recording_.position[before.begin + i];
      if ((own - shift).norm() > 2 * recording_.edge[now.begin + i]) return false;
    }
    return true;
  }

  void name_segments() {
    auto& frames = recording_.frames;
    for (std::size_t k = 1; k < frames.size(); ++k)
      frames[k].segment = frames[k - 1].segment + (continues(frames[k - 1], frames[k]) ? 0 : 1);
  }

  std::string_view text_;
  const std::string& file_;
  int line_ = 0;
  double rescale_ = 0.001;  // Length scale of the file. voxcraft always writes 0.001.
  std::map<int, std::size_t> index_of_id_;
  Recording recording_;
  std::optional<Error> error_;
};

}  // namespace

Result<Recording> parse_recording(std::string_view text, const std::string& file) {
  return RecordingReader(text, file).run();
}

Result<Recording> read_recording(const std::string& path) {
  const auto text = read_file(path, max_recording_bytes);
  if (!text) return Unexpected(text.error());
  return parse_recording(*text, path);
}

}  // namespace vw
