// Conversion of commands to and from lines of JSON. Numbers are written in the shortest form that parses back to the
// same bits.
#include "sim/world/state/command.h"

#include "sim/world/state/json.h"

namespace vw {
namespace {

Json json_of(const Value& value) {
  struct Writer {
    Json operator()(bool x) const { return x; }
    Json operator()(std::int64_t x) const { return x; }
    Json operator()(double x) const { return x; }
    Json operator()(const Vec3& x) const { return vw::json_of(x); }
    Json operator()(const std::string& x) const { return x; }
    // A plain array of three numbers denotes a Vec3. Lists are therefore wrapped in an object that names their type.
    Json operator()(const NumberList& x) const { return Json{{"numbers", x}}; }
    Json operator()(const TextList& x) const { return Json{{"texts", x}}; }
  };
  return std::visit(Writer{}, value);
}

Result<Value> list_from_json(const Json& object) {
  const auto numbers = object.find("numbers");
  if (numbers != object.end() && numbers->is_array()) {
    NumberList list;
    for (const Json& x : *numbers) {
      if (!x.is_number()) return fail("\"numbers\" has an entry that is not a number");
      list.push_back(x.get<double>());
    }
    return Value(std::move(list));
  }
  const auto texts = object.find("texts");
  if (texts == object.end() || !texts->is_array()) return fail("\"value\" is not a valid parameter value");
  TextList list;
  for (const Json& x : *texts) {
    if (!x.is_string()) return fail("\"texts\" has an entry that is not a string");
    list.push_back(x.get<std::string>());
  }
  return Value(std::move(list));
}

Result<Value> value_from_json(const Json& holder) {
  const auto member = json_member(holder, "value");
  if (!member) return Unexpected(member.error());
  const Json& json = **member;
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_string()) return Value(json.get<std::string>());
  if (json.is_number_float()) return Value(json.get<double>());
  if (json.is_number()) {
    const auto whole = json_integer(holder, "value");
    if (!whole) return Unexpected(whole.error());
    return Value(*whole);
  }
  if (json.is_object()) return list_from_json(json);
  const auto vector = json_vec3(holder, "value");
  if (!vector) return Unexpected(vector.error());
  return Value(*vector);
}

Json body_of(const SetParameter& c) { return {{"set", {{"path", c.path}, {"value", json_of(c.value)}}}}; }
Json body_of(const Grab& c) {
  return {{"grab",
           {{"system", c.system},
            {"element", c.element},
            {"target", vw::json_of(c.target)},
            {"stiffness", c.stiffness_npm}}}};
}
Json body_of(const MoveGrab& c) { return {{"move", {{"target", vw::json_of(c.target)}}}}; }
Json body_of(const Release&) { return {{"release", Json::object()}}; }
Json body_of(const Push& c) {
  return {
      {"push",
       {{"system", c.system}, {"element", c.element}, {"impulse", vw::json_of(c.impulse)}, {"radius", c.radius_m}}}};
}
Json body_of(const Settle& c) { return {{"settle", {{"system", c.system}}}}; }
Json body_of(const Remove& c) {
  return {{"remove",
           {{"system", c.system}, {"element", c.element}, {"place", vw::json_of(c.place)}, {"radius", c.radius_m}}}};
}
Json body_of(const Spawn& c) {
  return {
      {"spawn", {{"system", c.system}, {"species", c.species}, {"place", vw::json_of(c.place)}, {"count", c.count}}}};
}
Json body_of(const SetPose& c) {
  return {{"set_pose",
           {{"system", c.system},
            {"element", c.element},
            {"position", vw::json_of(c.position)},
            {"rotation", vw::json_of(c.rotation)}}}};
}
Json body_of(const Reset&) { return {{"reset", Json::object()}}; }

Json json_of(const SetParameter& c) { return {{"path", c.path}, {"value", json_of(c.value)}}; }
Json json_of(const NodeData& node) {
  Json json{{"slot", node.slot}, {"name", node.name}};
  if (!node.kind.empty()) json["kind"] = node.kind;
  if (!node.values.empty()) {
    Json& values = json["values"] = Json::array();
    for (const auto& [key, value] : node.values) values.push_back({{"key", key}, {"value", json_of(value)}});
  }
  if (!node.children.empty()) {
    Json& children = json["children"] = Json::array();
    for (const NodeData& child : node.children) children.push_back(json_of(child));
  }
  return json;
}
const char* word_of(NodeChange::Kind kind) {
  return kind == NodeChange::Kind::add ? "add" : (kind == NodeChange::Kind::remove ? "remove" : "rename");
}
Json body_of(const ChangeNodes& c) {
  Json changes = Json::array(), values = Json::array();
  for (const ChangeNodes::Change& change : c.changes) {
    Json json{{"what", word_of(change.kind)}, {"parent", change.parent}, {"node", json_of(change.node)}};
    if (change.at) json["at"] = *change.at;
    if (change.kind == NodeChange::Kind::rename) json["new_name"] = change.new_name;
    changes.push_back(std::move(json));
  }
  for (const SetParameter& value : c.values) values.push_back(json_of(value));
  Json body{{"nodes", std::move(changes)}, {"values", std::move(values)}};
  if (c.resets) body["resets"] = true;
  return {{"change", std::move(body)}};
}

/// Reads members of a JSON object and keeps the first error, so that callers need not check after every member.
struct Fields {
  const Json& body;
  Error error;
  bool good = true;

