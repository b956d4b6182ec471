// Reads a .glb file with tinygltf and prints the numbers of nodes, meshes and animation channels, the last time of the
// animation, and the last translation of each animated node.
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#include <cstdio>
#include <cstring>
#include <string>

#include <tiny_gltf.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  tinygltf::TinyGLTF loader;
  tinygltf::Model model;
  std::string problem, warning;
  if (!loader.LoadBinaryFromFile(&model, &problem, &warning, words[1]) || !problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    return 1;
  }
  std::printf("{\"nodes\": %zu, \"meshes\": %zu, \"warning\": \"%s\", \"last\": {", model.nodes.size(),
              model.meshes.size(), warning.c_str());
  const char* comma = "";
  double last_time = 0;
  std::size_t channels = 0;
  for (const tinygltf::Animation& animation : model.animations)
    for (const tinygltf::AnimationChannel& channel : animation.channels) {
      ++channels;
      const tinygltf::AnimationSampler& sampler = animation.samplers[static_cast<std::size_t>(channel.sampler)];
      const auto last_of = [&](int accessor_index, float* out, std::size_t width) {
        const tinygltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(accessor_index)];
        const tinygltf::BufferView& view = model.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
        const std::size_t stride = static_cast<std::size_t>(accessor.ByteStride(view));
        const unsigned char* first =
            model.buffers[static_cast<std::size_t>(view.buffer)].data.data() + view.byteOffset + accessor.byteOffset;
        std::memcpy(out, first + (accessor.count - 1) * stride, width * sizeof(float));
      };
      float time = 0, place[3] = {};
      last_of(sampler.input, &time, 1);
      last_time = time;
      if (channel.target_path != "translation") continue;
      last_of(sampler.output, place, 3);
      std::printf("%s\"%s\": [%.9g, %.9g, %.9g]", comma,
                  model.nodes[static_cast<std::size_t>(channel.target_node)].name.c_str(),
                  static_cast<double>(place[0]), static_cast<double>(place[1]), static_cast<double>(place[2]));
      comma = ", ";
    }
  std::printf("}, \"channels\": %zu, \"time\": %.9g}\n", channels, last_time);
  return 0;
}
