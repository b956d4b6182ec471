// Mesh files. Every format must give equal triangles, and every fault of a file must give one error message.
#include "sim/collision/mesh/files/mesh_file.h"

#include <gmock/gmock.h>

#include <functional>

#include "sim/collision/shape/shape_sources.h"
#include "tests/collision/mesh_files.h"
#include "tests/collision/mesh_test_support.h"
#include "tests/support/scratch.h"

namespace {

using namespace vw;
using namespace vw::test;
using ::testing::HasSubstr;

std::vector<std::pair<std::string, std::string>> every_format(const TriangleList& list) {
  return {{"a.obj", obj_of(list)},
          {"text.stl", stl_text_of(list)},
          {"binary.stl", stl_binary_of(list)},
          {"text.ply", ply_text_of(list)},
          {"little.ply", ply_binary_of(list, false)},
          {"big.PLY", ply_binary_of(list, true)},
          {"embedded.gltf", gltf_text_of(list, embedded_uri(list))},
          {"binary.glb", glb_of(list)}};
}

/// Returns the error message for a file with these bytes. The string is empty if the file can be read.
std::string sentence(const Scratch& folder, const std::string& name, const std::string& bytes) {
  const auto found = load_mesh({folder.write(name, bytes), 1});
  return found ? "" : found.error().message();
}

TEST(MeshFile, EveryFormatGivesTheSameTriangles) {
  const Scratch folder;
  const TriangleList rough = rock(2, 0.4);
  for (const auto& [name, bytes] : every_format(rough)) {
    const auto list = read_mesh_file(folder.write(name, bytes), 2);
    ASSERT_TRUE(list) << list.error().message();
    ASSERT_EQ(list->triangle.size(), rough.triangle.size()) << name;
    for (std::size_t i = 0; i < rough.triangle.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        // The tolerance allows for coordinates of seven digits in the files.
        EXPECT_LT((list->position[list->triangle[i][k]] - 2 * rough.position[rough.triangle[i][k]]).norm(), 3e-7)
            << name;
    const auto mesh = mesh_of(*list);
    EXPECT_EQ(mesh->report().inside, MeshInside::by_side) << name;
    EXPECT_EQ(mesh->triangles().position.size(), rough.position.size()) << name;
  }
}

TEST(MeshFile, NodesOfAGltfMoveTurnScaleAndMirrorTheirMeshes) {
  const Scratch folder;
  const TriangleList box = box_mesh({0.5, 0.5, 0.5});
  // A parent node at x = 10 that is rotated by 90 degrees about y. It has two children. One child is at z = 2 of the
  // parent (world x = 12) with twice the size. The other child is mirrored.
  const std::string nodes =
      R"([{"translation":[10,0,0],"rotation":[0,0.70710678118654757,0,0.70710678118654757],"children":[1,2]},)"
      R"({"mesh":0,"translation":[0,0,2],"scale":[2,2,2]},{"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,0,5,0,1]}])";
  const auto list = read_mesh_file(folder.write("nodes.gltf", gltf_text_of(box, embedded_uri(box), nodes)));
  ASSERT_TRUE(list) << list.error().message();
  const auto mesh = mesh_of(*list);
  EXPECT_EQ(mesh->report().inside, MeshInside::by_side);
  EXPECT_FALSE(mesh->report().turned);  // the reader reverses the winding of a mirrored mesh
  EXPECT_LT((mesh->bounds().min() - Vec3(9.5, -1, -1)).norm(), 1e-6);
  EXPECT_LT((mesh->bounds().max() - Vec3(13, 5.5, 1)).norm(), 1e-6);
  EXPECT_LT(mesh->query({12, 0, 0}, 10).distance, 0);
  EXPECT_LT(mesh->query({10, 5, 0}, 10).distance, 0);
}

TEST(MeshFile, ABufferMayLieBesideItsGltf) {
  const Scratch folder;
  const TriangleList box = box_mesh({0.5, 0.5, 0.5});
  folder.write("the data.bin", gltf_buffer_of(box));
  const auto list = read_mesh_file(folder.write("beside.gltf", gltf_text_of(box, R"("uri":"the%20data.bin",)")));
  ASSERT_TRUE(list) << list.error().message();
  EXPECT_EQ(list->triangle.size(), 12U);
}

