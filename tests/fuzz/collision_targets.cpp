// Fuzz targets for readers that take the path of a file. The bytes are first written to a private temporary file.
#include <cmath>
#include <string>

#include "sim/collision/mesh/files/mesh_file.h"
#include "sim/collision/shape/heightfield.h"
#include "tests/fuzz/targets.h"
#include "tests/support/scratch.h"

namespace vw::fuzz {
namespace {

std::string file_of(std::string_view bytes, const char* name) {
  static const test::Scratch scratch;
  return scratch.write(name, bytes);
}

void mesh(std::string_view bytes, const char* name) {
  auto triangles = read_mesh_file(file_of(bytes, name));
  if (!triangles) {
    promise(!triangles.error().message().empty(), "a refused mesh has a message");
    return;
  }
  if (const auto made = TriangleMesh::make(std::move(*triangles)); !made)
    promise(!made.error().message().empty(), "a refused mesh has a message");
}

void heights(const Result<HeightGrid>& grid) {
  if (!grid) {
    promise(!grid.error().message().empty(), "a refused heightfield has a message");
    return;
  }
  promise(grid->height_m.size() == grid->columns * grid->rows, "a grid has as many heights as columns times rows");
  for (const double height : grid->height_m) promise(std::isfinite(height), "heights are finite");
  (void)make_heightfield(*grid);
}

}  // namespace

void mesh_obj(std::string_view bytes) { mesh(bytes, "mesh.obj"); }
void mesh_stl(std::string_view bytes) { mesh(bytes, "mesh.stl"); }
void mesh_ply(std::string_view bytes) { mesh(bytes, "mesh.ply"); }
void mesh_gltf(std::string_view bytes) { mesh(bytes, "mesh.gltf"); }
void mesh_glb(std::string_view bytes) { mesh(bytes, "mesh.glb"); }
void height_png(std::string_view bytes) { heights(read_height_picture(file_of(bytes, "heights.png"), -1, 2)); }
void height_text(std::string_view bytes) { heights(read_height_text(file_of(bytes, "heights.txt"))); }

}  // namespace vw::fuzz
