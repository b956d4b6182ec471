#include "app/window/results/spectrum_show.h"

#include <algorithm>

namespace vw {
namespace {

/// Nodes of the fields with the given name. If the name is empty, the nodes of all fields.
std::vector<const Node*> fields_of(const Node& scene, const std::string& name) {
  std::vector<const Node*> fields = scene.all("field");
  std::erase_if(fields, [&](const Node* field) { return !name.empty() && field->name != name; });
  return fields;
}

}  // namespace

void SpectrumMeasurement::start(SpectrumRequest request) {
  asked_.clear();
  for (const Node* field : fields_of(request.scene, request.field)) asked_.push_back(*field);
  field_ = request.field;
  time_s_ = request.time_s;
  newest_ = std::make_shared<Slot>();
  workers_.run([slot = newest_, request = std::move(request)] {
    Result<api::FieldSpectrum> outcome = api::spectrum_of_field(request.scene, request.field, request.time_s, 0);
    const std::lock_guard lock(slot->mutex);
    slot->outcome.emplace(std::move(outcome));
  });
}

void SpectrumMeasurement::stop() {
  newest_.reset();
  asked_.clear();
  field_.clear();
  problem_.clear();
  spectrum_.reset();
}

void SpectrumMeasurement::poll() {
  if (newest_ == nullptr) return;
  std::optional<Result<api::FieldSpectrum>> outcome;
  {
    const std::lock_guard lock(newest_->mutex);
    outcome = std::move(newest_->outcome);
  }
  if (!outcome) return;
  newest_.reset();
  problem_ = *outcome ? std::string() : outcome->error().message();
  spectrum_.reset();
  if (*outcome) spectrum_ = std::move(**outcome);
}

bool SpectrumMeasurement::holds_for(const Node& scene) const {
  return std::ranges::equal(asked_, fields_of(scene, field_),
                            [](const Node& a, const Node* b) { return same_node(a, *b); });
}

}  // namespace vw