TEST(MeshFile, PolygonsAreCutAlongTheirHollows) {
  const Scratch folder;
  // An L-shaped polygon of area 3. A triangle fan from the first corner would cover area outside the polygon. The
  // second face uses negative indices.
  const std::string ell = "v 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\n";
  for (const std::string face : {"f 1 2 3 4 5 6\n", "f -6 -5 -4 -3 -2 -1\n"}) {
    const auto list = read_mesh_file(folder.write("ell.obj", ell + face));
    ASSERT_TRUE(list) << list.error().message();
    double area = 0;
    for (std::size_t i = 0; i < list->triangle.size(); ++i) {
      const Vec3 twice = triangle_at(*list, i).area_vector();
      EXPECT_GE(twice.z(), 0);
      area += 0.5 * twice.norm();
    }
    EXPECT_NEAR(area, 3, 1e-12);
  }
}

TEST(MeshFile, WhatIsNotThereOrNoMeshIsSaid) {
  const Scratch folder;
  EXPECT_THAT(load_mesh({folder.path("none.obj"), 1}).error().message(), HasSubstr("none.obj: cannot be opened"));
  std::filesystem::create_directory(folder.path("folder.obj"));
  EXPECT_THAT(load_mesh({folder.path("folder.obj"), 1}).error().message(), HasSubstr("is a folder"));
  EXPECT_THAT(sentence(folder, "a.blend", "BLENDER"),
              HasSubstr("ends in \"blend\": must end in .obj, .stl, .ply, .gltf or .glb"));
  EXPECT_THAT(sentence(folder, "plain", ""), HasSubstr("ends in \"\""));
  for (const std::string name : {"e.obj", "e.stl", "e.ply", "e.gltf", "e.glb"})
    EXPECT_THAT(sentence(folder, name, ""), HasSubstr(name + ":")) << name;
  EXPECT_THAT(sentence(folder, "points.obj", "v 0 0 0\nv 1 0 0\n"), HasSubstr("has no triangles"));
}

TEST(MeshFile, AnObjIsReadAsExportersWriteIt) {
  const Scratch folder;
  // The file contains a UTF-8 byte order mark, references to other files, colours, a fourth coordinate, unusual number
  // formats, a continued line, a comment that ends with a backslash, and positive and negative indices.
  const auto list = read_mesh_file(
      folder.write("odd.obj",
                   "\xef\xbb\xbfv 0 0 0 1 0 0\r\nmtllib /etc/passwd\no thing\ng a b\nusemtl steel\nv 1 0 0 2\n# D:\\\n"
                   "v +1 1. 123456789012345678901234567890e-29 # up\nv .0 1e0 -0\nvt 0 0\ns 1\nf 1/1 2/1 \\\n3/1 # "
                   "half\nl 1 2\nf -4 -2 -1"));
  ASSERT_TRUE(list) << list.error().message();
  ASSERT_EQ(list->triangle.size(), 2U);
  Vec3 twice_area = Vec3::Zero();
  for (std::size_t i = 0; i < 2; ++i) twice_area += triangle_at(*list, i).area_vector();
  EXPECT_NEAR(twice_area.z(), 2, 1e-6);
  EXPECT_NEAR(list->position[list->triangle[0][2]].z(), 1.2345679, 1e-6);
}

