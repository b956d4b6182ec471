// Checkpoints: a state file whose header holds the scene, its edits and the build as JSON.
#include "sim/world/json.h"
#include "sim/world/world.h"

namespace vw {
namespace {

Json edits_to_json(const std::vector<SetParameter>& edits) {
  Json list = Json::array();
  for (const auto& edit : edits) list.push_back(to_json(Command(edit)));
  return list;
}

Result<std::vector<SetParameter>> edits_from_json(const Json& header, const char* name) {
  const auto list = json_member(header, name);
  if (!list || !(*list)->is_array()) return fail("\"" + std::string(name) + "\" is missing");
  std::vector<SetParameter> edits;
  for (const Json& line : **list) {
    if (!line.is_string()) return fail("\"" + std::string(name) + "\" holds something that is no command");
    auto command = command_from_json(line.get_ref<const std::string&>());
    if (!command) return Unexpected(command.error());
    if (!std::holds_alternative<SetParameter>(*command)) return fail("\"" + std::string(name) + "\" holds something that is no edit");
    edits.push_back(std::get<SetParameter>(std::move(*command)));
  }
  return edits;
}

Unexpected bad_file(const std::string& path, const Error& error) {
  Error located;
  located.file = path;
  located.what = "is no usable checkpoint: " + error.message();
  return fail(std::move(located));
}

}  // namespace

Result<void> save_checkpoint(World& world, const std::string& scene_text, const std::string& path) {
  const Json header{
      {"build", build_description()}, {"scene", scene_text},   {"edits", edits_to_json(world.edits())}, {"in_force", edits_to_json(world.in_force())},
      {"step", world.step_count()},   {"time_s", world.time()}};
  StateBlock state;
  world.save_state(state);
  return write_state_file(path, dump_json(header), state);
}

Result<Checkpoint> load_checkpoint(const std::string& path) {
  auto file = read_state_file(path);
  if (!file) return Unexpected(file.error());
  const auto header = parse_json(file->header);
  if (!header) return bad_file(path, header.error());
  Checkpoint checkpoint;
  auto scene = json_text(*header, "scene");
  if (!scene) return bad_file(path, scene.error());
  auto build = json_text(*header, "build");
  if (!build) return bad_file(path, build.error());
  auto edits = edits_from_json(*header, "edits");
  if (!edits) return bad_file(path, edits.error());
  auto in_force = edits_from_json(*header, "in_force");
  if (!in_force) return bad_file(path, in_force.error());
  checkpoint.scene_text = std::move(*scene);
  checkpoint.build = std::move(*build);
  checkpoint.edits = std::move(*edits);
  checkpoint.in_force = std::move(*in_force);
  checkpoint.state = std::move(file->block);
  return checkpoint;
}

}  // namespace vw
