// Energy spectrum of a field and its target spectrum, for the window. A worker thread measures the spectrum from a copy
// of the scene's tree.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "sim/api/analysis/field_spectrum.h"
#include "sim/base/data/node.h"

namespace vw {

struct SpectrumRequest {
  Node scene;
  std::string field;  ///< name of the field; an empty name is resolved by api::spectrum_of_field()
  double time_s = 0;  ///< time at which the field is evaluated [s]
};

class SpectrumMeasurement {
 public:
  /// Starts a measurement on a worker thread. The result of an earlier measurement in progress is discarded.
  void start(SpectrumRequest request);
  /// Discards the request and the result.
  void stop();
  /// Fetches the result if the measurement is finished. Call this once per frame on the drawing thread.
  void poll();

  [[nodiscard]] bool busy() const { return newest_ != nullptr; }
  /// Field name of the most recent request (SpectrumRequest::field).
  [[nodiscard]] const std::string& field() const { return field_; }
  [[nodiscard]] double time_s() const { return time_s_; }
  [[nodiscard]] const std::optional<api::FieldSpectrum>& spectrum() const { return spectrum_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Whether the nodes of the measured field are unchanged in `scene`. For an empty field name, all fields are
  /// compared.
  [[nodiscard]] bool holds_for(const Node& scene) const;

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Result<api::FieldSpectrum>> outcome;
  };
  std::shared_ptr<Slot> newest_;
  std::vector<Node> asked_;  ///< nodes of the fields at the time of the request
  std::string field_, problem_;
  double time_s_ = 0;
  std::optional<api::FieldSpectrum> spectrum_;
  Background workers_;
};

}  // namespace vw