TEST(MeshFile, StripsFansStepsAndIndicesOfEverySizeAreRead) {
  const Scratch folder;
  std::string square = "four";
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)})
    put_point(square, p), square += "a normal";
  const auto file = [&](int mode, int component, const std::string& indices) {
    const std::string all = square + indices;
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[)"
        R"({{"mode":1,"attributes":{{"POSITION":0}}}},{{"mode":{},"attributes":{{"POSITION":0}}{}}}]}}],)"
        R"("buffers":[{{"uri":"data:;base64,{}","byteLength":{}}}],"bufferViews":[{{"buffer":0,"byteLength":84,"byteStride":20}},)"
        R"({{"buffer":0,"byteOffset":84,"byteLength":{}}}],"accessors":[{{"bufferView":0,"byteOffset":4,"componentType":5126,"count":4,"type":"VEC3"}},)"
        R"({{"bufferView":1,"componentType":{},"count":{},"type":"SCALAR"}}]}})",
        mode, component == 0 ? "" : R"(,"indices":1)", base64(all), all.size(), indices.size(), component,
        component == 5123 ? 4 : 6);
  };
  const auto area_of = [&](const std::string& bytes) {
    const auto list = read_mesh_file(folder.write("a.gltf", bytes));
    EXPECT_TRUE(list) << list.error().message();
    double area = 0;
    for (std::size_t i = 0; list && i < list->triangle.size(); ++i)
      area += 0.5 * triangle_at(*list, i).area_vector().z();
    return area;
  };
  EXPECT_EQ(area_of(file(5, 0, "")), 1);
  std::string two_bytes, four_bytes;
  for (const int i : {0, 1, 3, 2}) put(two_bytes, static_cast<std::uint16_t>(i));
  for (const int i : {0, 1, 3, 0, 3, 2}) put(four_bytes, static_cast<std::uint32_t>(i));
  EXPECT_EQ(area_of(file(6, 5123, two_bytes)), 1);
  EXPECT_EQ(area_of(file(4, 5121, std::string("\0\1\3\0\3\2", 6))), 1);
  EXPECT_EQ(area_of(file(4, 5125, four_bytes)), 1);
  EXPECT_THAT(sentence(folder, "a.gltf", file(4, 5121, std::string("\0\1\3\0\3\4", 6))),
              HasSubstr("has 2 triangles, of which 1 are valid"));
}

TEST(MeshFile, ABinaryStlMayGoOnAfterItsTriangles) {
  const Scratch folder;
  const auto list = read_mesh_file(
      folder.write("tail.stl", "a" + stl_binary_of(box_mesh({1, 1, 1})).substr(1) + "made by a scanner"));
  ASSERT_TRUE(list) << list.error().message();
  EXPECT_EQ(list->triangle.size(), 12U);
}

TEST(MeshFile, BrokenObjFilesAreToldByTheirLine) {
  const Scratch folder;
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_THAT(sentence(folder, "a.obj", three + "f 1 2 4\n"),
              HasSubstr("a.obj: cannot be read: OBJ: vertex index out of range"));
  EXPECT_THAT(sentence(folder, "a.obj", three + "f 0 1 2\n"),
              HasSubstr("a.obj:4: a face refers to vertex \"0\": must be a whole number other than 0"));
  EXPECT_THAT(sentence(folder, "a.obj", three + "f 1 2 99999999999999999999\n"), HasSubstr("a.obj:4:"));
  EXPECT_THAT(sentence(folder, "a.obj", three + "f 1 2\n"), HasSubstr("has 2 corners"));
  EXPECT_THAT(sentence(folder, "a.obj", "v 0 nan 0\n"),
              HasSubstr("a.obj:1: coordinate 2 of a vertex is \"nan\": must be a finite number"));
  EXPECT_THAT(sentence(folder, "a.obj", "v 0 1e999 0\n"), HasSubstr("must be a finite number"));
  EXPECT_THAT(sentence(folder, "a.obj", "v 0 1\n"), HasSubstr("coordinate 3"));
}

TEST(MeshFile, BrokenStlFilesAreSaid) {
  const Scratch folder;
  const TriangleList box = box_mesh({1, 1, 1});
  const std::string text = stl_text_of(box);
  std::string binary = stl_binary_of(box);
  EXPECT_THAT(sentence(folder, "a.stl", text.substr(0, text.size() / 2)), HasSubstr("is truncated"));
  EXPECT_THAT(sentence(folder, "a.stl", "x" + binary.substr(1, 300)),
              HasSubstr("declares 12 triangles in 684 bytes, but the file has 301 bytes"));
  binary[0] = 'x';
  for (int i = 80; i < 84; ++i) binary[static_cast<std::size_t>(i)] = '\x7f';
  EXPECT_THAT(sentence(folder, "a.stl", binary), HasSubstr("triangles; the limit is 10000000"));
  binary = stl_binary_of(box);
  binary.replace(84 + 12, 4, std::string("\0\0\xc0\x7f", 4));
  EXPECT_THAT(sentence(folder, "a.stl", binary),
              HasSubstr("vertex 0 is at (nan, nan, nan): coordinates must be finite"));
}

