// The material library: the packaged files, hostile files, and the user's folder.
#include <gtest/gtest.h>

#include "sim/scene/materials/material_library.h"
#include "sim/scene/scene.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

const std::string putty_head = "title = \"Putty\"\ngroup = \"test\"\nstate = \"solid\"\n";
const std::string putty_density =
    "[density]\nvalue = 1800\nsource = \"Handbook, Table 1: 1800 kg/m^3\"\nchecked = \"read\"\n";

std::string putty_error(const std::string& text) {
  const auto material = read_material(text, "putty.toml", "putty");
  return material ? std::string() : material.error().message();
}

TEST(Materials, AFileGivesFiguresWithTheirSources) {
  const auto material =
      read_material(putty_head + "note = \"Soft.\"\ncolor = [0.1, 0.2, 0.3]\n" + putty_density +
                        "[cte]\nvalue = 1e-5\nat = \"20 °C\"\n" + "source = \"Data sheet\"\nchecked = \"cited\"\n",
                    "putty.toml", "putty");
  ASSERT_TRUE(material) << material.error().message();
  EXPECT_EQ(material->name, "putty");
  EXPECT_EQ(material->title, "Putty");
  EXPECT_EQ(material->state, MatterState::solid);
  EXPECT_EQ(material->color, Vec3(0.1, 0.2, 0.3));
  ASSERT_EQ(material->figures.size(), 2U);
  const MaterialFigure& density = *material->find("density");
  EXPECT_EQ(density.value, 1800);
  EXPECT_EQ(figure_text(density), "1800 kg/m^3");
  EXPECT_TRUE(density.read);
  EXPECT_EQ(density.source, "Handbook, Table 1: 1800 kg/m^3");
  EXPECT_FALSE(material->find("cte")->read);
  EXPECT_EQ(material->find("cte")->at, "20 °C");
  EXPECT_EQ(material->find("youngs_modulus"), nullptr);
}

TEST(Materials, AFigureWithoutASourceIsAnError) {
  EXPECT_EQ(putty_error(putty_head + "[density]\nvalue = 1800\nchecked = \"read\"\n"),
            "putty.toml:4: density.source: is missing; expected the document that gives the figure");
  EXPECT_EQ(putty_error(putty_head + "[density]\nvalue = 1800\nsource = \"  \"\nchecked = \"read\"\n"),
            "putty.toml:4: density.source: is missing; expected the document that gives the figure");
  EXPECT_EQ(putty_error(putty_head + "[density]\nsource = \"a\"\nchecked = \"read\"\n"),
            "putty.toml:4: density.value: is missing");
  EXPECT_EQ(putty_error(putty_head + "[density]\nvalue = 1800\nsource = \"a\"\n"),
            "putty.toml:4: density.checked: is missing; expected \"read\" or \"cited\"");
}

