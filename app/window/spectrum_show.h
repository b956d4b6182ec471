// The energy spectrum of a field for the window: measured on a worker from a copy of the scene's tree, beside what the field was asked to be.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "sim/base/node.h"
#include "sim/world/field_spectrum.h"

namespace vw {

struct SpectrumRequest {
  Node scene;
  std::string field;  ///< empty: as spectrum_of_field() takes it
  double time_s = 0;
};

class SpectrumShow {
 public:
  /// Starts on a worker; what is still under way is thrown away.
  void start(SpectrumRequest request);
  /// Forgets all.
  void stop();
  /// Takes what is ready; drawing thread, once a frame.
  void poll();

  [[nodiscard]] bool busy() const { return newest_ != nullptr; }
  /// Of the newest request; empty: the sum of all.
  [[nodiscard]] const std::string& field() const { return field_; }
  [[nodiscard]] double time_s() const { return time_s_; }
  [[nodiscard]] const std::optional<FieldSpectrum>& spectrum() const { return spectrum_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Whether the field's node, or all, still are what was measured.
  [[nodiscard]] bool holds_for(const Node& scene) const;

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Result<FieldSpectrum>> outcome;
  };
  std::shared_ptr<Slot> newest_;
  std::vector<Node> asked_;  ///< the fields' nodes as they were
  std::string field_, problem_;
  double time_s_ = 0;
  std::optional<FieldSpectrum> spectrum_;
  Background workers_;
};

}  // namespace vw