TEST(MeshFile, BrokenPlyFilesAreSaid) {
  const Scratch folder;
  const TriangleList box = box_mesh({1, 1, 1});
  EXPECT_THAT(sentence(folder, "a.ply", "plx\n"), HasSubstr("the first line must be \"ply\""));
  EXPECT_THAT(sentence(folder, "a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n"),
              HasSubstr("ends within the header"));
  EXPECT_THAT(sentence(folder, "a.ply", "ply\nend_header\n"), HasSubstr("has no format"));
  EXPECT_THAT(sentence(folder, "a.ply", ply_header("ascii", 4'000'000'000U, 1) + "0 0 0 7\n"),
              HasSubstr("declares 4000000000 rows of \"vertex\""));
  EXPECT_THAT(sentence(folder, "a.ply", ply_header("binary_little_endian", 0, 20'000'000)),
              HasSubstr("the limit is 10000000"));
  const std::string bytes_only =
      "ply\nformat binary_little_endian 1.0\nelement vertex 30000001\nproperty uchar x\nend_header\n";
  EXPECT_THAT(sentence(folder, "a.ply", bytes_only + std::string(30'000'001, '\0')),
              HasSubstr("has 30000001 vertices; the limit is 30000000"));
  const std::string binary = ply_binary_of(box, false);
  EXPECT_THAT(sentence(folder, "a.ply", binary.substr(0, binary.size() - 20)), HasSubstr("a.ply: "));
  EXPECT_THAT(sentence(folder, "a.ply", ply_header("ascii", 3, 1) + "0 0 0 7\n1 0 0 7\n0 1 0 7\n3 0 1 9\n"),
              HasSubstr("refers to vertex 9, but the number of vertices is 3"));
  EXPECT_THAT(sentence(folder, "a.ply", ply_header("ascii", 3, 1) + "0 0 0 7\n1 0 0 7\n0 inf 0 7\n3 0 1 2\n"),
              HasSubstr("row 2 of \"vertex\""));
  EXPECT_THAT(sentence(folder, "a.ply", ply_header("ascii", 3, 1) + "0 0 0 7\n1 0 0 7\n0 1 0 7\n200 0 1 2\n"),
              HasSubstr("list \"vertex_indices\""));
}

TEST(MeshFile, BrokenGltfFilesAreSaid) {
  const Scratch folder;
  const TriangleList box = box_mesh({1, 1, 1});
  const std::string uri = embedded_uri(box);
  EXPECT_THAT(sentence(folder, "a.gltf", "{"), HasSubstr("cannot be parsed"));
  EXPECT_THAT(sentence(folder, "a.gltf", "{}"), HasSubstr("\"asset\" is missing"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, R"("uri":"gone.bin",)")),
              HasSubstr("gone.bin: cannot be opened"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, R"("uri":"/dev/zero",)")),
              HasSubstr("must be a file in the folder of the mesh"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, R"("uri":"data:;base64,AAAA",)")),
              HasSubstr("expected 168 bytes"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, R"("uri":"../up.bin",)")),
              HasSubstr("must be a file in the folder of the mesh"));
  folder.write("short.bin", "short");
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, R"("uri":"short.bin",)")),
              HasSubstr("buffer 0 declares 168 bytes, but has 5"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, "")), HasSubstr("neither a uri nor a data chunk"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, uri, R"([{"children":[1]},{"children":[0],"mesh":0}])")),
              HasSubstr("node 0 has more than one parent or is its own ancestor"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, uri, one_node, "[7]")),
              HasSubstr("refers to node 7, but the number of nodes is 1"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, uri, R"([{"mesh":3}])")),
              HasSubstr("refers to a missing mesh"));
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, uri, R"([{"mesh":0,"scale":[1,2]}])")),
              HasSubstr("scale of node 0 must be 3 numbers"));
  EXPECT_THAT(sentence(folder, "a.gltf", std::string(1'000'000, '[')), HasSubstr("nested deeper than 32 levels"));
  std::string many = R"({"asset":{"version":"2.0"},"extras":[)";
  for (int i = 0; i < 10'000'001; ++i) many += "{},";
  EXPECT_THAT(sentence(folder, "a.gltf", many + "0]}"), HasSubstr("has more than 20000000 brackets"));
  std::string chain = R"([{"mesh":0)";
  for (int i = 1; i < 2000; ++i) chain += fmt::format(R"(,"children":[{}]}},{{"mesh":0)", i);
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, uri, chain + "}]")),
              HasSubstr("the nodes are nested deeper than 1000 levels"));
  std::string crowd = "[{}";
  for (int i = 0; i < 100'000; ++i) crowd += ",{}";
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(box, uri, crowd + "]")),
              HasSubstr("has 100001 nodes; the limit is 100000"));
  // A thousand nodes place a mesh of one triangle whose accessor has 60000 vertices.
  TriangleList sparse;
  sparse.position.assign(60'000, Vec3::Zero());
  sparse.triangle.push_back({0, 1, 2});
  std::string placed = R"([{"mesh":0})", roots = "[0";
  for (int i = 1; i < 1000; ++i) placed += R"(,{"mesh":0})", roots += fmt::format(",{}", i);
  EXPECT_THAT(sentence(folder, "a.gltf", gltf_text_of(sparse, embedded_uri(sparse), placed + "]", roots + "]")),
              HasSubstr("the meshes of its nodes have more than 50000000 vertices"));
  std::string huge = gltf_text_of(box, uri);
  huge.replace(huge.find("\"count\":8"), 9, "\"count\":4000000000");
  EXPECT_THAT(sentence(folder, "a.gltf", huge), HasSubstr("declares 4000000000 entries"));
  std::string glb = glb_of(box);
  EXPECT_THAT(sentence(folder, "a.glb", glb.substr(0, 100)), HasSubstr("first chunk"));
  EXPECT_THAT(sentence(folder, "a.glb", glb.substr(0, glb.size() - 40)), HasSubstr("data chunk declares"));
}

