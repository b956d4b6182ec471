// Random values for the numeric parameters of a node, to explore designs. The values are a function of the seed, the
// name of the parameter and its range. The values do not depend on the choice of other parameters that are randomised.
// This file does not use the GUI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// Rule by which the range of a parameter follows from its present value and its bounds.
enum class RandomRange : std::uint8_t {
  percent,  ///< from x / (1 + p) to x (1 + p) for parameters with a logarithmic scale, otherwise x - p x to x + p x
  /// The present value plus or minus a fraction of the interval between the bounds. Parameters with a logarithmic scale
  /// use the logarithms.
  bounds,
};

struct RandomiseSettings {
  std::vector<std::string> params;  ///< names of the parameters
  RandomRange range = RandomRange::percent;
  double percent = 20;    ///< half width of the range in percent of the value, for RandomRange::percent
  double fraction = 0.2;  ///< half width of the range as a fraction of max - min, for RandomRange::bounds
  std::uint64_t seed = 1;
};

/// Numeric parameters of a schema, in the order of declaration: reals, integers and vectors.
[[nodiscard]] std::vector<const ParamSpec*> randomisable_params(const Schema& schema);
/// Whether both bounds are finite, so that RandomRange::bounds is defined.
[[nodiscard]] bool has_finite_bounds(const ParamSpec& spec);

/// Values for the node at `path`, whose present values are those of `centre`. Values lie within the bounds. The
/// distribution over the range is uniform, or uniform in the logarithm if the scale of the parameter is logarithmic and
/// its value and bounds are positive. With RandomRange::bounds, parameters without finite bounds are omitted. With
/// RandomRange::percent, a value of 0 stays 0.
[[nodiscard]] std::vector<Assignment> randomised(const Node& centre, const std::string& path,
                                                 const RandomiseSettings& settings);

}  // namespace vw
