#include "tests/random/random_scene.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "sim/base/random.h"
#include "sim/world/registry.h"

namespace vw::test {
namespace {

/// A sequence of random draws from one seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : key_{seed, stream_id("random scene")} {}
  double uniform() { return random_uniform(key_, ++draw_); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal() { return random_normal(key_, ++draw_); }
  bool chance(double p) { return uniform() < p; }
  std::size_t below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(uniform() * static_cast<double>(n)));
  }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  RandomKey key_;
  std::uint64_t draw_ = 0;
};

class Maker {
 public:
  Maker(std::uint64_t seed, const SceneFiles& files) : dice_(seed), files_(files), scene_(make_node(scene_schema())) {}

  Node make() {
    bold_ = dice_.one_of(std::vector<double>{0, 0, 0.05, 0.2});
    touched_ = dice_.one_of(std::vector<double>{0.05, 0.2, 0.5});
    for (const char* slot : {"material", "field", "collider", "system"}) add_children(scene_, slot, 3);
    if (dice_.chance(0.7)) add_default_interactions(scene_);
    if (dice_.chance(0.5)) add_rules();
    fill_all(scene_, nullptr);
    tame_world();
    return std::move(scene_);
  }

 private:
  /// Adds up to `most` children to a slot, each of a random kind, and recursively their children.
  void add_children(Node& parent, const std::string& slot_name, std::size_t most) {
    const auto slot = std::find_if(parent.schema->slots.begin(), parent.schema->slots.end(),
                                   [&](const Slot& s) { return s.name == slot_name; });
    if (!slot->many) return;
    const std::size_t count = slot_name == "species" ? 1 + dice_.below(most) : dice_.below(most + 1);
    for (std::size_t i = 0; i < count; ++i) {
      const Schema* kind = dice_.one_of(slot->kinds);
      Node& child = add_child(parent, slot_name, kind->kind, slot_name.substr(0, 3) + std::to_string(i));
      for (const Slot& inner : kind->slots) add_children(child, inner.name, 3);
    }
  }

  void add_rules() {
    for (const InteractionKind& kind : default_registry().interactions) {
      if (scene_.find("interaction", kind.schema->kind) != nullptr || !dice_.chance(0.3)) continue;
      const auto has = [&](std::string_view wanted) {
        const auto systems = scene_.all("system");
        return std::any_of(systems.begin(), systems.end(), [&](const Node* s) { return s->schema->kind == wanted; });
      };
      if (has(kind.kind_a) && has(kind.kind_b)) add_child(scene_, "interaction", kind.schema->kind, kind.schema->kind);
    }
  }

  void fill_all(Node& node, const Node* parent) {
    for (std::size_t i = 0; i < node.values.size(); ++i) {
      const ParamSpec& spec = node.schema->params[i];
      if (node.schema->kind == "scene" || node.schema->kind == "view") continue;
      Value value = node.values[i];
      if (spec.type == ParamType::text || spec.type == ParamType::text_list)
        value = reference(node, parent, spec);
      else if (spec.name == "position" || spec.name == "anchor")
        value = Value(Vec3(0.2 * dice_.normal(), 0.2 + 0.2 * dice_.normal(), 0.2 * dice_.normal()));
      else if (node.schema->kind == "voxel_body" && spec.name == "size")
        value = Value(Vec3(1.0 + static_cast<double>(dice_.below(5)), 1.0 + static_cast<double>(dice_.below(5)),
                           1.0 + static_cast<double>(dice_.below(5))));
      else if (dice_.chance(touched_))
        value = any(spec);
      if (const auto good = check_value(spec, value)) node.values[i] = *good;
    }
    double key_time = 0;
    for (Node& child : node.children) {
      fill_all(child, &node);
      if (child.schema->kind == "key") child.set("time", key_time += dice_.uniform(0.05, 0.5));
    }
  }

  // ---- Values ----
  /// Returns a random value of a parameter, usually near `usual`. With the probability `bold_`, the value is a bound, 0
  /// or any value within the bounds.
  double number(const ParamSpec& spec, double usual) {
    const double low = spec.bounds.min, high = spec.bounds.max;
    if (dice_.chance(bold_)) {
      const double pick = dice_.uniform();
      if (pick < 0.2) return low;
      if (pick < 0.3) return high;
      if (pick < 0.5) return std::clamp(0.0, low, high);
      if (low > 0) return low * std::pow(high / low, dice_.uniform());
      return std::clamp((dice_.chance(low < 0 ? 0.5 : 0) ? -1 : 1) * std::pow(10.0, dice_.uniform(-6, 6)), low, high);
    }
    const double scale = usual != 0 ? std::abs(usual) : std::min(1.0, std::max(std::abs(low), std::abs(high)));
    double x = usual != 0 ? usual * std::pow(10.0, 0.3 * dice_.normal()) : scale * 0.5 * dice_.normal();
    if (usual == 0 && low >= 0) x = std::abs(x);
    return std::clamp(x, low, high);
  }

