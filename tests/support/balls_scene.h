// Text of a small scene for tests.
#pragma once

#include <string_view>

namespace vw::test {

/// Two rigid balls above the ground, in the system "balls".
constexpr std::string_view balls_toml = R"(
title = "Balls"
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "rigid"
name = "balls"
[[system.body]]
kind = "sphere"
name = "ball"
position = [0.0, 0.5, 0.0]
[[system.body]]
kind = "sphere"
name = "other"
position = [0.02, 0.7, 0.0]
)";

}  // namespace vw::test
