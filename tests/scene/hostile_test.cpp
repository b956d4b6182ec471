// Malicious or damaged files. Each file must give a scene, or one error message that names the file, without a crash
// and with at most one gigabyte of memory. The files are read in a child process. A crash then only fails the test, and
// the operating system measures the memory of that process alone.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <random>

#include "scene_test_support.h"
#include "sim/scene/toml/toml_guard.h"
#include "sim/system/playback/recording.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "vox_builder.h"

namespace vw {
namespace {

using namespace scene_test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_ours = false;  // false with sanitizers, which need memory themselves
#elif defined(__has_feature)
constexpr bool memory_is_ours = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool memory_is_ours = true;
#endif

enum class Format { toml, design, robot, voxelyze, recording, magicavoxel, binvox };
constexpr int formats_in_test = 7;

struct Input {
  std::string label;
  Format format = Format::toml;
  std::string bytes;
  bool must_fail = false;  ///< false if the damaged file may still be valid
};

constexpr auto file_names =
    std::to_array<const char*>({"hostile.toml", "hostile.vxa", "hostile.vxd", "hostile.vxl.json", "hostile.history",
                                "hostile.vox", "hostile.binvox"});

Result<LoadedScene> read_as(const Input& input, const std::string& file) {
  switch (input.format) {
    case Format::toml: return read_scene_toml(input.bytes, file);
    case Format::design: return read_vxa(input.bytes, file);
    case Format::robot: return read_vxd({file, input.bytes}, {"hostile.vxd's base", small_design()});
    case Format::voxelyze: return read_vxl(input.bytes, file);
    case Format::magicavoxel: return read_vox(input.bytes, file);
    case Format::binvox: return read_binvox(input.bytes, file);
    case Format::recording: break;
  }
  if (const auto recording = parse_recording(input.bytes, file); !recording) return Unexpected(recording.error());
  return LoadedScene{make_node(scene_schema()), {}};
}

/// Returns the description of the fault in the handling of this input. The description is empty if there is no fault.
std::string trouble(const Input& input) {
  const std::string file = file_names[static_cast<std::size_t>(input.format)];
  auto scene = read_as(input, file);
  if (scene) {
    if (input.must_fail) return input.label + " was accepted";
    // An accepted scene must also survive the operations that follow reading: checking its references, making its
    // lattices, and saving.
    (void)check_references(scene->root);
    for (const Node* system : scene->root.all("system"))
      if (system->schema == &voxel_body_schema()) (void)make_lattice(*system, scene->root);
    const auto back = read_scene_toml(write_scene_toml(scene->root), "copy.toml");
    if (!back) return input.label + ": what was saved cannot be read: " + back.error().message();
    return same_node(back->root, scene->root) ? "" : input.label + ": what was saved reads back differently";
  }
  const std::string sentence = scene.error().message();
  if (sentence.rfind(file, 0) != 0) return input.label + ": does not name the file: " + sentence;
  if (sentence.size() > 700) return input.label + ": is no sentence but " + std::to_string(sentence.size()) + " bytes";
  for (const char c : sentence)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return input.label + ": holds a control character: " + sentence;
  return {};
}

/// Runs all inputs in a child process. Expects it to finish, to report no fault and to stay below one gigabyte.
void expect_harmless(const std::vector<Input>& inputs) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(pipe_ends[0]);
    for (const Input& input : inputs) {
      const std::string progress = "at " + input.label + "\n";
      (void)!write(pipe_ends[1], progress.data(), progress.size());
      if (std::string text = trouble(input); !text.empty()) {
        text = "TROUBLE " + text.substr(0, 2000) + "\n";
        (void)!write(pipe_ends[1], text.data(), text.size());
      }
    }
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string report;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    report.append(buffer, static_cast<std::size_t>(n));
  close(pipe_ends[0]);
  int status = 0;
  rusage usage{};
  ASSERT_EQ(wait4(child, &status, 0, &usage), child);
  const auto last = report.rfind("at ", report.size());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "the reader died " << (last == std::string::npos ? "" : report.substr(last));
  for (auto at = report.find("TROUBLE"); at != std::string::npos; at = report.find("TROUBLE", at + 1))
    ADD_FAILURE() << report.substr(at, report.find('\n', at) - at);
  constexpr long gigabyte_kb = 1L << 20;
  if (memory_is_ours) {
    EXPECT_LT(usage.ru_maxrss, gigabyte_kb) << "peak memory in kilobytes";
  }
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

/// Returns the text "head0tail" "head1tail" ... with `count` different numbers.
std::string numbered(const std::string& head, const std::string& tail, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) ((out += head) += std::to_string(i)) += tail;
  return out;
}

std::string small_scene() {
  Node scene = make_node(scene_schema());
  for (const Slot& slot : scene_schema().slots)
    if (slot.many)
      for (const Schema* kind : slot.kinds) {
        Node& child = add_child(scene, slot.name, kind->kind, kind->kind);
        for (std::size_t i = 0; i < child.values.size(); ++i) {
          // A written scene contains only keys whose values differ from the default, so every value is changed.
          if (auto* x = std::get_if<double>(&child.values[i]))
            *x = std::min(*x + 0.25, child.schema->params[i].bounds.max);
          if (auto* x = std::get_if<bool>(&child.values[i])) *x = !*x;
          if (auto* x = std::get_if<NumberList>(&child.values[i])) *x = {1, 2, 3};
          if (auto* x = std::get_if<TextList>(&child.values[i])) *x = {"a", "b"};
        }
      }
  return write_scene_toml(scene);
}

/// Returns damaged copies of a valid file. The damages are truncation, flipped bytes, duplicated and removed pieces,
/// and extreme numbers.
std::vector<Input> damaged(const std::string& good, Format format, std::size_t count, unsigned seed) {
  const char* monsters[] = {"nan",    "inf",
                            "-inf",   "1e999",
                            "-1e999", "99999999999999999999",
                            "-1",     "0",
                            "1e-320", "0x7fffffffffffffff",
                            "\"",     "[[[[",
                            "{",      "]]>",
                            "<",      "\xff\xfe",
                            "=",      "2147483648"};
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = good;
    const std::size_t at = below(text.size());
    switch (i % 5) {
      case 0: text.resize(at); break;
      case 1:
        for (std::size_t k = 0; k <= below(8); ++k) text[below(text.size())] = static_cast<char>(below(256));
        break;
      case 2: text.insert(below(text.size()), text.substr(at, 1 + below(400))); break;
      case 3: text.erase(at, 1 + below(60)); break;
      default: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const std::size_t end = text.find_first_not_of("0123456789.eE+-", digit);
        text.replace(digit, end - digit, monsters[below(std::size(monsters))]);
      }
    }
    inputs.push_back(
        {"damage " + std::to_string(i) + " of seed " + std::to_string(seed), format, std::move(text), false});
  }
  return inputs;
}