TEST(MeshFile, NoChangedByteCrashesOrHangsAReader) {
  const Scratch folder;
  static const char* const words[] = {"-1", "999999999", "4294967295", "1e400", "nan",  "",
                                      " ",  "\n",        "[]",         "{}",    "null", "0"};
  std::size_t read = 0, refused = 0;
  for (const auto& [name, whole] : every_format(box_mesh({1, 1, 1})))
    for (std::uint64_t i = 0; i < 120; ++i) {
      std::string bytes = whole;
      const auto draw = [&](std::uint64_t lane, std::size_t below) {
        return static_cast<std::size_t>(uniform(i, lane) * static_cast<double>(below));
      };
      for (std::uint64_t k = 0; k < 1 + i % 4 && !bytes.empty(); ++k) {
        const std::size_t at = draw(8 * k, bytes.size());
        switch (draw(8 * k + 1, 5)) {
          case 0: bytes[at] = static_cast<char>(draw(8 * k + 2, 256)); break;
          case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw(8 * k + 2, 8))); break;
          case 2: bytes.resize(at); break;
          case 3: bytes.insert(at, bytes.substr(draw(8 * k + 2, bytes.size()), draw(8 * k + 3, 32))); break;
          default: bytes.replace(at, draw(8 * k + 2, 6), words[draw(8 * k + 3, std::size(words))]); break;
        }
      }
      const auto mesh = load_mesh({folder.write(name, bytes), 1});
      (mesh ? read : refused)++;
      EXPECT_THAT(mesh ? name + ":" : mesh.error().message(), HasSubstr(name + ":"));
    }
  EXPECT_GT(read, 50U);
  EXPECT_GT(refused, 150U);
}

TEST(MeshFile, TheNoteSaysWhatWasDone) {
  const Scratch folder;
  TriangleList box = box_mesh({1, 1, 1});
  EXPECT_EQ(load_mesh({folder.write("fine.obj", obj_of(box)), 1})->note, "");
  box.triangle.pop_back();
  box.triangle.push_back({0, 0, 1});
  const std::string note = load_mesh({folder.write("open.obj", obj_of(box)), 1})->note;
  EXPECT_THAT(note, HasSubstr("open.obj: 1 triangle without area was omitted"));
  EXPECT_THAT(note, HasSubstr("the mesh is not closed (3 open edges), so the winding number of its triangles "
                              "determines which points are inside"));
}

}  // namespace
