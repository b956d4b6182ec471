#include "app/window/voxel_edit/painted_muscles.h"

#include <algorithm>

#include <fmt/format.h>

namespace vw {
namespace {

const NumberList& cells_of(const Node& muscle) { return std::get<NumberList>(muscle.value("cells")); }

int number_at(const VoxelGrid& grid, const VoxelCell& cell) {
  return static_cast<int>(grid.paint_at(cell, PaintLayer::muscle));
}

}  // namespace

Result<void> read_muscle_layer(const Node& body, VoxelGrid& grid) {
  int number = 0;
  for (const Node* muscle : body.all("muscle")) {
    ++number;
    const NumberList& cells = cells_of(*muscle);
    if (cells.empty()) continue;
    if (cells.size() != grid.cell_count())
      return wrong_value(
          muscle->line, fmt::format("system.{}.muscle.{}.cells", body.name, muscle->name),
          fmt::format("{} numbers", cells.size()),
          fmt::format("must be empty or have one number for each cell of the lattice, {} in all", grid.cell_count()));
    grid.set_has_paint(PaintLayer::muscle, true);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] != 0) grid.set_paint(i, PaintLayer::muscle, number);
  }
  return {};
}

bool is_painted_muscle(const OpenedVoxelBody& opened, int number) {
  const auto muscles = opened.body.all("muscle");
  const auto i = static_cast<std::size_t>(number) - 1;
  return number > 0 && (i >= muscles.size() || !cells_of(*muscles[i]).empty());
}

std::string muscle_name(const OpenedVoxelBody& opened, int number) {
  const auto muscles = opened.body.all("muscle");
  const auto i = static_cast<std::size_t>(number) - 1;
  if (i < muscles.size()) return muscles[i]->name;
  std::string name = fmt::format("muscle-{}", number);
  while (opened.body.find("muscle", name) != nullptr) name += "-new";
  return name;
}

int last_muscle(const VoxelGrid& grid, const OpenedVoxelBody& opened) {
  double last = static_cast<double>(opened.body.all("muscle").size());
  for (const double number : grid.paint(PaintLayer::muscle)) last = std::max(last, number);
  return static_cast<int>(last);
}

void assign_muscles(const VoxelGrid& grid, const OpenedVoxelBody& opened, const std::string& path,
                    std::vector<Assignment>& all) {
  const VoxelBox& from = opened.grid.box();
  int number = 0;
  for (const Node* muscle : opened.body.all("muscle")) {
    ++number;
    const NumberList& former = cells_of(*muscle);
    if (former.empty()) continue;
    NumberList cells(grid.cell_count(), 0.0);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const VoxelCell cell = grid.cell_at(i);
      const bool was_there = from.contains(cell);
      const double weight = was_there ? former[index_in(from, cell)] : 0;
      const int before = number_at(opened.grid, cell), now = number_at(grid, cell);
      if (before == now)
        cells[i] = weight;
      else if (now == number)
        cells[i] = weight != 0 ? weight : 1;
    }
    all.push_back({path + ".muscle." + muscle->name + ".cells", Value(std::move(cells))});
  }
}

std::vector<Node> new_muscles(const VoxelGrid& grid, const OpenedVoxelBody& opened) {
  std::vector<Node> muscles;
  const auto count = static_cast<int>(opened.body.all("muscle").size());
  const auto numbers = grid.paint(PaintLayer::muscle);
  Node holder = make_node(*opened.body.schema);
  for (int number = count + 1; number <= last_muscle(grid, opened); ++number) {
    if (std::ranges::find(numbers, number) == numbers.end()) continue;
    NumberList cells(numbers.size(), 0.0);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = numbers[i] == number ? 1 : 0;
    Node& muscle = add_child(holder, "muscle", "muscle", muscle_name(opened, number));
    muscle.set("cells", Value(std::move(cells)));
    muscles.push_back(muscle);
  }
  return muscles;
}

NodeChange wave_for_muscle(const Node& scene, const std::string& path, const std::string& muscle, int number) {
  Node holder = make_node(*scene.schema);
  const std::string stem = path.substr(path.rfind('.') + 1) + "-" + muscle;
  std::string name = stem;
  for (int k = 2; scene.find("actuator", name) != nullptr; ++k) name = fmt::format("{}-{}", stem, k);
  Node& wave = add_child(holder, "actuator", "wave", name);
  wave.set("targets", Value(TextList{path + ".muscle." + muscle + ".strain"}));
  wave.set("phase", Value(number % 2 == 0 ? 0.5 : 0.0));
  return {.node = wave};
}

}  // namespace vw