TEST(HostileFiles, DamagedScenesAreHarmless) { expect_harmless(damaged(small_scene(), Format::toml, 600, 1)); }

TEST(HostileFiles, DamagedDesignsAreHarmless) {
  auto inputs = damaged(small_design(), Format::design, 600, 2);
  const std::string folder = std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/";
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".vxa") continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
      for (auto& input : damaged(bytes, Format::design, 150, 3)) inputs.push_back(std::move(input));
    }
  expect_harmless(inputs);
}

/// Returns a recording with three frames of two voxels.
std::string small_recording() {
  const std::string voxels =
      "16.7,0.0,-0.0,1.0,0.01,0.00,0.00,-8.3,-8.3,-8.3,8.3,8.3,8.3,4,0.0,;33.3,0.0,-0.0,0.0,0.00,0.00,0.00,-8.3,-8.3,-"
      "8.3,8.3,8.3,8.3,3,0.0,;";
  std::string text =
      "log\n{{{setting}}}<rescale>0.001</rescale>\n{{{setting}}}<matcolor><id>1</id><r>0.1</r><g>0.9</g><b>0.9</"
      "b><a>0.9</a></matcolor>\n"
      "{{{setting}}}<voxel_size>0.016667</voxel_size>\n";
  for (const char* time : {"0.1", "0.2", "0.3"})
    text += "<<<Step1 Time:" + std::string(time) + ">>>" + voxels + "|[[[1]]]0,0,0,1,1,1,;[[[]]]<<<>>>\n";
  return text;
}

