// Plots of values that the user has picked of elements: nodes as a scene's, but no part of the scene unless they are kept. No GUI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace vw {

/// What an element's card can show over time: one number, or a vector by its parts.
struct PickedValue {
  struct Part {
    std::string name;  ///< "x"; empty: it has no parts
    Quantity quantity = Quantity::channel;
  };
  std::string system;
  std::uint32_t element = 0;  ///< its lasting identity
  std::string whose;          ///< "school, fish 17"
  std::string label;          ///< "Velocity"
  std::string unit;           ///< as scenes write it: "m/s"
  std::string name;           ///< of the channel, vector, rule or joint; else empty
  std::vector<Part> parts;
};

class PickedPlots {
 public:
  /// A value joins those of its unit while their plot has room; one that is there already is taken out, and its plot with it once that is empty.
  void toggle(const Node& scene, const PickedValue& value);
  [[nodiscard]] bool holds(const PickedValue& value) const;
  [[nodiscard]] bool is_picked(const std::string& plot) const;
  void remove(const std::string& plot);
  /// Those of systems that are not in this scene go.
  void fit(const Node& scene);
  void clear() { plots_.clear(), nodes_.clear(); }
  /// As nodes of the slot `plot`; their names are not the scene's.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  struct Picked {
    std::string name;
    std::vector<PickedValue> values;
  };
  void make_nodes(const Node& scene);
  std::vector<Picked> plots_;
  std::vector<Node> nodes_;
};

}  // namespace vw
