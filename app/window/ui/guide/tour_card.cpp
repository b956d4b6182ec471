// Cards of the tour (app/window/guide/tour.h): each step is shown beside the control that it describes. On the first
// start, a card offers the tour.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr float tour_card_em = 20;

struct TourPlace {
  ImVec2 at{0, 0}, pivot{0, 0};
  const Layout::Place* marked = nullptr;  ///< control that is outlined; null for none
};

TourPlace place_of_step(const Layout& layout, TourStep step, ImVec2 corner, ImVec2 size) {
  const float gap = em(0.8F);
  const auto above = [&](const Layout::Place& button) {
    return TourPlace{{(button.low.x + button.high.x) / 2, button.low.y - gap}, {0.5F, 1}, &button};
  };
  switch (step) {
    case TourStep::run: return above(layout.play_button);
    case TourStep::picture: return above(layout.screenshot_button);
    case TourStep::edit:  // beside the inspector, which is in the lower half of the left sidebar
      return {{corner.x + gap, corner.y + 0.6F * size.y}, {0, 0.5F}};
    case TourStep::look:
    case TourStep::drag: break;
  }
  return {{corner.x + size.x / 2, corner.y + size.y - gap}, {0.5F, 1}};
}

/// Each card is a separate ImGui window, so that it does not begin with the size of the previous card.
void begin_tour_card(const std::string& name, const TourPlace& place) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = em(tour_card_em), left = place.at.x - place.pivot.x * width;
  ImGui::SetNextWindowPos({std::clamp(left, em(0.4F), std::max(display.x - width - em(0.4F), em(0.4F))), place.at.y},
                          ImGuiCond_Always, {0, place.pivot.y});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.125F, 0.165F, 0.186F, 0.985F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, em(0.4F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(0.9F), em(0.7F)});
  ImGui::Begin(name.c_str(), nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
}

void end_tour_card() {
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

void write_tour_text(const Fonts& fonts, const std::string& title, std::string_view text) {
  if (fonts.strong != nullptr) ImGui::PushFont(fonts.strong);
  ImGui::TextUnformatted(title.c_str());
  if (fonts.strong != nullptr) ImGui::PopFont();
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, em(0.2F)});
}

void outline(const Layout::Place& place) {
  const float gap = em(0.15F);
  ImGui::GetForegroundDrawList()->AddRect({place.low.x - gap, place.low.y - gap},
                                          {place.high.x + gap, place.high.y + gap}, color(palette::accent), em(0.4F), 0,
                                          em(0.12F));
}

void draw_step(App& app, ImVec2 corner, ImVec2 size) {
  const Tour& tour = app.ui.tour;
  const TourText& text = tour_text(tour.step());
  const TourPlace place = place_of_step(app.ui.layout, tour.step(), corner, size);
  begin_tour_card(fmt::format("tour {}", tour.position()), place);
  write_tour_text(app.ui.fonts, fmt::format("{} of {}: {}", tour.position() + 1, Tour::steps, text.title),
                  text.instruction);
  const bool is_last = tour.position() + 1 == Tour::steps;
  const bool goes_on = primary_button(is_last ? "Finish" : "Next");
  ImGui::SameLine();
  const bool skips = !is_last && ImGui::Button("Skip");
  if (!is_last) tooltip("Ends the tour. The Help menu starts it again");
  if (tour.is_done()) {
    ImGui::SameLine();
    ImGui::TextColored(palette::good, "Done");
  }
  end_tour_card();
  if (place.marked != nullptr) outline(*place.marked);
  if (skips) return end_tour(app);
  if (!goes_on) return;
  app.ui.tour.next();
  if (!app.ui.tour.is_active()) end_tour(app);
}

void draw_offer(App& app, ImVec2 corner, ImVec2 size) {
  begin_tour_card("tour offer", {{corner.x + size.x / 2, corner.y + size.y - em(0.8F)}, {0.5F, 1}});
  write_tour_text(app.ui.fonts, "New here?",
                  "A tour of five steps shows how to look around, run, drag, edit and record.");
  if (primary_button("Start the tour")) start_tour(app);
  ImGui::SameLine();
  if (ImGui::Button("Not now")) end_tour(app);
  app.ui.layout.tour_offer_height = app.ui.offers_tour ? ImGui::GetWindowHeight() : 0;
  end_tour_card();
}

}  // namespace

void offer_tour(App& app) { app.ui.offers_tour = !app.ui.preferences.tour_seen(); }

void start_tour(App& app) {
  app.ui.offers_tour = false;
  app.ui.tour.start();
  app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.5);
}

void end_tour(App& app) {
  app.ui.offers_tour = false;
  app.ui.tour.stop();
  if (app.ui.preferences.tour_seen()) return;
  if (const auto stored = app.ui.preferences.set_tour_seen(); !stored)
    app.log.warning("The next start offers the tour again: " + stored.error().message());
}

void update_tour(App& app) {
  if (!app.ui.tour.is_active()) return;
  const Session& session = app.session;
  app.ui.tour.update({.camera_drags = app.view.viewport.camera_drags(),
                      .playing = session.playing,
                      .grabs = app.view.viewport.grabs(),
                      .edits = session.document == nullptr ? 0 : session.document->revision(),
                      .pictures = app.view.pictures_taken},
                     app.times.wall_s);
  if (app.ui.tour.is_done()) app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);
  if (!app.ui.tour.is_active()) end_tour(app);
}

/// The tour needs a scene. While a dialog or the voxel editor is open, no card is shown.
void draw_tour(App& app, ImVec2 corner, ImVec2 size) {
  const bool is_free = app.session.document != nullptr && !app.ui.gallery.is_open() && !app.ui.browser.is_open() &&
                       app.ui.recovery.copies.empty() && !app.view.shows_voxel_editor();
  if (!is_free || !app.ui.offers_tour) app.ui.layout.tour_offer_height = 0;
  if (!is_free) return;
  if (app.ui.tour.is_active())
    draw_step(app, corner, size);
  else if (app.ui.offers_tour)
    draw_offer(app, corner, size);
}

}  // namespace vw::ui
