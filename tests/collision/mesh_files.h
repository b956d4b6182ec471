// Writers of small mesh files in every format, valid or broken, for tests.
#pragma once

#include <bit>
#include <string>

#include <fmt/format.h>

#include "sim/collision/mesh/triangle_mesh.h"

namespace vw::test {

template <class T>
void put(std::string& bytes, T value, bool big = false) {
  std::string raw(reinterpret_cast<const char*>(&value), sizeof value);
  if (big != (std::endian::native == std::endian::big)) raw.assign(raw.rbegin(), raw.rend());
  bytes += raw;
}
inline void put_point(std::string& bytes, const Vec3& p, bool big = false) {
  for (int k = 0; k < 3; ++k) put(bytes, static_cast<float>(p[k]), big);
}

inline std::string obj_of(const TriangleList& list) {
  std::string text = "# a mesh\no thing\n";
  for (const Vec3& p : list.position) text += fmt::format("v {:.9g} {:.9g} {:.9g}\n", p.x(), p.y(), p.z());
  for (const auto& t : list.triangle) text += fmt::format("f {}/1/1 {}//2 {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

inline std::string stl_text_of(const TriangleList& list) {
  std::string text = "solid thing\n";
  for (const auto& t : list.triangle) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const std::uint32_t i : t)
      text += fmt::format("      vertex {:.9g} {:.9g} {:.9g}\n", list.position[i].x(), list.position[i].y(),
                          list.position[i].z());
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid thing\n";
}

inline std::string stl_binary_of(const TriangleList& list) {
  std::string bytes = "solid in name only";
  bytes.resize(80, ' ');
  put(bytes, static_cast<std::uint32_t>(list.triangle.size()));
  for (const auto& t : list.triangle) {
    put_point(bytes, Vec3::Zero());
    for (const std::uint32_t i : t) put_point(bytes, list.position[i]);
    put(bytes, std::uint16_t{0});
  }
  return bytes;
}

inline std::string ply_header(const std::string& format, std::uint64_t vertices, std::uint64_t faces) {
  return fmt::format(
      "ply\nformat {} 1.0\ncomment made by a test\nelement vertex {}\nproperty float x\nproperty float y\nproperty "
      "float z\n"
      "property uchar red\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      format, vertices, faces);
}

inline std::string ply_text_of(const TriangleList& list) {
  std::string text = ply_header("ascii", list.position.size(), list.triangle.size());
  for (const Vec3& p : list.position) text += fmt::format("{:.9g} {:.9g} {:.9g} 7\n", p.x(), p.y(), p.z());
  for (const auto& t : list.triangle) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
  return text;
}

inline std::string ply_binary_of(const TriangleList& list, bool big) {
  std::string bytes =
      ply_header(big ? "binary_big_endian" : "binary_little_endian", list.position.size(), list.triangle.size());
  for (const Vec3& p : list.position) put_point(bytes, p, big), put(bytes, std::uint8_t{7});
  for (const auto& t : list.triangle) {
    put(bytes, std::uint8_t{3});
    for (const std::uint32_t i : t) put(bytes, i, big);
  }
  return bytes;
}

inline std::string base64(const std::string& bytes) {
  static constexpr char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digit[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

/// Returns a binary buffer with the positions, followed by the indices.
inline std::string gltf_buffer_of(const TriangleList& list) {
  std::string bytes;
  for (const Vec3& p : list.position) put_point(bytes, p);
  for (const auto& t : list.triangle)
    for (const std::uint32_t i : t) put(bytes, static_cast<std::uint16_t>(i));
  return bytes;
}

inline const std::string one_node = R"([{"mesh":0}])";

/// Returns the text of a glTF file. `uri` is the text of the uri entry, including the key. It is empty for the data
/// chunk of a binary file.
inline std::string gltf_text_of(const TriangleList& list, const std::string& uri, const std::string& nodes = one_node,
                                const std::string& roots = "[0]") {
  const std::size_t points = 12 * list.position.size(), indices = 6 * list.triangle.size();
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":{}}}],"nodes":{},)"
      R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{{{}"byteLength":{}}}],)"
      R"("bufferViews":[{{"buffer":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}],)"
      R"("accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},{{"bufferView":1,"componentType":5123,"count":{},"type":"SCALAR"}}]}})",
      roots, nodes, uri, points + indices, points, points, indices, list.position.size(), 3 * list.triangle.size());
}

inline std::string embedded_uri(const TriangleList& list) {
  return R"("uri":"data:application/octet-stream;base64,)" + base64(gltf_buffer_of(list)) + "\",";
}

inline std::string glb_of(const TriangleList& list) {
  std::string json = gltf_text_of(list, ""), data = gltf_buffer_of(list);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  data.resize((data.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  put(bytes, std::uint32_t{2});
  put(bytes, static_cast<std::uint32_t>(28 + json.size() + data.size()));
  put(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  put(bytes, static_cast<std::uint32_t>(data.size()));
  bytes += std::string("BIN\0", 4) + data;
  return bytes;
}

}  // namespace vw::test
