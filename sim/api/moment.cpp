// Reads and writes moments as text: a line of JSON, followed by the lines of a journal. The text may be malicious, so
// all values are checked before they are used, and the size of the decompressed text is limited.
#include "sim/api/moment.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files/file.h"
#include "sim/base/random.h"
#include "sim/scene/codec.h"
#include "sim/scene/scene.h"
#include "sim/world/build_info.h"
#include "sim/world/state/json.h"
#include "sim/world/state/sources.h"
#include "sim/world/world.h"

namespace vw::api {
namespace {

constexpr std::uint64_t moment_format = 1;
constexpr std::size_t most_runs = std::size_t{1} << 22;
constexpr std::size_t most_cameras = 100'000;
constexpr double most_fps = 1000;
constexpr std::size_t most_compared_values = 10'000;

Unexpected bad_moment(const std::string& file, const std::string& sentence) {
  return wrong_file(file, "the Voxwake session in this file is not valid: " + sentence);
}

// ---- Video ----------------------------------------------------------------------------------------------------------

/// Returns the runs as "COUNT,TICKS,COMMANDS", separated by semicolons. JSON lists of them could exceed JsonLimits.
std::string runs_to_text(const std::vector<FramePoints::Run>& runs) {
  std::string text;
  for (const FramePoints::Run& run : runs)
    fmt::format_to(std::back_inserter(text), "{}{},{},{}", text.empty() ? "" : ";", run.count, run.ticks, run.commands);
  return text;
}

/// Reads the integer at the beginning of `text`, and removes the number and the separator after it from `text`. Returns
/// whether this succeeded.
bool take_number(std::string_view& text, char separator, std::uint64_t& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return separator == ';';
  if (text.front() != separator) return false;
  text.remove_prefix(1);
  return separator != ';' || !text.empty();
}

Result<FramePoints> points_from_text(std::string_view text) {
  FramePoints points;
  while (!text.empty()) {
    FramePoints::Run run;
    if (!take_number(text, ',', run.count) || !take_number(text, ',', run.ticks) ||
        !take_number(text, ';', run.commands) || run.count == 0)
      return fail("\"frames\" is not a list of entries COUNT,TICKS,COMMANDS");
    const bool fits = run.count <= max_journal_tick && points.count() + run.count <= max_journal_tick &&
                      run.ticks <= max_journal_tick && run.commands <= max_journal_tick &&
                      points.last().tick + run.count * run.ticks <= max_journal_tick &&
                      points.last().commands + run.count * run.commands <= max_journal_tick;
    if (!fits || points.runs().size() >= most_runs) return fail("\"frames\" has too many frames or steps");
    points.add(run);
  }
  return points;
}

Json video_to_json(const VideoFrames& video) {
  Json json{{"fps", video.fps}, {"frame_s", video.frame_s}, {"complete", video.is_complete}};
  if (video.lost > 0) json["lost"] = video.lost;
  if (video.points.count() > 0) json["frames"] = runs_to_text(video.points.runs());
  Json cameras = Json::array();
  for (const FrameCamera& camera : video.cameras) {
    if (cameras.size() >= most_cameras) break;
    cameras.push_back({camera.frame, camera.eye.x(), camera.eye.y(), camera.eye.z(), camera.target.x(),
                       camera.target.y(), camera.target.z()});
  }
  if (!cameras.empty()) json["cameras"] = std::move(cameras);
  return json;
}

Result<std::vector<FrameCamera>> cameras_from_json(const Json& list) {
  if (!list.is_array() || list.size() > most_cameras)
    return fail(fmt::format("\"cameras\" is not a list of at most {} cameras", most_cameras));
  std::vector<FrameCamera> cameras;
  for (const Json& row : list) {
    const auto is_finite = [](const Json& x) { return x.is_number() && std::isfinite(x.get<double>()); };
    if (!row.is_array() || row.size() != 7 || !row[0].is_number_unsigned() ||
        !std::all_of(row.begin(), row.end(), is_finite))
      return fail("\"cameras\" has a row that is not a frame number and six finite numbers");
    FrameCamera camera{row[0].get<std::uint64_t>(),
                       {row[1].get<double>(), row[2].get<double>(), row[3].get<double>()},
                       {row[4].get<double>(), row[5].get<double>(), row[6].get<double>()}};
    if (!cameras.empty() && camera.frame <= cameras.back().frame)
      return fail("\"cameras\" is not in ascending order of the frame numbers");
    cameras.push_back(std::move(camera));
  }
  return cameras;
}

Result<VideoFrames> video_from_json(const Json& json) {
  VideoFrames video;
  const auto fps = json_number(json, "fps");
  if (!fps) return Unexpected(fps.error());
  const auto frame_s = json_number(json, "frame_s");
  if (!frame_s) return Unexpected(frame_s.error());
  if (!(*fps > 0) || *fps > most_fps || *frame_s < 0) return fail("\"fps\" or \"frame_s\" is out of range");
  video.fps = *fps;
  video.frame_s = *frame_s;
  const auto complete = json_member(json, "complete");
  if (!complete || !(*complete)->is_boolean()) return fail("\"complete\" is missing or is neither true nor false");
  video.is_complete = (*complete)->get<bool>();
  if (json.contains("lost")) {
    const auto lost = json_count(json, "lost");
    if (!lost || *lost > max_journal_tick) return fail("\"lost\" is not a number of frames");
    video.lost = *lost;
  }
  if (json.contains("frames")) {
    const auto text = json_text(json, "frames");
    if (!text) return Unexpected(text.error());
    auto points = points_from_text(*text);
    if (!points) return Unexpected(points.error());
    video.points = std::move(*points);
  }
  if (json.contains("cameras")) {
    auto cameras = cameras_from_json(json["cameras"]);
    if (!cameras) return Unexpected(cameras.error());
    video.cameras = std::move(*cameras);
  }
  if (video.is_complete && video.points.count() == 0) return fail("\"frames\" is missing");
  return video;
}

// ---- Sessions -------------------------------------------------------------------------------------------------------

Result<std::map<std::string, std::string>> sources_from_json(const Json& head) {
  std::map<std::string, std::string> sources;
  const auto member = json_member(head, "sources");
  if (!member || !(*member)->is_object()) return fail("\"sources\" is missing or is not a JSON object");
  for (const auto& [key, hash] : (*member)->items())
    if (hash.is_string()) sources.emplace(key, hash.get<std::string>());
  return sources;
}

Result<std::shared_ptr<const Checkpoint>> start_from_json(const Json& head, const std::string& file) {
  if (!head.contains("start")) return nullptr;
  const auto text = json_text(head, "start");
  if (!text) return Unexpected(text.error());
  const auto bytes = decode_base64(*text);
  if (!bytes) return fail("\"start\" is not Base64 text");
  auto checkpoint = checkpoint_from_bytes(*bytes, file);
  if (!checkpoint) return fail("\"start\": " + checkpoint.error().what);
  return std::make_shared<const Checkpoint>(std::move(*checkpoint));
}

/// Checks that a session has a start state if and only if its journal says that it was resumed.
Result<void> check_start(const Journal& journal, const std::shared_ptr<const Checkpoint>& start) {
  if (journal.resumed == (start != nullptr)) return {};
  return fail(journal.resumed ? "the state from which the session began is missing"
                              : "it contains an initial state, but the session began at the start of its scene");
}

// ---- Comparison -----------------------------------------------------------------------------------------------------

Json compared_to_json(const ComparedMoment& compared) {
  Json json{{"name", compared.name},
            {"ghost", compared.is_ghost},
            {"difference", compared.shows_difference},
            {"ghost_percent", compared.ghost_percent}};
  if (compared.values.empty()) {
    json["journal"] = journal_to_text(compared.journal);
    json["sources"] = compared.sources;
    if (compared.start != nullptr) json["start"] = encode_base64(checkpoint_bytes(*compared.start));
    return json;
  }
  Json values = Json::array();
  for (const SetParameter& value : compared.values) values.push_back(Json::parse(to_json(value)));
  json["values"] = std::move(values);
  return json;
}

Result<std::vector<SetParameter>> values_from_json(const Json& list) {
  if (!list.is_array() || list.empty() || list.size() > most_compared_values)
    return fail(fmt::format("\"values\" is not a list of 1 to {} values", most_compared_values));
  std::vector<SetParameter> values;
  for (const Json& one : list) {
    auto command = command_of(one);
    if (!command) return Unexpected(command.error());
    auto* set = std::get_if<SetParameter>(&*command);
    if (set == nullptr) return fail("\"values\" holds a command that sets no parameter");
    values.push_back(std::move(*set));
  }
  return values;
}

Result<void> read_compared_session(const Json& json, const std::string& file, ComparedMoment& compared) {
  const auto text = json_text(json, "journal");
  if (!text) return Unexpected(text.error());
  auto journal = journal_from_text(*text, {});
  if (!journal) return fail("\"journal\": " + journal.error().message());
  auto sources = sources_from_json(json);
  if (!sources) return Unexpected(sources.error());
  auto start = start_from_json(json, file);
  if (!start) return Unexpected(start.error());
  compared.journal = std::move(*journal);
  compared.sources = std::move(*sources);
  compared.start = std::move(*start);
  return check_start(compared.journal, compared.start);
}

Result<ComparedMoment> compared_from_json(const Json& json, const std::string& file) {
  auto name = json_text(json, "name");
  if (!name) return Unexpected(name.error());
  ComparedMoment compared{.name = std::move(*name)};
  const auto ghost = json_bool(json, "ghost"), difference = json_bool(json, "difference");
  for (const auto* flag : {&ghost, &difference})
    if (!*flag) return Unexpected(flag->error());
  const auto percent = json_number(json, "ghost_percent");
  if (!percent) return Unexpected(percent.error());
  if (!(*percent >= 0 && *percent <= 100)) return fail("\"ghost_percent\" is not between 0 and 100");
  compared.is_ghost = *ghost;
  compared.shows_difference = *difference;
  compared.ghost_percent = *percent;
  if (!json.contains("values")) {
    if (auto good = read_compared_session(json, file, compared); !good) return Unexpected(good.error());
    return compared;
  }
  auto values = values_from_json(json["values"]);
  if (!values) return Unexpected(values.error());
  compared.values = std::move(*values);
  return compared;
}

// ---- Head -----------------------------------------------------------------------------------------------------------

std::string moment_to_text(const SavedMoment& moment) {
  Json head{{"voxwake_moment", moment_format},   {"build", moment.build},    {"tick", moment.point.tick},
            {"commands", moment.point.commands}, {"step", moment.step},      {"time_s", moment.time_s},
            {"display", moment.display},         {"sources", moment.sources}};
  if (moment.start != nullptr) head["start"] = encode_base64(checkpoint_bytes(*moment.start));
  if (moment.video) head["video"] = video_to_json(*moment.video);
  if (moment.compared) head["compared"] = compared_to_json(*moment.compared);
  return dump_json(head) + "\n" + journal_to_text(moment.journal);
}

/// Reads the members that every moment has.
Result<void> read_head(const Json& head, const std::string& file, SavedMoment& moment) {
  auto build = json_text(head, "build");
  if (!build) return Unexpected(build.error());
  auto display = json_text(head, "display");
  if (!display) return Unexpected(display.error());
  const auto tick = json_count(head, "tick"), commands = json_count(head, "commands"), step = json_count(head, "step");
  for (const auto* count : {&tick, &commands, &step})
    if (!*count) return Unexpected(count->error());
  if (*tick > max_journal_tick || *commands > max_journal_tick)
    return fail(fmt::format("\"tick\" or \"commands\" exceeds {}", max_journal_tick));
  const auto time_s = json_number(head, "time_s");
  if (!time_s) return Unexpected(time_s.error());
  auto sources = sources_from_json(head);
  if (!sources) return Unexpected(sources.error());
  auto start = start_from_json(head, file);
  if (!start) return Unexpected(start.error());
  moment.build = std::move(*build);
  moment.display = std::move(*display);
  moment.point = {*tick, *commands};
  moment.step = *step;
  moment.time_s = *time_s;
  moment.sources = std::move(*sources);
  moment.start = std::move(*start);
  return {};
}

Result<SavedMoment> moment_from_json(const Json& head, std::string_view journal_text, const std::string& file) {
  SavedMoment moment;
  if (auto good = read_head(head, file, moment); !good) return bad_moment(file, good.error().message());
  if (head.contains("video")) {
    auto video = video_from_json(head["video"]);
    if (!video) return bad_moment(file, "\"video\": " + video.error().message());
    moment.video = std::move(*video);
  }
  if (head.contains("compared")) {
    auto compared = compared_from_json(head["compared"], file);
    if (!compared) return bad_moment(file, "\"compared\": " + compared.error().message());
    moment.compared = std::move(*compared);
  }
  auto journal = journal_from_text(journal_text, {});
  if (!journal) return bad_moment(file, "its journal: " + journal.error().message());
  if (auto good = check_start(*journal, moment.start); !good) return bad_moment(file, good.error().message());
  moment.journal = std::move(*journal);
  return moment;
}

/// Returns the hashes of all files that the scene of a journal names at its start and at its end.
std::map<std::string, std::string> sources_of(const Journal& journal) {
  auto scene = read_scene_toml(journal.scene_text, {});
  if (!scene) return {};
  std::map<std::string, std::string> hashes = source_hashes(scene->root);
  bool changed = false;
  for (const JournalEntry& entry : journal.entries) {
    if (entry.kind != JournalEntry::Kind::command) continue;
    const auto* change = std::get_if<ChangeNodes>(&entry.command);
    if (change == nullptr) continue;
    if (auto good = apply_changes(scene->root, *change); !good) return hashes;
    for (const SetParameter& value : change->values) (void)set_parameter(scene->root, value.path, value.value);
    changed = true;
  }
  if (changed) hashes.merge(source_hashes(scene->root));
  return hashes;
}

std::string file_beside(const std::string& file, const std::string& name) {
  return (std::filesystem::path(file).parent_path() / name).string();
}

/// Decompresses the text of a moment and splits it into its first line, which is parsed, and the rest. Uncompressed
/// text is accepted too, because programs that edit pictures may store the text uncompressed.
Result<std::pair<Json, std::string>> text_of(std::string_view bytes, const std::string& file) {
  auto text = bytes.starts_with('{') ? std::optional<std::string>(bytes) : inflate_zlib(bytes, largest_moment_text);
  if (!text)
    return bad_moment(file, fmt::format("its compressed text is damaged, truncated or longer than {} MiB",
                                        largest_moment_text >> 20U));
  const std::size_t end = std::min(text->find('\n'), text->size());
  auto head = parse_json(std::string_view(*text).substr(0, end));
  if (!head) return bad_moment(file, "its first line " + head.error().message());
  const auto format = json_count(*head, "voxwake_moment");
  if (!format) return bad_moment(file, format.error().message());
  if (*format == 0 || *format > moment_format)
    return wrong_file(
        file, fmt::format("the Voxwake session in this file has format {}: expected a format from 1 to {}; a newer "
                          "version of Voxwake may have written the file",
                          *format, moment_format));
  text->erase(0, std::min(end + 1, text->size()));
  return std::pair<Json, std::string>(std::move(*head), std::move(*text));
}

/// Reads the file beside `file` to which a moment refers, and checks its hash.
Result<std::string> referred_bytes(const Json& head, const std::string& file) {
  const auto name = json_text(head, "file");
  if (!name) return bad_moment(file, name.error().message());
  const auto hash = json_text(head, "hash");
  if (!hash) return bad_moment(file, hash.error().message());
  const std::filesystem::path named = *name;
  if (name->empty() || *name == ".." || named != named.filename() || name->find('\0') != std::string::npos)
    return bad_moment(file, "\"file\" is not the name of a file in the same folder");
  const std::string path = file_beside(file, *name);
  auto bytes = read_file(path, largest_moment_file);
  if (!bytes)
    return wrong_file(file, "its session is in a separate file, which cannot be used: " + bytes.error().message());
  if (fmt::format("{:016x}", stream_id(*bytes)) != *hash)
    return wrong_file(file, "its session is in the file " + path + ", which was changed since the picture was written");
  return bytes;
}

}  // namespace

std::string display_text(const Node& scene) {
  Node shown = make_node(*scene.schema);
  std::erase_if(shown.children, [&](const Node& child) { return scene.schema->slots[child.slot].name == "view"; });
  for (const Node& child : scene.children) {
    const std::string& slot = scene.schema->slots[child.slot].name;
    if (slot != "view" && slot != "plot") continue;
    shown.children.insert(std::ranges::upper_bound(shown.children, child.slot, {}, &Node::slot), child);
  }
  return write_scene_toml(shown);
}

void FramePoints::add(const Run& run) {
  if (run.count == 0) return;
  if (!runs_.empty() && runs_.back().ticks == run.ticks && runs_.back().commands == run.commands)
    runs_.back().count += run.count;
  else
    runs_.push_back(run);
  count_ += run.count;
  last_.tick += run.count * run.ticks;
  last_.commands += run.count * run.commands;
}

void FramePoints::add(const SessionPoint& point, std::uint64_t count) {
  if (count == 0) return;
  const SessionPoint next{std::max(point.tick, last_.tick), std::max(point.commands, last_.commands)};
  add(Run{1, next.tick - last_.tick, next.commands - last_.commands});
  add(Run{count - 1, 0, 0});
}

void VideoFrames::add(const Snapshot& shown, const Vec3& eye, const Vec3& target) {
  // The journal leads to the last frame only. Frames before a jump back may need commands that this journal lacks.
  const SessionPoint point = point_of(shown), last = points.last();
  const bool goes_back = point.tick < last.tick || point.commands < last.commands || shown.place.branch != branch;
  if (points.count() > 0 && goes_back) {
    lost += points.count();
    points = {};
  }
  branch = shown.place.branch;
  const bool moves = cameras.empty() || cameras.back().eye != eye || cameras.back().target != target;
  if (moves && cameras.size() < most_cameras) cameras.push_back({count(), eye, target});
  points.add(point);
  last_step = shown.step;
  last_time_s = shown.time_s;
}

void VideoFrames::repeat(std::uint64_t count) {
  if (points.count() > 0) points.add(points.last(), count);
}

SessionPoint FramePoints::at(std::uint64_t frame) const {
  SessionPoint point;
  frame = std::min(frame, std::max<std::uint64_t>(count_, 1) - 1);
  for (const Run& run : runs_) {
    const std::uint64_t taken = std::min(run.count, frame + 1);
    point.tick += taken * run.ticks;
    point.commands += taken * run.commands;
    if (run.count > frame) break;
    frame -= run.count;
  }
  return point;
}

SessionPoint point_of(const Snapshot& shown) { return {shown.tick, shown.commands}; }

SavedMoment moment_of(const Snapshot& shown, const Node& scene) {
  SavedMoment moment;
  moment.build = build_description();
  moment.point = point_of(shown);
  moment.step = shown.step;
  moment.time_s = shown.time_s;
  moment.display = display_text(scene);
  return moment;
}

SavedMoment moment_of(const Snapshot& shown, const Node& scene, VideoFrames video) {
  SavedMoment moment = moment_of(shown, scene);
  if (video.is_complete) {
    moment.point = video.points.last();
    moment.step = video.last_step;
    moment.time_s = video.last_time_s;
  }
  moment.video = std::move(video);
  return moment;
}

void add_session(SavedMoment& moment, const Journal& journal, std::shared_ptr<const Checkpoint> start) {
  moment.journal = cut_journal(journal, moment.point.tick, moment.point.commands);
  moment.start = std::move(start);
}

Result<std::string> pack_moment(SavedMoment moment, const std::string& file, std::size_t limit) {
  const auto commands = std::ranges::count(moment.journal.entries, JournalEntry::Kind::command, &JournalEntry::kind);
  if (static_cast<std::uint64_t>(commands) != moment.point.commands)
    return wrong_file(file, "the session went to another moment before its commands could be stored");
  if (moment.sources.empty()) moment.sources = sources_of(moment.journal);
  if (moment.compared && moment.compared->values.empty() && moment.compared->sources.empty())
    moment.compared->sources = sources_of(moment.compared->journal);
  const std::string text = moment_to_text(moment);
  if (text.size() > largest_moment_text)
    return wrong_file(file, fmt::format("the session has {} MiB: expected at most {} MiB", text.size() >> 20U,
                                        largest_moment_text >> 20U));
  std::string bytes = deflate_zlib(text);
  if (bytes.empty()) return wrong_file(file, "the session cannot be compressed: out of memory");
  if (bytes.size() <= limit) return bytes;
  const std::string beside = file + ".moment";
  if (auto written = write_file_atomic(beside, bytes); !written) return Unexpected(written.error());
  return deflate_zlib(dump_json({{"voxwake_moment", moment_format},
                                 {"file", std::filesystem::path(beside).filename().string()},
                                 {"hash", fmt::format("{:016x}", stream_id(bytes))}}));
}

Result<SavedMoment> unpack_moment(std::string_view bytes, const std::string& file) {
  auto parts = text_of(bytes, file);
  if (!parts) return Unexpected(parts.error());
  if (parts->first.contains("file")) {
    const auto referred = referred_bytes(parts->first, file);
    if (!referred) return Unexpected(referred.error());
    parts = text_of(*referred, file);
    if (!parts) return Unexpected(parts.error());
  }
  return moment_from_json(parts->first, parts->second, file);
}

}  // namespace vw::api
