// Helpers of the scene tests: functions that read scenes from text, their error messages, and a small VoxCAD design.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "sim/scene/scene.h"
#include "sim/world/registry.h"
#include "tests/support/scratch.h"

namespace vw::scene_test {

using test::Scratch;

/// A wrong text and its error message.
struct Mistake {
  const char* text;
  const char* sentence;
};

/// Returns the error message of reading this text as `pool.toml`, or "accepted".
inline std::string toml_error(const std::string& text) {
  const auto scene = read_scene_toml(text, "pool.toml");
  return scene ? "accepted" : scene.error().message();
}

inline std::string vxa_error(const std::string& text, const LoadOptions& options = {}) {
  const auto scene = read_vxa(text, "creature.vxa", options);
  return scene ? "accepted" : scene.error().message();
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the sample no longer holds " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline const Node& body_of(const Node& scene) { return *scene.all("system").front(); }

template <class T>
const T& value_of(const Node& node, const char* param) {
  return std::get<T>(node.value(param));
}

/// Returns the number of filled cells, counted from the characters of the layers, independently of the lattice's
/// decoder.
inline std::size_t filled_cells(const Node& body) {
  std::size_t count = 0;
  for (const auto& layer : value_of<TextList>(body, "layers"))
    count += static_cast<std::size_t>(
        std::count_if(layer.begin(), layer.end(), [](char c) { return c != '.' && c != '/'; }));
  return count;
}

/// Returns a design of 3 x 2 x 2 cells and two materials that contains every XML element that a scene imports.
inline std::string small_design() {
  return R"(<?xml version="1.0" encoding="ISO-8859-1"?>
<VXA Version="1.0">
  <Simulator>
    <Damping><BondDampingZ>0.5</BondDampingZ><ColDampingZ>0.8</ColDampingZ><SlowDampingZ>0.01</SlowDampingZ></Damping>
    <StopCondition><StopConditionType>2</StopConditionType><StopConditionValue>3.5</StopConditionValue></StopCondition>
  </Simulator>
  <Environment>
    <Fixed_Regions><NumFixed>1</NumFixed>
      <FRegion><PrimType>0</PrimType><X>0</X><Y>0.75</Y><Z>0.5</Z><dX>0.25</dX><dY>0.25</dY><dZ>0.5</dZ><Fixed>1</Fixed></FRegion>
    </Fixed_Regions>
    <Gravity><GravEnabled>1</GravEnabled><GravAcc>-3.7</GravAcc><FloorEnabled>1</FloorEnabled></Gravity>
    <Thermal><TempEnabled>1</TempEnabled><TempAmp>39</TempAmp><TempBase>25</TempBase><VaryTempEnabled>1</VaryTempEnabled><TempPeriod>0.2</TempPeriod></Thermal>
  </Environment>
  <VXC Version="0.93">
    <Lattice><Lattice_Dim>0.02</Lattice_Dim></Lattice>
    <Palette>
      <Material ID="1"><Name>Soft</Name><Display><Red>1</Red><Green>0.5</Green><Blue>0</Blue></Display>
        <Mechanical><MatModel>0</MatModel><Elastic_Mod>5e+006</Elastic_Mod><Density>1e+3</Density><Poissons_Ratio>0.35</Poissons_Ratio><CTE>0.01</CTE>
        <uStatic>1</uStatic><uDynamic>0.5</uDynamic></Mechanical></Material>
      <Material ID="9"><Name>Active_+</Name>
        <Mechanical><Elastic_Mod>1e6</Elastic_Mod><Density>2000</Density><CTE>-0.01</CTE><MaterialTempPhase>3.14159265358979</MaterialTempPhase>
        <uStatic>1</uStatic><uDynamic>0.5</uDynamic></Mechanical></Material>
    </Palette>
    <Structure Compression="ASCII_READABLE">
      <X_Voxels>3</X_Voxels><Y_Voxels>2</Y_Voxels><Z_Voxels>2</Z_Voxels>
      <Data>
        <Layer><![CDATA[110200]]></Layer>
        <Layer><![CDATA[000021]]></Layer>
      </Data>
    </Structure>
  </VXC>
</VXA>
)";
}

}  // namespace vw::scene_test