  Value any(const ParamSpec& spec) {
    switch (spec.type) {
      case ParamType::boolean: return Value(dice_.chance(0.5));
      case ParamType::integer: {
        const double x = number(spec, static_cast<double>(std::get<std::int64_t>(spec.default_value)));
        return Value(
            static_cast<std::int64_t>(std::llround(std::clamp(x, spec.bounds.min, std::min(spec.bounds.max, 1e6)))));
      }
      case ParamType::real: return Value(number(spec, std::get<double>(spec.default_value)));
      case ParamType::vec3:
      case ParamType::color: {
        const auto& usual = std::get<Vec3>(spec.default_value);
        const double x = number(spec, usual.x()), y = number(spec, usual.y()), z = number(spec, usual.z());
        return Value(Vec3(x, y, z));
      }
      case ParamType::choice: return Value(dice_.one_of(spec.choices));
      case ParamType::number_list: {
        NumberList list;
        const std::size_t count = dice_.chance(0.7) ? 0 : dice_.below(7);
        for (std::size_t i = 0; i < count; ++i) list.push_back(number(spec, 0));
        return Value(std::move(list));
      }
      default: return spec.default_value;
    }
  }

  // ---- Names ----
  std::string name_in(const Node* node, const char* slot) {
    if (node == nullptr) return "";
    const auto all = node->all(slot);
    return all.empty() || dice_.chance(0.1) ? "" : all[dice_.below(all.size())]->name;
  }
  static bool has_slot(const Node* node, const std::string& slot) {
    return node != nullptr && std::any_of(node->schema->slots.begin(), node->schema->slots.end(),
                                          [&](const Slot& s) { return s.name == slot; });
  }

  Value reference(const Node& node, const Node* parent, const ParamSpec& spec) {
    const std::string& key = spec.name;
    if (key == "source") {
      if (node.schema->kind == "voxel_body") return Value(dice_.chance(0.1) ? files_.mesh : std::string());
      if (node.schema->kind == "playback") return Value(dice_.chance(0.2) ? files_.empty_recording : files_.recording);
      return Value(node.schema->kind == "heightfield" ? files_.heights : files_.mesh);
    }
    if (key == "material") return Value(name_in(&scene_, "material"));
    if (key == "palette") return Value(TextList{});
    if (key == "hunts") return Value(dice_.chance(0.3) ? TextList{name_in(parent, "species")} : TextList{});
    if (key == "carried_by") return Value(dice_.chance(0.2) ? name_in(&scene_, "system") : std::string());
    if (key == "freedoms") return Value(dice_.chance(0.5) ? TextList{} : TextList{"x", "ry"});
    if ((key == "a" || key == "b") && has_slot(parent, "joint"))
      return Value(key == "b" && dice_.chance(0.4) ? "" : name_in(parent, "body"));
    if (key == "body" && has_slot(parent, "goal"))
      return Value(dice_.chance(0.5) ? name_in(&scene_, "collider") : name_in(&scene_, "system"));
    if ((key == "species" || key == "phase") && has_slot(parent, key)) return Value(name_in(parent, key.c_str()));
    return spec.default_value;
  }

  /// Sets world parameters that limit the cost of a trial. A trial simulates 0.2 s in at most 24 steps. The step budget
  /// rejects steps that would take more than about a tenth of a second.
  void tame_world() {
    const auto put = [&](const char* path, const Value& value) { (void)set_parameter(scene_, path, value); };
    put("world.dt", Value(dice_.one_of(std::vector<double>{1.0 / 120, 1.0 / 120, 1.0 / 60, 1.0 / 240, 0.05})));
    put("world.speed", Value(1.0));
    put("world.max_substeps", Value(std::int64_t{2000}));
    put("world.energy_limit", Value(1e6));
    put("world.step_budget", Value(2e6));
    for (Node& child : scene_.children) {
      const auto cap = [&](const char* key, std::int64_t most) {
        for (std::size_t i = 0; i < child.values.size(); ++i)
          if (child.schema->params[i].name == key && std::holds_alternative<std::int64_t>(child.values[i]))
            child.values[i] = Value(std::min(std::get<std::int64_t>(child.values[i]), most));
      };
      cap("capacity", 1500);
    }
  }

  Dice dice_;
  const SceneFiles& files_;
  Node scene_;
  double bold_ = 0, touched_ = 0.2;
};

}  // namespace

SceneFiles write_scene_files(const std::string& folder) {
  const SceneFiles files{folder + "/wedge.obj", folder + "/heights.txt", folder + "/two.history",
                         folder + "/none.history"};
  std::ofstream(files.mesh) << "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(files.heights) << "0 0.02 0 0.01\n0.01 0.05 0.02 0\n0 0.03 0.06 0.01\n0 0 0.01 0.02\n";
  const std::string voxels = "0,0,0,0,0,0,0,-5,-5,-5,5,5,5,1,0.0,;10,0,0,90,0,0,0.3,-5,-5,-5,5,5,5,1,0.0,;";
  const std::string head = "{{{setting}}}<rescale>0.001</rescale>\n{{{setting}}}<voxel_size>0.01</voxel_size>\n";
  std::ofstream(files.recording) << head << "<<<Step0 Time:0>>>" << voxels << "<<<>>>\n<<<Step1 Time:0.1>>>" << voxels
                                 << "<<<>>>\n";
  std::ofstream(files.empty_recording) << head << "<<<Step0 Time:0>>><<<>>>\n<<<Step1 Time:0.1>>><<<>>>\n";
  return files;
}

Node random_scene(std::uint64_t seed, const SceneFiles& files) { return Maker(seed, files).make(); }

}  // namespace vw::test
