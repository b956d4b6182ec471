#include <xxhash.h>

#include <set>
#include <string>

#include "sim/scene/scene.h"
#include "sim/world/state/command.h"
#include "sim/world/state/journal.h"
#include "sim/world/world.h"
#include "tests/fuzz/targets.h"
#include "tests/support/scratch.h"

namespace vw::fuzz {
namespace {

/// Collects the schemas of all kinds of nodes that a scene may contain, each once.
void collect(const Schema& schema, std::set<const Schema*>& found) {
  if (!found.insert(&schema).second) return;
  for (const Slot& slot : schema.slots)
    for (const Schema* kind : slot.kinds) collect(*kind, found);
}

std::string with_right_checksum(std::string_view bytes) {
  std::string out(bytes.substr(0, bytes.size() < sizeof(std::uint64_t) ? 0 : bytes.size() - sizeof(std::uint64_t)));
  const std::uint64_t sum = XXH3_64bits(out.data(), out.size());
  for (unsigned shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>((sum >> shift) & 0xffU));
  return out;
}

}  // namespace

void command(std::string_view bytes) {
  const auto read = command_from_json(bytes);
  if (!read) return;
  const std::string text = to_json(*read);
  const auto again = command_from_json(text);
  promise(again && to_json(*again) == text, "a command that was read reads back from what is written");
}

void journal(std::string_view bytes) {
  const auto read = journal_from_text(bytes, "fuzz.journal");
  if (!read) promise(!read.error().message().empty(), "a refused journal has a message");
}

void set_value(std::string_view bytes) {
  static const std::set<const Schema*> kinds = [] {
    std::set<const Schema*> found;
    collect(scene_schema(), found);
    return found;
  }();
  for (const Schema* kind : kinds)
    for (const ParamSpec& spec : kind->params) {
      const auto value = parse_value(spec, bytes);
      if (value)
        promise(check_value(spec, *value).has_value(), "a value that was read is one that the parameter takes");
    }
}

void checkpoint(std::string_view bytes) {
  static const test::Scratch scratch;
  const auto saved = load_checkpoint(scratch.write("fuzz.state", with_right_checksum(bytes)));
  if (!saved) return;
  auto scene = read_scene_toml(saved->scene_text, "fuzz.state");
  if (!scene || saved->scene_text.size() > 4096) return;
  if (const auto resumed = resume_world(std::move(scene->root), *saved); !resumed)
    promise(!resumed.error().message().empty(), "a refused state has a message");
}

}  // namespace vw::fuzz
