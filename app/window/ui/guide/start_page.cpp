// The start page: the gallery (dialogs/scene_gallery.h) with recent scenes, templates and packaged scenes.
#include "app/window/ui/app.h"

namespace vw::ui {

void show_start_page(App& app) {
  if (!app.ui.templates) app.ui.templates = scene_templates();
  app.ui.gallery.open_start_page({.recent = recent_scenes(app.ui.recent.paths()),
                                  .templates = *app.ui.templates,
                                  .packaged = app.ui.browser.packaged()},
                                 app.ui.preferences.shows_start_page());
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

}  // namespace vw::ui
