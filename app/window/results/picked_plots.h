// Plots of values that the user has picked from elements. Each of these plots is stored as a node, like a plot of a
// scene, but it is not part of the scene unless the user adds it. This file does not use the GUI.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/plot/plot.h"

namespace vw {

/// Value of an element that can be plotted. A scalar has one part. A vector has one part for each component.
struct PickedValue {
  struct Part {
    std::string name;  ///< name of the component, such as "x"; empty for a scalar
    Quantity quantity = Quantity::channel;
  };
  std::string system;
  std::uint32_t element = 0;  ///< persistent id of the element
  std::string whose;          ///< display name of the element, such as "school, fish 17"
  std::string label;          ///< display name of the value, such as "Velocity"
  std::string unit;           ///< unit as written in scenes, such as "m/s"
  std::string name;           ///< name of the channel, vector, rule or joint; empty for other quantities
  std::vector<Part> parts;
};

class PickedPlots {
 public:
  /// Adds the value to the first plot with an equal unit that can take more curves, or to a new plot. If the value is
  /// already plotted, removes the value instead. A plot without values is removed.
  void toggle(const Node& scene, const PickedValue& value);
  [[nodiscard]] bool holds(const PickedValue& value) const;
  [[nodiscard]] bool is_picked(const std::string& plot) const;
  void remove(const std::string& plot);
  /// Updates the name of a renamed system, rule or joint ("SYSTEM.JOINT") in the picked values. `slot` is its slot.
  void rename(std::string_view slot, const std::string& name, const std::string& new_name);
  /// Removes the values of systems that do not exist in this scene.
  void fit(const Node& scene);
  void clear() { plots_.clear(), nodes_.clear(); }
  /// The plots as nodes of the slot `plot`. Their names differ from the names of the scene's plots.
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