std::string small_robot() {
  return R"(<VXD><Structure replace="VXA.VXC.Structure" Compression="ASCII_READABLE"><X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels>
<Data><Layer>12</Layer></Data><PhaseOffset><Layer>0.1,0.2</Layer></PhaseOffset></Structure>
<Forces replace="VXA.Simulator.ForceField"><x_forcefield><mtCONST>0.5</mtCONST></x_forcefield></Forces>
<a replace="VXA.Environment.Thermal.TempPeriod">0.7</a></VXD>)";
}

std::string hostile_vxl() {
  return R"({"voxelSize": 0.005, "gravityAcceleration": 1.0, "materials": [{"youngsModulus": 1e6, "name": "gum", "red": 255, "density": 1100.0},
{"strainData": [0, 0.1, 0.3], "stressData": [0, 1e5, 1.5e5]}], "voxels": [-2, 5, 1, 0, -1, 5, 1, 1, -1, 5, 2, 1],
"externals": [{"fixed": [true, true, false, false, false, true], "translate": [0.001, 0, 0], "force": [1, 2, 3], "voxelIndices": [0, 2]}]})";
}

TEST(HostileFiles, DamagedRobotsAreHarmless) { expect_harmless(damaged(small_robot(), Format::robot, 600, 5)); }
TEST(HostileFiles, DamagedVoxelyzeDesignsAreHarmless) {
  expect_harmless(damaged(hostile_vxl(), Format::voxelyze, 600, 6));
}
TEST(HostileFiles, DamagedRecordingsAreHarmless) {
  expect_harmless(damaged(small_recording(), Format::recording, 600, 7));
}
TEST(HostileFiles, DamagedMagicaVoxelFilesAreHarmless) {
  expect_harmless(damaged(vox::every_chunk(), Format::magicavoxel, 3000, 8));
}
TEST(HostileFiles, DamagedBinvoxFilesAreHarmless) {
  const std::string runs("\1\2\0\4\1\1\0\1", 8);
  expect_harmless(
      damaged("#binvox 1\ndim 2 2 2\ntranslate -1 0 0.25\nscale 0.5\ndata\n" + runs, Format::binvox, 600, 9));
}

TEST(HostileFiles, RandomBytesAreHarmless) {
  std::mt19937 random(4);
  std::vector<Input> inputs;
  for (int i = 0; i < 200; ++i) {
    std::string bytes(std::uniform_int_distribution<std::size_t>(1, 3000)(random), '\0');
    const bool text = i % 2 == 0;
    for (char& c : bytes)
      c = static_cast<char>(std::uniform_int_distribution<int>(text ? 32 : 0, text ? 126 : 255)(random));
    inputs.push_back(
        {"random bytes " + std::to_string(i), static_cast<Format>(i / 2 % formats_in_test), std::move(bytes), true});
  }
  expect_harmless(inputs);
}

TEST(HostileFiles, DeepNestingEndsInASentence) {
  const std::size_t deep = 100'000;
  const auto toml = [](std::string label, std::string text) {
    return Input{std::move(label), Format::toml, std::move(text), true};
  };
  const auto xml = [](std::string label, std::string text) {
    return Input{std::move(label), Format::design, std::move(text), true};
  };
  expect_harmless({
      toml("a dotted header", "[" + repeated("a.", deep) + "a]\n"),
      toml("a dotted array header", "[[" + repeated("a.", deep) + "a]]\n"),
      toml("a dotted key", repeated("a.", deep) + "a = 1\n"),
      toml("a dotted key with blanks", repeated("a . ", deep) + "a = 1\n"),
      toml("a dotted key in quotes", repeated("\"a\".", deep) + "a = 1\n"),
      toml("arrays", "a = " + repeated("[", deep) + repeated("]", deep)),
      toml("open arrays", "a = " + repeated("[", deep)),
      toml("arrays over lines", "a = " + repeated("[\n", deep)),
      toml("inline tables", repeated("a={", deep)),
      toml("inline tables in arrays", "a = " + repeated("[{a=", deep)),
      toml("headers that grow",
           [] {
             std::string text, path = "a";
             for (int i = 0; i < 2000; ++i) (text += "[" + path + "]\n"), path += ".a";
             return text;
           }()),
      toml("dotted keys within deep headers",
           "[" + repeated("a.", 30) + "a]\n" + repeated("b.", 30) + "b = {" + repeated("c.", 30) + "c = 1}\n"),
      xml("elements", "<VXA>" + repeated("<a>", deep)),
      xml("closed elements", "<VXA>" + repeated("<VXC>", deep) + repeated("</VXC>", deep) + "</VXA>"),
      xml("regions within regions",
          replaced(small_design(), "<Fixed_Regions>", "<Fixed_Regions>" + repeated("<FRegion>", deep))),
      xml("entities", "<!DOCTYPE a [<!ENTITY b \"" + repeated("c", 1000) + "\">" +
                          repeated("<!ENTITY c \"&b;&b;&b;\">", 1000) + "]><VXA>&c;</VXA>"),
      xml("an open comment", "<VXA><!--" + repeated("-", deep)),
      {"elements of a robot", Format::robot, "<VXD>" + repeated("<a>", deep), true},
      {"closed elements of a robot", Format::robot, "<VXD>" + repeated("<a>", deep) + repeated("</a>", deep) + "</VXD>",
       true},
      {"a deep part", Format::robot,
       "<VXD><a replace=\"VXA.b\">" + repeated("<a>", deep) + repeated("</a>", deep) + "</a></VXD>", true},
      {"a long path", Format::robot, "<VXD><a replace=\"VXA" + repeated(".a", deep) + "\"/></VXD>", true},
      {"lists", Format::voxelyze, repeated("[", deep), true},
      {"objects", Format::voxelyze, repeated("{\"a\":", deep), true},
      xml("an open CDATA", "<VXA><![CDATA[" + repeated("]", deep)),
  });
}