  template <class T>
  T take(Result<T> value) {
    if (value) return std::move(*value);
    if (good) error = value.error();
    good = false;
    return T{};
  }
  std::string text(const char* name) { return take(json_text(body, name)); }
  std::int64_t integer(const char* name) { return take(json_integer(body, name)); }
  double number(const char* name) { return take(json_number(body, name)); }
  Vec3 vec3(const char* name) {
    auto v = json_vec3(body, name);
    if (v) return *v;
    return take<Vec3>(std::move(v)), Vec3::Zero();
  }
};

/// Returns the entries of the list `name` of an object, or an empty list if the object has no such member.
Result<std::vector<const Json*>> optional_list(const Json& object, const char* name) {
  std::vector<const Json*> entries;
  if (!object.is_object()) return fail(std::string("the holder of \"") + name + "\" is not an object");
  const auto list = object.find(name);
  if (list == object.end()) return entries;
  if (!list->is_array()) return fail(std::string("\"") + name + "\" is not a list");
  for (const Json& entry : *list) entries.push_back(&entry);
  return entries;
}

NodeData read_node(Fields& in, const Json& json) {
  Fields of{json, {}, true};
  NodeData node{of.text("slot"), {}, of.text("name"), {}, {}};
  if (of.good && json.contains("kind")) node.kind = of.text("kind");
  for (const Json* entry : of.take(optional_list(json, "values"))) {
    Fields pair{*entry, {}, true};
    node.values.emplace_back(pair.text("key"), pair.take(value_from_json(*entry)));
    if (!pair.good) of.take<bool>(Unexpected(pair.error));
  }
  for (const Json* entry : of.take(optional_list(json, "children"))) node.children.push_back(read_node(of, *entry));
  if (!of.good) in.take<bool>(Unexpected(of.error));
  return node;
}

ChangeNodes::Change read_change(Fields& in, const Json& json) {
  Fields of{json, {}, true};
  const std::string what = of.text("what");
  ChangeNodes::Change change;
  change.parent = of.text("parent");
  if (what == "rename") {
    change.kind = NodeChange::Kind::rename;
    change.new_name = of.text("new_name");
  } else if (what == "remove") {
    change.kind = NodeChange::Kind::remove;
  } else if (what != "add") {
    of.take<bool>(fail("\"what\" is \"" + what.substr(0, 40) + "\": expected add, remove or rename"));
  }
  const auto node = of.take(json_member(json, "node"));
  if (of.good) change.node = read_node(of, *node);
  if (of.good && json.contains("at")) change.at = of.take(json_count(json, "at"));
  if (!of.good) in.take<bool>(Unexpected(of.error));
  return change;
}

ChangeNodes read_changes(Fields& in) {
  ChangeNodes command;
  for (const Json* entry : in.take(optional_list(in.body, "nodes"))) command.changes.push_back(read_change(in, *entry));
  for (const Json* entry : in.take(optional_list(in.body, "values"))) {
    Fields value{*entry, {}, true};
    command.values.push_back({value.text("path"), value.take(value_from_json(*entry))});
    if (!value.good) in.take<bool>(Unexpected(value.error));
  }
  if (in.good && in.body.contains("resets")) command.resets = in.take(json_bool(in.body, "resets"));
  return command;
}

Result<Command> read_body(const std::string& kind, const Json& body) {
  Fields in{body, {}, true};
  Command command = Release{};
  if (kind == "set")
    command = SetParameter{in.text("path"), in.take(value_from_json(body))};
  else if (kind == "grab")
    command = Grab{in.text("system"), in.integer("element"), in.vec3("target"), in.number("stiffness")};
  else if (kind == "move")
    command = MoveGrab{in.vec3("target")};
  else if (kind == "push")
    command = Push{in.text("system"), in.integer("element"), in.vec3("impulse"), in.number("radius")};
  else if (kind == "settle")
    command = Settle{in.text("system")};
  else if (kind == "remove")
    command = Remove{in.text("system"), in.integer("element"), in.vec3("place"), in.number("radius")};
  else if (kind == "spawn")
    command = Spawn{in.text("system"), in.text("species"), in.vec3("place"), in.integer("count")};
  else if (kind == "set_pose")
    command = SetPose{in.text("system"), in.integer("element"), in.vec3("position"), in.vec3("rotation")};
  else if (kind == "reset")
    command = Reset{};
  else if (kind == "change")
    command = read_changes(in);
  else if (kind != "release")
    return fail(
        "\"" + kind.substr(0, 40) +
        "\" is not a command: expected set, grab, move, release, push, settle, remove, spawn, set_pose, reset or "
        "change");
  if (!in.good) return fail(kind + ": " + in.error.message());
  return command;
}

}  // namespace

bool restarts_world(const Command& command) {
  const auto* change = std::get_if<ChangeNodes>(&command);
  return std::holds_alternative<Reset>(command) || (change != nullptr && change->resets);
}

std::string to_json(const Command& command) {
  return dump_json(std::visit([](const auto& c) { return body_of(c); }, command));
}

Result<Command> command_of(const Json& json) {
  if (!json.is_object() || json.size() != 1)
    return fail("expected a JSON object with one member, for example {\"reset\":{}}");
  const auto member = json.cbegin();
  return read_body(member.key(), member.value());
}

Result<Command> command_from_json(std::string_view text) {
  const auto json = parse_json(text);
  if (!json) return Unexpected(json.error());
  return command_of(*json);
}

}  // namespace vw
