#include "sim/api/run.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/scene/scene.h"
#include "sim/world/session.h"

namespace vw::api {
namespace {

/// Adds the name of the scene to an error that has a line but no file.
Unexpected in_scene(Error error, const std::string& name) {
  if (error.file.empty() && error.line > 0) error.file = name;
  return fail(std::move(error));
}

Result<std::size_t> find_system(const World& world, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    if (world.system(i).name() == name) return i;
    names.push_back(world.system(i).name());
  }
  return wrong_value(0, "system", "\"" + name + "\"", "must name a system of this world", nearest_word(name, names));
}

/// Returns the error for an unknown name. `kind` is the kind of data, such as "channel".
Unexpected unknown_name(const std::string& system, const std::string& kind, const std::string& name,
                        const std::vector<std::string>& known) {
  return wrong_value(0, kind, "\"" + name + "\"",
                     fmt::format("must be one of {} (of system {})", fmt::join(known, ", "), system),
                     nearest_word(name, known));
}

std::size_t index_of(std::span<const ChannelInfo> infos, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(infos, name, &ChannelInfo::name) - infos.begin());
}

std::vector<std::string> names_of(std::span<const ChannelInfo> infos) {
  std::vector<std::string> names;
  for (const ChannelInfo& info : infos) names.push_back(info.name);
  return names;
}

ArrayView scalars(const std::vector<double>& values) { return {values, values.size(), 1}; }

ArrayView triples(const std::vector<Vec3>& values) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  if (values.empty()) return {{}, 0, 3};
  return {{values.front().data(), 3 * values.size()}, values.size(), 3};
}

ArrayView quaternions(const std::vector<Quat>& values) {
  static_assert(sizeof(Quat) == 4 * sizeof(double));
  if (values.empty()) return {{}, 0, 4};
  return {{values.front().coeffs().data(), 4 * values.size()}, values.size(), 4};  // Eigen stores x, y, z, w
}

struct ArrayKind {
  const char* name;
  const char* unit;
  ArrayView (*view)(const Elements& elements);
};
constexpr auto array_kinds = std::to_array<ArrayKind>(
    {{"position", "m", [](const Elements& e) { return triples(e.position); }},
     {"velocity", "m/s", [](const Elements& e) { return triples(e.velocity); }},
     {"mass", "kg", [](const Elements& e) { return scalars(e.mass); }},
     {"radius", "m", [](const Elements& e) { return scalars(e.radius); }},
     {"orientation", "", [](const Elements& e) { return quaternions(e.orientation); }},
     {"angular_velocity", "rad/s", [](const Elements& e) { return triples(e.angular_velocity); }}});

}  // namespace

// ---- Lifetime -------------------------------------------------------------------------------------------------------

Run::Run(Session session, std::string name)
    : session_(std::make_unique<Session>(std::move(session))), name_(std::move(name)) {}
Run::~Run() = default;
Run::Run(Run&& other) noexcept = default;
Run& Run::operator=(Run&& other) noexcept = default;

Result<Run> Run::create(OpenedScene scene, const std::string& journal_path) {
  auto session = Session::create(std::move(scene.root), std::move(scene.text), journal_path);
  if (!session) return in_scene(session.error(), scene.name);
  return Run(std::move(*session), std::move(scene.name));
}

Result<Run> Run::resume(SavedRun saved, const std::string& journal_path) {
  auto session = Session::resume(std::move(saved.root), *saved.state, journal_path);
  if (!session) return in_scene(session.error(), saved.name);
  session->keep_start(std::move(saved.state));
  return Run(std::move(*session), std::move(saved.name));
}

World& Run::world() { return session_->world(); }
const World& Run::world() const { return session_->world(); }
Session& Run::session() { return *session_; }

// ---- Commands -------------------------------------------------------------------------------------------------------

Result<void> Run::apply(const Command& command) { return session_->apply(command); }

Result<void> Run::set(const std::string& path, const Value& value) { return apply(SetParameter{path, value}); }

Result<void> Run::assign(const std::string& text) {
  Node scene = world().scene();
  auto assignment = parse_assignment(scene, text);
  if (!assignment) return Unexpected(assignment.error());
  return set(assignment->path, assignment->value);
}

Result<void> Run::reset() { return apply(Reset{}); }

Result<Value> Run::value(const std::string& path) const {
  Node scene = world().scene();
  const auto found = find_parameter(scene, path);
  if (!found) return Unexpected(found.error());
  return found->value();
}

std::vector<SetParameter> Run::pending() const {
  std::vector<SetParameter> all = world().in_force();
  // Parameters driven by actuators also differ from the scene, but they are live and do not wait for a reset.
  Node scene = world().scene();
  std::erase_if(all, [&](const SetParameter& one) { return find_parameter(scene, one.path)->spec->live == Live::yes; });
  return all;
}

const Node& Run::scene() const { return world().scene(); }
std::string Run::scene_text() const { return write_scene_toml(world().scene()); }

// ---- Steps ----------------------------------------------------------------------------------------------------------

Result<void> Run::step(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    if (!session_->step()) return fail(failure());
  return {};
}

Result<End> Run::run_until(double until_s, const std::function<bool(Run&)>& after_step) {
  const auto end = session_->run(until_s, [&](Session&) { return !after_step || after_step(*this); });
  if (end == Session::End::failed) return fail(failure());
  return end == Session::End::stopped ? End::stopped : End::reached;
}

Result<ReplayOutcome> Run::replay(const Journal& journal, const std::function<void(Run&)>& after_step) {
  return vw::replay(*session_, journal, [&](Session&) {
    if (after_step) after_step(*this);
  });
}

