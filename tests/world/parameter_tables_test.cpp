// Checks of all parameter tables: every default obeys its own declaration, labels are unique, and references lead to a
// slot.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sim/world/registry.h"

namespace vw {
namespace {

/// Adds `schema` and all schemas below it to `found`, each once. The entry of a schema contains the names of the
/// multi-node slots of this schema and of all schemas above it. `slots` contains the names from the schemas above
/// `schema`.
void collect(const Schema& schema, std::set<std::string> slots, std::map<const Schema*, std::set<std::string>>& found) {
  for (const Slot& slot : schema.slots)
    if (slot.many) slots.insert(slot.name);
  if (!found.emplace(&schema, slots).second) return;
  for (const Slot& slot : schema.slots)
    for (const Schema* kind : slot.kinds) collect(*kind, slots, found);
}

std::map<const Schema*, std::set<std::string>> all_schemas() {
  std::map<const Schema*, std::set<std::string>> found;
  collect(scene_schema(), {}, found);
  return found;
}

TEST(ParameterTables, EveryDefaultObeysItsDeclaration) {
  const auto schemas = all_schemas();
  ASSERT_GT(schemas.size(), 60U);
  for (const auto& [schema, slots] : schemas)
    for (const ParamSpec& spec : schema->params) {
      const auto checked = check_value(spec, spec.default_value);
      EXPECT_TRUE(checked) << schema->kind << "." << spec.name << ": " << checked.error().message();
      EXPECT_LE(spec.bounds.min, spec.bounds.max) << schema->kind << "." << spec.name;
      EXPECT_TRUE(spec.scale == Scale::linear || spec.bounds.max > 0) << schema->kind << "." << spec.name;
    }
}

TEST(ParameterTables, KeysAndLabelsAreUniqueWithinATable) {
  for (const auto& [schema, slots] : all_schemas()) {
    std::set<std::string> keys, labels;
    for (const ParamSpec& spec : schema->params) {
      EXPECT_TRUE(keys.insert(spec.name).second) << schema->kind << "." << spec.name;
      EXPECT_TRUE(labels.insert(spec.label).second) << schema->kind << "." << spec.name << ": " << spec.label;
      EXPECT_FALSE(spec.label.empty()) << schema->kind << "." << spec.name;
      EXPECT_GT(spec.doc.size(), 5U) << schema->kind << "." << spec.name << " has no description";
    }
  }
}

TEST(ParameterTables, DescriptionsStateTheMeaningOf0AndOfEmptyInTheFormThatTheWindowReads) {
  for (const auto& [schema, slots] : all_schemas())
    for (const ParamSpec& spec : schema->params)
      for (const std::string_view form : {" 0: ", " 0 = ", "mpty: ", "mpty = "})
        EXPECT_EQ(spec.doc.find(form), std::string::npos)
            << schema->kind << "." << spec.name << ": write \"0 means ...\" or \"Empty means ...\"";
}

TEST(ParameterTables, AParameterHasTheSameLabelWhereverItHasTheSameDescription) {
  std::map<std::string, const ParamSpec*> by_doc;
  for (const auto& [schema, slots] : all_schemas())
    for (const ParamSpec& spec : schema->params) {
      const auto [same, is_new] = by_doc.emplace(spec.name + ": " + spec.doc, &spec);
      if (is_new) continue;
      EXPECT_EQ(same->second->label, spec.label) << schema->kind << "." << spec.name;
    }
}

TEST(ParameterTables, ReferencesAreTextsThatNameNodesOfASlot) {
  std::size_t references = 0;
  for (const auto& [schema, slots] : all_schemas())
    for (const ParamSpec& spec : schema->params) {
      if (spec.refers_to.empty()) continue;
      ++references;
      EXPECT_TRUE(spec.type == ParamType::text || spec.type == ParamType::text_list)
          << schema->kind << "." << spec.name;
      // Actuators name parameters by their paths.
      EXPECT_TRUE(slots.contains(spec.refers_to) || spec.refers_to == "parameter")
          << schema->kind << "." << spec.name << " names " << spec.refers_to;
    }
  EXPECT_GT(references, 40U);
}

}  // namespace
}  // namespace vw