/// Returns the title of a scene with this text, or the error message with which it is rejected. read_scene_toml()
/// passes characters beyond ASCII to toml++ as escapes, and this must not change the title.
std::string title_of(const std::string& title) {
  const auto scene = read_scene_toml("format = 1\n" + title + "\n[world]\ndt = 0.01\n", "a.toml");
  return scene ? std::get<std::string>(scene->root.value("title")) : scene.error().message();
}

TEST(HostileFiles, CharactersBeyondAsciiAreReadInAllKindsOfTexts) {
  const std::string e = "\u00e9", clef = "\U0001d11e", byte_order_mark = "\ufeff";
  for (const std::string& c : {e, clef, byte_order_mark, std::string("\u3000")}) {
    EXPECT_EQ(title_of("title = \"a" + c + "b\" # " + c), "a" + c + "b");
    EXPECT_EQ(title_of("title = \"\"\"\n" + c + "\n" + c + "\"\"\""), c + "\n" + c);
    EXPECT_EQ(title_of("title = \"\"\"a" + c + "\"\"\"\"\""), "a" + c + "\"\"") << "two quotes end the text";
    EXPECT_EQ(title_of("title = \"\"\"a\\\n\n  " + c + "\"\"\""), "a" + c) << "a backslash continues the line";
    EXPECT_EQ(title_of("title = \"\\\\" + c + "\\\"\""), "\\" + c + "\"") << "escapes of the text keep their meaning";
    EXPECT_EQ(title_of("title = '\\n\"" + c + "'"), "\\n\"" + c) << "a literal string has no escapes";
    EXPECT_EQ(title_of("title = '''\n\\" + c + "\"\"\"\n'''''"), "\\" + c + "\"\"\"\n''");
    EXPECT_EQ(title_of("\"title\" = \"" + c + "\""), c);
  }
  EXPECT_EQ(title_of("# " + e + "\ntitle = 'a'"), "a");
}

TEST(HostileFiles, CharactersBeyondAsciiAreRefusedElsewhere) {
  const std::string e = "\u00e9",
                    elsewhere = "a.toml:2: \"" + e + "\" is allowed only in a string in quotes or in a comment";
  for (const std::string& text : {e + " = 1", "a" + e + " = 1", "[" + e + "]", "title =" + e + " 'a'",
                                  "title = 'a' " + e, "title = \"\"\"a\"\"\"\"\"" + e, "title = 'a'" + e})
    EXPECT_EQ(title_of(text), elsewhere) << text;
  for (const std::string& text : {"title = \"\\" + e + "\"", "title = \"" + e, "title = '" + e,
                                  "title = 3\"" + e + "\"", "title = 3[\"" + e + "\"", "title = '" + e + "\n'"})
    EXPECT_THAT(title_of(text), ::testing::StartsWith("a.toml:2: ")) << text;
}

