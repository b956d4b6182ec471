// Parameters and scene trees. Each parameter is declared once, and every method of setting it applies the same checks.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/data/node.h"

namespace vw {
namespace {

enum class Mode { slow, fast };
struct Pump {
  double pressure_pa = 0;
  std::int64_t blades = 3;
  bool on = false;
  Vec3 axis = Vec3::Zero();
  Mode mode = Mode::fast;
  std::string label;
  NumberList curve;
};

const ParamTable<Pump>& pump_params() {
  static const ParamTable<Pump> table{
      Param<Pump>{.member = &Pump::pressure_pa,
                  .key = "pressure",
                  .unit = Unit::pascal,
                  .range = {0, 1e7},
                  .scale = Scale::log,
                  .live = Live::yes,
                  .doc = "Pressure over the ambient."},
      Param<Pump>{.member = &Pump::blades,
                  .key = "blades",
                  .unit = Unit::count,
                  .range = {1, 64},
                  .doc = "Blades of the wheel."},
      Param<Pump>{.member = &Pump::on, .key = "on", .live = Live::yes, .doc = "Whether it runs."},
      Param<Pump>{
          .member = &Pump::axis, .key = "axis", .range = {-1, 1}, .live = Live::yes, .doc = "Axis of the wheel."},
      Param<Pump>{.member = &Pump::mode,
                  .key = "mode",
                  .live = Live::yes,
                  .choices = {"slow", "fast"},
                  .doc = "How it starts."},
      Param<Pump>{.member = &Pump::label, .key = "label", .doc = "Shown name."},
      Param<Pump>{.member = &Pump::curve, .key = "curve", .range = {0, 1}, .doc = "Flow over speed."},
  };
  return table;
}
const Schema& pump_schema() {
  static const Schema schema{"pump", "A pump.", pump_params().specs(), {}};
  return schema;
}
const Schema& plant_schema() {
  static const Schema schema{"plant",
                             "Pumps.",
                             {},
                             {{.name = "pump", .kinds = {&pump_schema()}, .doc = "Pumps."},
                              {.name = "spare", .many = false, .kinds = {&pump_schema()}, .doc = "One more."}}};
  return schema;
}

TEST(ParamTable, ReadsBackWhatItWrote) {
  Pump pump{2e5, 7, false, Vec3(1, 0, 0), Mode::slow, "aux", {0.5, 0.25}};
  const Pump copy = pump_params().read(pump_params().write(pump));
  EXPECT_EQ(copy.pressure_pa, 2e5);
  EXPECT_EQ(copy.blades, 7);
  EXPECT_FALSE(copy.on);
  EXPECT_EQ(copy.axis, Vec3(1, 0, 0));
  EXPECT_EQ(copy.mode, Mode::slow);
  EXPECT_EQ(copy.label, "aux");
  EXPECT_THAT(copy.curve, testing::ElementsAre(0.5, 0.25));
  EXPECT_EQ(pump_params().defaults().mode, Mode::fast);
}

struct BadValue {
  const char* param;
  Value value;
  const char* sentence;
};

TEST(CheckValue, SaysWhatWasFoundAndWhatIsExpected) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const BadValue cases[] = {
      {"pressure", Value(-1.0), "pressure = -1.0 Pa: must lie in [0, 1e+07] Pa"},
      {"pressure", Value(not_a_number), "pressure = nan Pa: must be finite"},
      {"pressure", Value(true), "pressure = true: must be a number"},
      {"pressure", Value(std::string("high")), "pressure = \"high\": must be a number"},
      {"blades", Value(2.5), "blades = 2.5: must be a whole number"},
      {"blades", Value(std::int64_t{65}), "blades = 65: must lie in [1, 64]"},
      {"axis", Value(Vec3(0, 2, 0)), "axis = [0.0, 2.0, 0.0]: must lie in [-1, 1]"},
      {"axis", Value(NumberList{1, 2}), "axis = [1.0, 2.0]: must be three numbers [x, y, z]"},
      {"mode", Value(std::string("fasd")), "mode = \"fasd\": must be one of slow, fast (did you mean \"fast\"?)"},
      {"curve", Value(NumberList{0.5, 2}), "curve = 2.0: must lie in [0, 1]"},
      {"curve", Value(3.0), "curve = 3.0: must lie in [0, 1]"},
      {"curve", Value(std::string("x")), "curve = \"x\": must be a list of numbers"},
      {"label", Value(1.0), "label = 1.0: must be a string in quotes"},
      {"on", Value(std::int64_t{1}), "on = 1: must be true or false"},
  };
  for (const auto& bad : cases) {
    Node node = make_node(pump_schema());
    const auto result = set_parameter(node, bad.param, bad.value);
    ASSERT_FALSE(result) << bad.param;
    EXPECT_EQ(result.error().message(), bad.sentence);
    EXPECT_EQ(result.error().key, bad.param);
    EXPECT_TRUE(same_node(node, make_node(pump_schema()))) << "a refused value must change nothing";
  }
}

TEST(CheckValue, TakesAWholeNumberWhereARealIsAsked) {
  Node node = make_node(pump_schema());
  ASSERT_TRUE(set_parameter(node, "pressure", Value(std::int64_t{5})));
  EXPECT_EQ(std::get<double>(node.value("pressure")), 5.0);
  ASSERT_TRUE(set_parameter(node, "axis", Value(NumberList{1, 0, 0})));
  EXPECT_EQ(std::get<Vec3>(node.value("axis")), Vec3(1, 0, 0));
}

TEST(CheckValue, TakesANumberForAListWithOneValue) {
  Node node = make_node(pump_schema());
  ASSERT_TRUE(set_parameter(node, "curve", Value(0.5)));
  EXPECT_EQ(std::get<NumberList>(node.value("curve")), NumberList{0.5});
  ASSERT_TRUE(set_parameter(node, "curve", Value(std::int64_t{1})));
  EXPECT_EQ(std::get<NumberList>(node.value("curve")), NumberList{1});
  EXPECT_FALSE(set_parameter(node, "curve", Value(2.0)));
}

TEST(ParseValue, ReadsEveryTypeAsTypedOnACommandLine) {
  Node plant = make_node(plant_schema());
  add_child(plant, "pump", "pump", "left");
  const auto value_of = [&](const char* text) { return to_text(parse_assignment(plant, text)->value); };
  EXPECT_EQ(value_of("pump.left.pressure=2.5e5"), "250000.0");
  EXPECT_EQ(value_of("pump.left.pressure = 7"), "7.0");
  EXPECT_EQ(value_of("spare.on=off"), "false");
  EXPECT_EQ(value_of("spare.axis=[1, 0,0]"), "[1.0, 0.0, 0.0]");
  EXPECT_EQ(value_of("spare.axis=0,1,0"), "[0.0, 1.0, 0.0]");
  EXPECT_EQ(value_of("spare.axis.y=0.5"), "[0.0, 0.5, 0.0]");
  ASSERT_TRUE(set_parameter(plant, "spare.axis", Vec3(1, 0, 0)));
  EXPECT_EQ(value_of("spare.axis.z=-1"), "[1.0, 0.0, -1.0]");
  EXPECT_EQ(parse_assignment(plant, "spare.axis.y=0.5")->path, "spare.axis");
  EXPECT_EQ(value_of("spare.mode=slow"), "\"slow\"");
  EXPECT_EQ(value_of("spare.label=\"a b\""), "\"a b\"");
  EXPECT_EQ(value_of("spare.curve=[]"), "[]");
}

TEST(ParseValue, EntriesOfAListInQuotesMayContainCommas) {
  const ParamSpec spec{.name = "let", .type = ParamType::text_list, .default_value = Value(TextList{})};
  const auto list_of = [&](const char* text) { return std::get<TextList>(*parse_value(spec, text)); };
  EXPECT_EQ(list_of("[\"a = max(b, c)\", 'd = \"e, f\"', g]"), (TextList{"a = max(b, c)", "d = \"e, f\"", "g"}));
  EXPECT_EQ(list_of("a, b,c"), (TextList{"a", "b", "c"}));
  EXPECT_EQ(list_of("\"a, b"), (TextList{"\"a", "b"})) << "a quote that is not closed is an ordinary character";
}

TEST(NodeDeathTest, CodeThatNamesAnUndeclaredPartEndsTheProgram) {
  Node plant = make_node(plant_schema());
  Node& pump = add_child(plant, "pump", "pump", "left");
  EXPECT_DEATH(pump.set("presure", Value(1.0)), "pump declares no parameter presure");
  EXPECT_DEATH(add_child(plant, "fan", "fan"), "plant declares no slot fan");
  EXPECT_DEATH(add_child(plant, "pump", "fan"), "plant declares no kind fan");
}

TEST(ParseValue, NamesTheUnknownPartAndTheNearestKnownOne) {
  Node plant = make_node(plant_schema());
  add_child(plant, "pump", "pump", "left");
  const auto message = [&](const char* text) { return parse_assignment(plant, text).error().message(); };
  EXPECT_EQ(message("pump.lefd.pressure=1"),
            "pump.lefd.pressure: unknown pump \"lefd\" in this scene (did you mean \"left\"?)");
  EXPECT_EQ(message("pump.left.presure=1"),
            "pump.left.presure: unknown parameter \"presure\" of pump (did you mean \"pressure\"?)");
  EXPECT_EQ(message("pumps.left.pressure=1"),
            "pumps.left.pressure: unknown parameter \"pumps\" of plant (did you mean \"pump\"?)");
  EXPECT_EQ(message("pressure"), "\"pressure\" is not of the form path=value");
  EXPECT_EQ(message("spare.pressure=1x"), "spare.pressure = \"1x\": must be a number");
  EXPECT_EQ(message("spare.pressure=1e999"), "spare.pressure = \"1e999\": must be a number");
}

TEST(Node, EveryParameterIsFoundUnderItsOwnPath) {
  Node plant = make_node(plant_schema());
  add_child(plant, "pump", "pump", "left");
  add_child(plant, "pump", "pump", "right");
  const auto all = all_parameters(plant);
  EXPECT_EQ(all.size(), 3 * pump_schema().params.size());
  for (const auto& ref : all) {
    const auto found = find_parameter(plant, ref.path);
    ASSERT_TRUE(found) << ref.path;
    EXPECT_EQ(found->node, ref.node);
    EXPECT_EQ(found->index, ref.index);
  }
}

TEST(Value, TextOfARealReadsBackToTheSameBits) {
  const ParamSpec spec{.name = "x", .default_value = Value(0.0)};
  for (const double x : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 123456789.0, 1e22}) {
    const auto back = parse_value(spec, to_text(Value(x)));
    ASSERT_TRUE(back) << to_text(Value(x));
    EXPECT_TRUE(same_value(*back, Value(x))) << to_text(Value(x));
  }
}

TEST(Error, IsOneSentenceWithoutLineBreaksWhateverTheUserWrote) {
  const Error error{"pool.toml", 14, "fluid.radius", "-2 m\n\x01", "must lie in (0, 10] m", "", ""};
  EXPECT_EQ(error.message(), "pool.toml:14: fluid.radius = -2 m  : must lie in (0, 10] m");
  const Error lengthy{"f", 1, std::string(100000, 'a'), "", "x", "", ""};
  EXPECT_LT(lengthy.message().size(), 400U);
  EXPECT_EQ(wrong_file("a.ply", 3, "the type \"\x1b[2J\nint\"").value().message(), "a.ply:3: the type \" [2J int\"");
}

TEST(NearestWord, IsEmptyWhenNothingIsNear) {
  const std::vector<std::string> words{"pressure", "blades"};
  EXPECT_EQ(nearest_word("presure", words), "pressure");
  EXPECT_EQ(nearest_word("zzz", words), "");
  EXPECT_EQ(nearest_word("", words), "");
}

}  // namespace
}  // namespace vw
