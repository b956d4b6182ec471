// Checkpoints are state files whose header contains the scene, its edits and the build as JSON.
#include "sim/world/state/json.h"
#include "sim/world/state/sources.h"
#include "sim/world/world.h"

namespace vw {
namespace {

template <class T>
Json commands_to_json(const std::vector<T>& commands) {
  Json list = Json::array();
  for (const T& command : commands) list.push_back(to_json(Command(command)));
  return list;
}

/// Reads the list `name` of commands of type T. `expected` is the noun for such a command in error messages.
template <class T>
Result<std::vector<T>> commands_from_json(const Json& header, const std::string& name, const std::string& expected) {
  const auto list = json_member(header, name.c_str());
  if (!list || !(*list)->is_array()) return fail("\"" + name + "\" is missing or is not a list");
  std::vector<T> commands;
  for (const Json& line : **list) {
    if (!line.is_string()) return fail("\"" + name + "\" has an entry that is not a command");
    auto command = command_from_json(line.get_ref<const std::string&>());
    if (!command) return Unexpected(command.error());
    if (!std::holds_alternative<T>(*command)) return fail("\"" + name + "\" has an entry that is not a " + expected);
    commands.push_back(std::get<T>(std::move(*command)));
  }
  return commands;
}

Unexpected bad_file(const std::string& path, const Error& error) {
  Error located;
  located.file = path;
  located.what = "is not a valid checkpoint: " + error.message();
  return fail(std::move(located));
}

/// Returns the header of a checkpoint file without the step and the time, which only inform readers of the file.
Json header_json(const Checkpoint& checkpoint) {
  return {{"sources", checkpoint.sources},
          {"build", checkpoint.build},
          {"scene", checkpoint.scene_text},
          {"changes", commands_to_json(checkpoint.changes)},
          {"edits", commands_to_json(checkpoint.edits)},
          {"in_force", commands_to_json(checkpoint.in_force)}};
}

/// Converts the content of a state file to a checkpoint. `path` stands for the file in messages.
Result<Checkpoint> checkpoint_of(StateFile file, const std::string& path) {
  const auto header = parse_json(file.header);
  if (!header) return bad_file(path, header.error());
  Checkpoint checkpoint;
  auto scene = json_text(*header, "scene");
  if (!scene) return bad_file(path, scene.error());
  auto build = json_text(*header, "build");
  if (!build) return bad_file(path, build.error());
  Result<std::vector<ChangeNodes>> changes;
  if (header->contains("changes"))  // checkpoints of earlier versions lack this member
    changes = commands_from_json<ChangeNodes>(*header, "changes", "change of nodes");
  if (!changes) return bad_file(path, changes.error());
  auto edits = commands_from_json<SetParameter>(*header, "edits", "parameter edit");
  if (!edits) return bad_file(path, edits.error());
  auto in_force = commands_from_json<SetParameter>(*header, "in_force", "parameter edit");
  if (!in_force) return bad_file(path, in_force.error());
  // Checkpoints of earlier versions have no hashes and are not compared.
  if (header->contains("sources")) {
    const Json& sources = (*header)["sources"];
    if (!sources.is_object()) return bad_file(path, fail("\"sources\" is not a JSON object").value());
    for (const auto& [key, hash] : sources.items())
      if (hash.is_string()) checkpoint.sources.emplace(key, hash.get<std::string>());
  }
  checkpoint.scene_text = std::move(*scene);
  checkpoint.build = std::move(*build);
  checkpoint.changes = std::move(*changes);
  checkpoint.edits = std::move(*edits);
  checkpoint.in_force = std::move(*in_force);
  checkpoint.state = std::move(file.block);
  return checkpoint;
}

}  // namespace

namespace {

/// Returns the scene with the values in use, without the edits that wait for the next reset.
Node scene_in_force(const World& world) {
  Node scene = world.scene();
  for (const SetParameter& old : world.in_force()) (void)set_parameter(scene, old.path, old.value);
  return scene;
}

/// Returns the header of the checkpoint of a running world.
std::string header_of(World& world, const std::string& scene_text) {
  // If a file was removed after it had been read, it has no hash, and saving nevertheless succeeds. The hashes are
  // those of the scene in force, because the file of an edit that waits for the next reset has not been read yet.
  Json header = header_json({scene_text,
                             build_description(),
                             source_hashes(scene_in_force(world)),
                             world.node_changes(),
                             world.edits(),
                             world.in_force(),
                             {}});
  header["step"] = world.step_count();
  header["time_s"] = world.time();
  return dump_json(header);
}

}  // namespace

Result<void> save_checkpoint(World& world, const std::string& scene_text, const std::string& path) {
  StateBlock state;
  world.save_state(state);
  return write_state_file(path, header_of(world, scene_text), state);
}

std::string checkpoint_bytes(World& world, const std::string& scene_text) {
  StateBlock state;
  world.save_state(state);
  return state_file_bytes(header_of(world, scene_text), state);
}

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
  return state_file_bytes(dump_json(header_json(checkpoint)), checkpoint.state);
}

Result<Checkpoint> load_checkpoint(const std::string& path) {
  auto file = read_state_file(path);
  if (!file) return Unexpected(file.error());
  return checkpoint_of(std::move(*file), path);
}

Result<Checkpoint> checkpoint_from_bytes(std::string_view bytes, const std::string& name) {
  auto file = state_file_from_bytes(bytes, name);
  if (!file) return Unexpected(file.error());
  return checkpoint_of(std::move(*file), name);
}

Result<void> check_sources(const Node& scene, const Checkpoint& checkpoint) {
  return each_source(scene, "", [&](const std::string& key, const std::string& file) -> Result<void> {
    const auto kept = checkpoint.sources.find(key);
    if (kept == checkpoint.sources.end()) return {};
    const auto hash = file_hash(file);
    if (!hash) return Unexpected(hash.error());
    if (*hash == kept->second) return {};
    return wrong_value(0, key, '"' + file + '"',
                       "must be unchanged since the checkpoint was saved; restore the file, or start a new run");
  });
}

}  // namespace vw