TEST(HostileFiles, EnormousOnesStayBelowAGigabyte) {
  const std::size_t full = std::size_t{64} << 20;  // the largest file size that is read
  const auto filled = [&](const std::string& head, const std::string& unit) {
    return head + repeated(unit, (full - head.size()) / unit.size());
  };
  // Each input is read in its own child process, so that the measured memory is that of one input.
  const auto alone = [](Input input) { expect_harmless({std::move(input)}); };
  alone({"a list of whole numbers", Format::toml, filled("a = [", "1,"), true});
  alone({"array tables", Format::toml, filled("", "[[a]]\n"), true});
  // The following inputs hold nearly as many values as max_toml_values allows, so the parser must store them.
  alone({"whole numbers to the limit", Format::toml, "a = [" + repeated("1,", max_toml_values - 10) + "]", true});
  alone({"array tables to the limit", Format::toml, repeated("[[a]]\n", max_toml_values / 8 - 10), true});
  alone({"materials to the limit", Format::toml, repeated("[[material]]\n", max_toml_values / 8 - 10), true});
  alone({"headers to the limit", Format::toml, numbered("[a", ".b]\n", max_toml_values / 4 - 10), true});
  alone({"keys to the limit", Format::toml, numbered("a", ".b=1\n", max_toml_values / 4 - 10), true});
  alone({"keys of many parts to the limit", Format::toml,
         numbered("a", repeated(".b", 29) + "=1\n", max_toml_values / (4 + 28 * 3) - 10), true});
  alone({"one long text", Format::toml, "title = \"" + std::string(full / 4, 'x') + "\"\n", false});
  alone({"one long key", Format::toml, std::string(full / 4, 'x') + " = 1\n", true});
  alone({"one long name", Format::toml, "[[material]]\nname = \"" + std::string(full / 4, 'x') + "!\"\n", true});
  alone({"a large file", Format::toml, std::string(full + 1, '#'), true});
  alone({"elements", Format::design, filled("<VXA>", "<a/>"), true});
  alone({"attributes", Format::design, filled("<VXA ", "a=\"\" "), true});
  alone({"text of foreign letters", Format::design, std::string("<VXA>") + std::string(full - 20, '\xe9'), true});
  alone({"a layer of text", Format::design, replaced(small_design(), "110200", std::string(full - 10'000, '1')), true});
  alone({"phases", Format::design,
         replaced(small_design(), "</Data>",
                  "</Data><PhaseOffset><Layer>" + repeated("1,", full / 4) + "</Layer></PhaseOffset>"),
         true});
}

/// This test takes twenty seconds, mostly to write the texts. It is therefore a validation test, which is not part of
/// every run.
TEST(HostileFilesValidation, EnormousRobotsDesignsAndRecordingsStayBelowAGigabyte) {
  const std::size_t full = std::size_t{64} << 20;  // the largest file size that is read
  const auto filled = [&](const std::string& head, const std::string& unit) {
    return head + repeated(unit, (full - head.size()) / unit.size());
  };
  // Each input is read in its own child process, so that the measured memory is that of one input.
  const auto alone = [](Input input) { expect_harmless({std::move(input)}); };
  alone({"parts of a robot", Format::robot, filled("<VXD>", "<a replace=\"VXA.b\"/>"), true});
  alone({"parts of a robot to the limit", Format::robot,
         "<VXD>" + repeated("<a replace=\"VXA.b\"><c/></a>", 1000) + "</VXD>", false});
  alone({"numbers of Voxelyze", Format::voxelyze, filled("{\"voxelSize\":1,\"materials\":[{}],\"voxels\":[", "1,"),
         true});
  alone({"numbers of Voxelyze to the limit", Format::voxelyze,
         "{\"voxelSize\":1,\"materials\":[{}],\"voxels\":[" + repeated("1,1,1,0,", (std::size_t{1} << 21) - 10) +
             "1,1,1,0]}",
         false});
  alone({"members of Voxelyze to the limit", Format::voxelyze, "{" + numbered("\"a", "\":1,", 999'990) + "\"b\":1}",
         true});
  alone({"lists of Voxelyze to the limit", Format::voxelyze,
         "{\"voxelSize\":1,\"materials\":[" + repeated("[],", (std::size_t{1} << 22) - 10) + "[]]}", true});
  alone({"one long line of a recording", Format::recording, std::string(full, '1'), true});
  alone({"frames", Format::recording, repeated("<<<Step0 Time:0>>><<<>>>\n", std::size_t{2} << 20), false});
  alone({"frames at times of their own", Format::recording,
         numbered("<<<Step0 Time:", ">>><<<>>>\n", max_recorded_frames + 1), true});
  const std::string records = repeated("0,0,0,0,0,0,0,0,0,0,0,0,0,0;", 1000);
  alone({"records to the limit", Format::recording,
         "<<<Step0 Time:0>>>" + repeated(records, max_recorded_voxels / 1000) + "<<<>>>", false});
  alone({"records beyond", Format::recording,
         "<<<Step0 Time:0>>>" + repeated(records, max_recorded_voxels / 1000 + 1) + "<<<>>>", true});
  const auto alone_vox = [&](const char* label, const std::string& chunks) {
    alone({label, Format::magicavoxel, vox::file(chunks), true});
  };
  alone_vox("nodes", repeated(vox::transform(0, 1), full / 41));
  alone_vox("nodes to the limit", vox::model({1, 1, 1}, {{0, 0, 0, 1}}) + repeated(vox::transform(0, 1), 1'048'570));
  alone_vox("models", repeated(vox::model({1, 1, 1}, {}), full / 41));
  alone_vox("layers", repeated(vox::layer(1, {{"_hidden", "1"}}), full / 46));
  alone_vox("child nodes",
            vox::model({1, 1, 1}, {{0, 0, 0, 1}}) +
                vox::chunk("nGRP", vox::numbers({0, 0, (1 << 24) - 100}) + repeated(vox::number(1), (1 << 24) - 100)));
  std::string cells = vox::number((1 << 24) - 100);
  for (int i = 0; i < (1 << 24) - 100; ++i)
    for (const int byte : {i & 255, i >> 8 & 255, i >> 16, 1}) cells += static_cast<char>(byte);
  alone_vox("voxels", vox::chunk("SIZE", vox::numbers({256, 256, 256})) + vox::chunk("XYZI", cells));
  const std::string empty_run("\0\xff", 2);
  alone({"empty runs", Format::binvox, filled("#binvox 1\ndim 1000000 8000 1\ndata\n", empty_run), true});
  alone({"filled runs", Format::binvox, filled("#binvox 1\ndim 1000000 8000 1\ndata\n", "\1\xff"), true});
  alone({"colours", Format::recording, numbered("{{{setting}}}<matcolor><id>", "</id></matcolor>\n", 60'000), true});
}

TEST(HostileFiles, ImpossibleDesignsAreRefused) {
  std::vector<Input> inputs;
  const auto add = [&](const std::string& from, const std::string& to) {
    inputs.push_back({from + " -> " + to.substr(0, 40), Format::design, replaced(small_design(), from, to), true});
  };
  for (const char* size : {"0", "-1", "1e9", "2147483648", "4294967297", "1.5", "nan", "inf", "x", "1e400"})
    for (const char* axis : {"<X_Voxels>3", "<Y_Voxels>2", "<Z_Voxels>2"}) add(axis, std::string(axis, 10) + size);
  for (const char* value : {"nan", "inf", "-inf", "1e400", "-1", "0", "1e300", "soft", "1,5"})
    for (const char* leaf : {"<Elastic_Mod>5e+006", "<Density>1e+3", "<Lattice_Dim>0.02", "<TempPeriod>0.2"}) {
      const std::string at = leaf;
      if (at.find("TempPeriod") != std::string::npos && (std::string(value) == "0" || std::string(value) == "-1"))
        continue;  // In VoxCAD this value means that there is no temperature change.
      add(at, at.substr(0, at.find('>') + 1) + value);
    }
  add("ASCII_READABLE", "ZLIB");
  add("<Palette>", "<Palettte>");
  add("</Structure>", "");
  add("<Structure", "<Strukture");
  add("<![CDATA[110200]]>", "<![CDATA[//////]]>");
  add("<![CDATA[110200]]>", std::string("<![CDATA[11\0 200]]>", 18));
  expect_harmless(inputs);
}

}  // namespace
}  // namespace vw
