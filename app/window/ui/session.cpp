#include "app/window/ui/session.h"

#include <filesystem>

namespace vw::ui {

const Snapshot* Session::snapshot() const {
  if (!have_snapshot) return nullptr;
  const Snapshot* mode = mode_picture(modes);
  return mode != nullptr ? mode : &run->newest();
}

Frame Session::frame() const {
  if (const Snapshot* mode = mode_picture(modes)) return {nullptr, mode, 1};
  const Snapshot& previous = run->previous();
  const Snapshot& newest = run->newest();
  const bool pair = previous.sequence != 0 && previous.parts_number() == newest.parts_number();
  return {pair ? &previous : nullptr, &newest, blend};
}

ViewParams Session::view() const {
  if (document != nullptr)
    if (const Node* node = document->root().only("view")) return view_params().read(node->values);
  return view_params().defaults();
}

std::string Session::scene_name() const {
  if (document == nullptr) return "voxwake";
  if (document->path().empty()) return "untitled";
  return std::filesystem::path(document->path()).stem().string();
}

std::vector<std::string> Session::color_by_choices() const {
  const Snapshot* now = snapshot();
  return now == nullptr ? std::vector<std::string>() : color_choices(*now);
}

std::vector<std::string> Session::vector_choices() const {
  std::vector<std::string> names{"velocity"};
  if (const Snapshot* now = snapshot())
    for (const SystemSnapshot& system : now->systems)
      for (const ChannelInfo& vector : system.available_vectors)
        if (!contains(names, vector.name)) names.push_back(vector.name);
  return names;
}

std::vector<std::string> Session::system_names() const {
  std::vector<std::string> names;
  for (const Node* system : document->root().all("system")) names.push_back(system->name);
  return names;
}

std::vector<std::string> Session::hideable_names() const {
  std::vector<std::string> names = system_names();
  if (document == nullptr) return names;
  for (const Node* collider : document->root().all("collider")) names.push_back(collider->name);
  return names;
}

std::vector<std::string> Session::unpickable_names() const {
  ViewParams params = view();
  std::vector<std::string> names = std::move(params.hidden);
  names.insert(names.end(), params.locked.begin(), params.locked.end());
  return names;
}

bool Session::shows_forces(const std::string& rule) const { return contains(view().forces, rule); }

bool Session::has_trail(const std::string& name) const {
  const ViewParams params = view();
  return params.trails && contains(params.trail_systems, name);
}

}  // namespace vw::ui
