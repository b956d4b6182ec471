#include "render/vectors/force_arrows.h"

#include <algorithm>

#include "render/vectors/vector_colors.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// Opacity of hidden parts. Forces act inside bodies, so the parts inside are drawn as well.
constexpr float shows_through = 0.8F;

}  // namespace

glm::vec3 force_tint(std::size_t rule) { return system_tint(rule); }

glm::vec3 shown_place(const ContactMark& contact, const SystemSnapshot& system, const Figure& figure) {
  const glm::vec3 place = to_glm(contact.place);
  if (contact.element >= figure.places.size()) return place;
  return place + glm::vec3(figure.places[contact.element]) - to_glm(system.position[contact.element]);
}

ForceArrows::Values& ForceArrows::next() {
  if (used_ == values_.size()) values_.emplace_back();
  Values& values = values_[used_++];
  values.places.clear();
  values.forces.clear();
  values.ids.clear();
  return values;
}

void ForceArrows::add_side(const Figure& figure, std::span<const Vec3f> forces, const glm::vec3& tint) {
  if (forces.empty() || forces.size() != figure.places.size() || figure.shape == FigureShape::hidden) return;
  Values& to = next();
  to.tint = tint;
  to.places = figure.places;
  to.ids = figure.id;
  for (const Vec3f& force : forces) to.forces.push_back(to_glm(force));
}

void ForceArrows::add_contacts(const SystemSnapshot& system, const Figure& figure) {
  Values& to = next();
  to.tint = contact_tint;
  const auto contacts = contacts_of(system);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactMark& contact = contacts[k];
    const float size = contact.element < figure.places.size() ? figure.places[contact.element].w : 0.0F;
    to.places.emplace_back(shown_place(contact, system, figure), size);
    to.forces.push_back(to_glm(contact.force_n));
    to.ids.push_back(static_cast<std::uint32_t>(k));
  }
}

void ForceArrows::build(const Snapshot& newest, const std::vector<Figure>& figures, const ViewParams& view,
                        double time_s, float pixel_m) {
  used_ = 0;
  legend_ = {};
  std::vector<std::pair<std::string, glm::vec3>> entries;
  for (std::size_t i = 0; i < newest.rules.size(); ++i) {
    const RuleSnapshot& rule = newest.rules[i];
    const bool is_wanted = std::find(view.forces.begin(), view.forces.end(), rule.node) != view.forces.end();
    if (!is_wanted || rule.a >= newest.systems.size() || rule.b >= newest.systems.size()) continue;
    // All pairs of systems that a rule's node joins have the same colour.
    const auto first = std::find_if(newest.rules.begin(), newest.rules.end(),
                                    [&](const RuleSnapshot& r) { return r.node == rule.node; });
    const glm::vec3 tint = force_tint(static_cast<std::size_t>(first - newest.rules.begin()));
    if (first == newest.rules.begin() + static_cast<std::ptrdiff_t>(i)) entries.emplace_back(rule.node, tint);
    add_side(figures[rule.a], rule.force_a, tint);
    add_side(figures[rule.b], rule.force_b, tint);
  }
  for (std::size_t f = 0; view.contacts && f < newest.systems.size(); ++f) {
    if (contacts_of(newest.systems[f]).empty() || figures[f].shape == FigureShape::hidden) continue;
    add_contacts(newest.systems[f], figures[f]);
    if (entries.empty() || entries.back().first != "contacts") entries.emplace_back("contacts", contact_tint);
  }
  if (used_ == 0) return field_.clear();
  sources_.clear();
  for (const Values& v : std::span(values_).first(used_))
    sources_.push_back({.places = v.places,
                        .values = v.forces,
                        .ids = v.ids,
                        .is_sparse = true,
                        .tint = &v.tint,
                        .through = shows_through});
  ArrowScaling law = arrow_scaling_of(view);
  law.length = view.vector_length;
  law.per_unit = static_cast<float>(view.force_scale);
  law.reach = 0.9F;
  field_.build(sources_, law, newest.parts_number(), time_s, pixel_m);
  legend_ = field_.legend();
  legend_.title = "force";
  legend_.unit = "N";
  legend_.entries = std::move(entries);
}

}  // namespace vw
