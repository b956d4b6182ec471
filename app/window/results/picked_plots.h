// Plots of values that the user has picked from elements. They are nodes like those of a scene but belong to the scene
// only if the user keeps them. No GUI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace vw {

/// A value from an element's card that can be plotted: a scalar, or a vector given by its components.
struct PickedValue {
  struct Part {
    std::string name;  ///< "x"; empty for a scalar
    Quantity quantity = Quantity::channel;
  };
  std::string system;
  std::uint32_t element = 0;  ///< persistent id of the element
  std::string whose;          ///< display name of the element: "school, fish 17"
  std::string label;          ///< display name of the value: "Velocity"
  std::string unit;           ///< unit as written in scenes: "m/s"
  std::string name;           ///< name of the channel, vector, rule or joint; otherwise empty
  std::vector<Part> parts;
};

class PickedPlots {
 public:
  /// Adds the value to a plot of the same unit with room for it, or to a new plot. If the value is already plotted, it
  /// is removed instead; a plot without values is removed.
  void toggle(const Node& scene, const PickedValue& value);
  [[nodiscard]] bool holds(const PickedValue& value) const;
  [[nodiscard]] bool is_picked(const std::string& plot) const;
  void remove(const std::string& plot);
  /// Removes the values of systems that do not exist in this scene.
  void fit(const Node& scene);
  void clear() { plots_.clear(), nodes_.clear(); }
  /// The plots as nodes of the slot `plot`. Their names differ from those of the scene's plots.
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