double Run::time_s() const { return world().time(); }
double Run::dt_s() const { return world().dt(); }
std::uint64_t Run::step_count() const { return world().step_count(); }
std::uint64_t Run::tick() const { return session_->tick(); }
std::uint64_t Run::commands() const { return session_->command_count(); }
double Run::simulated_s() const { return session_->simulated_s(); }
double Run::wall_s() const { return session_->wall_s(); }
std::string Run::failure() const { return world().health().sentence(); }

// ---- Reading --------------------------------------------------------------------------------------------------------

std::vector<std::string> Run::systems() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world().system_count(); ++i) names.push_back(world().system(i).name());
  return names;
}

Result<std::size_t> Run::size(const std::string& system) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  return world().system(*i).elements().size();
}

Result<std::vector<std::uint32_t>> Run::ids(const std::string& system) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  const Elements& elements = world().system(*i).elements();
  if (!elements.id.empty()) return elements.id;
  std::vector<std::uint32_t> rows(elements.size());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<std::uint32_t>(row);
  return rows;
}

Result<std::vector<ArrayInfo>> Run::arrays(const std::string& system) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  const Elements& elements = world().system(*i).elements();
  std::vector<ArrayInfo> found;
  for (const ArrayKind& kind : array_kinds)
    if (const ArrayView view = kind.view(elements); view.rows == elements.size())
      found.push_back({kind.name, kind.unit, view.columns});
  return found;
}

Result<ArrayView> Run::array(const std::string& system, const std::string& name) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  const Elements& elements = world().system(*i).elements();
  std::vector<std::string> known;
  for (const ArrayKind& kind : array_kinds) {
    const ArrayView view = kind.view(elements);
    if (view.rows != elements.size()) continue;
    if (name == kind.name) return view;
    known.emplace_back(kind.name);
  }
  return unknown_name(system, "array", name, known);
}

Result<std::vector<ChannelInfo>> Run::channels(const std::string& system) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  const auto infos = world().system(*i).channels();
  return std::vector<ChannelInfo>(infos.begin(), infos.end());
}

Result<ArrayCopy> Run::channel(const std::string& system, const std::string& name) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  const auto infos = world().system(*i).channels();
  const std::size_t index = index_of(infos, name);
  if (index == infos.size()) return unknown_name(system, "channel", name, names_of(infos));
  ArrayCopy copy;
  world().system(*i).channel(index, copy.values);
  copy.rows = copy.values.size();
  return copy;
}

Result<void> Run::all_channels(const std::string& system, std::vector<Channel>& out) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  out.resize(world().system(*i).channels().size());
  for (std::size_t c = 0; c < out.size(); ++c) out[c].index = c;
  world().system(*i).fill_channels(out);
  return {};
}

Result<std::vector<ChannelInfo>> Run::vectors(const std::string& system) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  const auto infos = world().system(*i).vector_channels();
  return std::vector<ChannelInfo>(infos.begin(), infos.end());
}

Result<ArrayCopy> Run::vector(const std::string& system, const std::string& name) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  const auto infos = world().system(*i).vector_channels();
  const std::size_t index = index_of(infos, name);
  if (index == infos.size()) return unknown_name(system, "vector", name, names_of(infos));
  std::vector<Vec3f> rows;
  world().system(*i).vector_channel(index, rows);
  ArrayCopy copy{{}, rows.size(), 3};
  for (const Vec3f& row : rows) copy.values.insert(copy.values.end(), {row.x(), row.y(), row.z()});
  return copy;
}

Result<Diagnostics> Run::diagnostics(const std::string& system) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  return world().diagnostics(*i);
}

Result<std::vector<Total>> Run::totals(const std::string& system) const {
  const auto i = find_system(world(), system);
  if (!i) return Unexpected(i.error());
  std::vector<Total> totals;
  world().system(*i).totals(totals);
  return totals;
}

std::vector<SignalSnapshot> Run::signals() const { return world().signals(); }

// ---- Snapshots and results ------------------------------------------------------------------------------------------

void Run::subscribe(SnapshotRequest wanted) { world().subscribe(std::move(wanted)); }
void Run::snapshot(Snapshot& out, bool fresh_air) {
  world().write_snapshot(out, fresh_air);
  out.tick = session_->tick();
  out.commands = session_->command_count();
  out.place = {};
  out.place.elapsed_s = session_->simulated_s();
}

std::uint64_t Run::hash() { return world().hash(); }
std::string Run::checkpoint_bytes() { return session_->checkpoint_bytes(); }
Result<void> Run::save(const std::string& path) { return session_->save_checkpoint(path); }
std::string Run::report() const { return session_->report(name_); }
Result<void> Run::save_journal(const std::string& path) { return session_->save_journal(path); }
Journal Run::journal() {
  Journal journal = session_->journal();
  journal.entries.push_back({tick(), JournalEntry::Kind::hash, {}, hash()});
  return journal;
}
std::shared_ptr<const Checkpoint> Run::start() const { return session_->start(); }
Result<void> Run::finish() { return session_->finish(); }

// ---- Warnings -------------------------------------------------------------------------------------------------------

std::vector<std::string> Run::notes() const { return world().notes(); }

std::vector<std::string> Run::take_warnings() {
  std::vector<std::string> taken;
  if (warnings_.is_new_slow(world().slow())) taken.push_back(world().slow());
  std::vector<Total> totals;
  for (std::size_t i = 0; i < world().system_count(); ++i) {
    const System& system = world().system(i);
    // The totals of other systems are too expensive to compute after every step.
    if (system.schema().kind != "particles") continue;
    system.totals(totals);
    for (std::string& warning : warnings_.note(system.name(), totals)) taken.push_back(std::move(warning));
  }
  return taken;
}

}  // namespace vw::api
