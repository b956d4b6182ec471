// Energy spectrum of a field for the window: measured on a worker thread from a copy of the scene's tree, with the
// target spectrum of the field.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "sim/base/data/node.h"
#include "sim/world/air/field_spectrum.h"

namespace vw {

struct SpectrumRequest {
  Node scene;
  std::string field;  ///< empty: as in spectrum_of_field()
  double time_s = 0;
};

class SpectrumMeasurement {
 public:
  /// Starts on a worker thread. The result of a measurement in progress is discarded.
  void start(SpectrumRequest request);
  /// Discards the request and the result.
  void stop();
  /// Fetches a finished result. Drawing thread, once per frame.
  void poll();

  [[nodiscard]] bool busy() const { return newest_ != nullptr; }
  /// Field of the most recent request. Empty means the sum of all fields.
  [[nodiscard]] const std::string& field() const { return field_; }
  [[nodiscard]] double time_s() const { return time_s_; }
  [[nodiscard]] const std::optional<FieldSpectrum>& spectrum() const { return spectrum_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Whether the nodes of the measured field or fields are unchanged in `scene`.
  [[nodiscard]] bool holds_for(const Node& scene) const;

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Result<FieldSpectrum>> outcome;
  };
  std::shared_ptr<Slot> newest_;
  std::vector<Node> asked_;  ///< nodes of the fields at the time of the request
  std::string field_, problem_;
  double time_s_ = 0;
  std::optional<FieldSpectrum> spectrum_;
  Background workers_;
};

}  // namespace vw