TEST(Materials, AnErrorNamesLineKeyValueAndValidValues) {
  const auto names = [](const std::string& text, const std::string& part) {
    const std::string said = putty_error(text);
    EXPECT_TRUE(said.starts_with("putty.toml:")) << said;
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  names(putty_head + "[density]\nvalue = -1\n", "putty.toml:5: density.value = -1");
  names(putty_head + "[density]\nvalue = nan\n", "density.value");
  names(putty_head + "[density]\nvalue = \"heavy\"\n", "density.value");
  names(putty_head + "[density]\nvalue = 1e30\n", "density.value");
  names(putty_head + "[densty]\nvalue = 1\n", "did you mean \"density\"");
  names(putty_head + "[[density]]\nvalue = 1\n", "write it as [density]");
  names(putty_head + "density = 3\n", "density");
  names(putty_head + "color = [0, 0, 2]\n" + putty_density, "color");
  names(putty_head + "color = \"red\"\n" + putty_density, "color");
  names("group = \"test\"\nstate = \"solid\"\n" + putty_density, "title: is missing");
  names("title = \"a\"\ngroup = \"test\"\nstate = \"plasma\"\n" + putty_density, "state = ");
  names(putty_head, "contains no figure");
  names("", "title: is missing");
  names("title = \"a\nb\"", "putty.toml");
  names("\xFF\xFE", "putty.toml");
  names(std::string("title = \"\0\"", 11), "putty.toml");
  names(std::string(5000, '['), "putty.toml");
  names(putty_head + "density = {value = {value = {value = 1}}}\n", "density.value");
}

TEST(Materials, ABadFileDoesNotHideTheOthersAndTheUsersFileReplacesAPackagedOne) {
  const test::Scratch folder;
  folder.write("packaged/putty.toml", putty_head + putty_density);
  folder.write("packaged/broken.toml", putty_head);
  folder.write("packaged/notes.txt", "not a material");
  folder.write("mine/putty.toml", "title = \"My putty\"\ngroup = \"a\"\nstate = \"solid\"\n" + putty_density);
  folder.write("mine/wax.toml", "title = \"Wax\"\ngroup = \"a\"\nstate = \"solid\"\n" + putty_density);
  const std::vector<std::string> folders{folder.folder() + "/packaged", folder.folder() + "/mine",
                                         folder.folder() + "/none", ""};
  const MaterialLibrary library = read_material_library(folders);
  ASSERT_EQ(library.materials.size(), 2U);
  EXPECT_EQ(library.materials[0].title, "My putty");
  EXPECT_EQ(library.materials[1].title, "Wax");
  EXPECT_NE(library.find("wax"), nullptr);
  EXPECT_EQ(library.find("broken"), nullptr);
  ASSERT_EQ(library.errors.size(), 1U);
  EXPECT_NE(library.errors[0].message().find("broken.toml: contains no figure"), std::string::npos)
      << library.errors[0].message();
}

TEST(Materials, ThePackagedFilesHavePlausibleFiguresAndSources) {
  const std::vector<std::string> folders{packaged_materials_folder()};
  const MaterialLibrary library = read_material_library(folders);
  for (const Error& error : library.errors) ADD_FAILURE() << error.message();
  EXPECT_GE(library.materials.size(), 27U);
  for (const LibraryMaterial& material : library.materials) {
    EXPECT_FALSE(material.note.empty()) << material.name;
    ASSERT_NE(material.find("density"), nullptr) << material.name;
    // Separates gases from other materials: air is lighter than 2 kg/m^3 at every height, and the lightest foam is ten
    // times heavier.
    const double density = material.find("density")->value;
    EXPECT_EQ(density < 2, material.state == MatterState::gas) << material.name;
    EXPECT_EQ(material.find("youngs_modulus") != nullptr, material.state == MatterState::solid) << material.name;
    EXPECT_EQ(material.find("dynamic_viscosity") != nullptr, material.state != MatterState::solid) << material.name;
    // The strength may exceed the modulus, because rubbers break at strains of several hundred percent. It may not be
    // 50 times as large.
    const MaterialFigure* strength = material.find("failure_stress");
    if (strength != nullptr) {
      EXPECT_LT(strength->value, 50 * material.find("youngs_modulus")->value) << material.name;
    }
    for (const MaterialFigure& figure : material.figures) {
      EXPECT_GT(figure.source.size(), 20U) << material.name << "." << figure.kind->key;
      EXPECT_GE(figure.value, figure.kind->bounds.min);
      EXPECT_LE(figure.value, figure.kind->bounds.max);
      // The source of a figure must not be a repository of code, except that one data set is published in such a
      // repository.
      const bool is_repository = figure.source.find("github.com") != std::string::npos;
      const bool is_data_set = figure.source.find("Phantom Material Database") != std::string::npos;
      EXPECT_TRUE(!is_repository || is_data_set) << material.name << "." << figure.kind->key << ": " << figure.source;
    }
  }
}

}  // namespace
}  // namespace vw
