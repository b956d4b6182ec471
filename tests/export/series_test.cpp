// Series of files with an index: .pvd with .vtp and .vti. The tests in tests/interop check the contents with VTK.
#include <gmock/gmock.h>

#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/export/vtk_xml.h"
#include "tests/export/exported.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PvdExport, WritesAFileForEachPieceAndOneForAPieceThatRests) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.pvd"), {test::snapshot_at(0), test::snapshot_at(0.5F)}), "");
  EXPECT_THAT(test::files_below(folder.folder()),
              ElementsAre("a.pvd", "a/blocks-bodies_000000.vtp", "a/blocks-bodies_000001.vtp", "a/blocks_000000.vtp",
                          "a/blocks_000001.vtp", "a/collider-ball_000000.vtp", "a/cube-skin_000000.vtp",
                          "a/cube-skin_000001.vtp", "a/cube_000000.vtp", "a/cube_000001.vtp", "a/drops_000000.vtp",
                          "a/drops_000001.vtp", "a/wind-grid_000000.vti"));
  const std::string index = test::bytes_of_file(folder.path("a.pvd"));
  EXPECT_THAT(index, HasSubstr("<DataSet timestep=\"0.5\" part=\"4\" name=\"drops\" file=\"a/drops_000001.vtp\"/>"));
  EXPECT_THAT(index,
              HasSubstr("timestep=\"0.5\" part=\"5\" name=\"collider-ball\" file=\"a/collider-ball_000000.vtp\""));
}

TEST(PvdExport, AFrameWithoutElementsIsWhole) {
  const test::Scratch folder;
  EXPECT_EQ(test::write_export(folder.path("a.pvd"), {test::snapshot_at(0, 0)}), "");
  EXPECT_THAT(test::bytes_of_file(folder.path("a/drops_000000.vtp")), HasSubstr("NumberOfPoints=\"0\""));
  EXPECT_EQ(test::write_export(folder.path("b.pvd"), {Snapshot{}}), "") << "no system at all";
  EXPECT_EQ(test::write_export(folder.path("c.pvd"), {}), "") << "no frame at all";
  EXPECT_THAT(test::bytes_of_file(folder.path("c.pvd")), HasSubstr("<Collection>\n</Collection>"));
}

TEST(PvdExport, NamesAreEscaped) {
  EXPECT_EQ(xml_text("a<b>&\"c\""), "a&lt;b>&amp;&quot;c&quot;");
  EXPECT_THAT(pvd_text({{0.1, 0, "a&b", "x/a&b.vtp"}}), HasSubstr("name=\"a&amp;b\" file=\"x/a&amp;b.vtp\""));
}

TEST(PvdExport, AFileInPlaceOfTheFolderIsAnError) {
  const test::Scratch folder;
  folder.write("a", "a file");
  EXPECT_THAT(test::write_export(folder.path("a.pvd"), {test::snapshot_at(0)}),
              HasSubstr("the folder cannot be created"));
  EXPECT_EQ(test::bytes_of_file(folder.path("a")), "a file");
  EXPECT_THAT(test::write_export(folder.path("no/such/a.pvd"), {}), HasSubstr("the folder cannot be created"));
}

TEST(PvdExport, AnUnwritableFolderIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  const test::Scratch folder;
  ASSERT_EQ(::chmod(folder.folder().c_str(), 0500), 0);
  EXPECT_NE(test::write_export(folder.path("a.pvd"), {test::snapshot_at(0)}), "");
  ASSERT_EQ(::chmod(folder.folder().c_str(), 0700), 0);
  EXPECT_TRUE(test::files_below(folder.folder()).empty());
}

TEST(Exports, EveryFormatIsWholeOrAbsentOnAFullDisk) {
  for (const ExportFormat& format : export_formats()) {
    if (!format.is_built) continue;
    const test::Scratch folder;
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{100, before.rlim_max};
    const auto old = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string error =
        test::write_export(folder.path("a" + format.ending), {test::snapshot_at(0), test::snapshot_at(1)});
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, old);
    EXPECT_THAT(error, HasSubstr("cannot be written")) << format.ending;
    EXPECT_THAT(test::files_below(folder.folder()), ElementsAre()) << format.ending;
  }
}

TEST(Exports, ManySystemsNeedFewOpenFiles) {
  Snapshot many = test::snapshot_at(0);
  for (int i = 0; i < 60; ++i) {
    SystemSnapshot system = test::drops(3, 0);
    system.name = "drops-" + std::to_string(i);
    many.systems.push_back(std::move(system));
  }
  const test::Scratch folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{200, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::string error = test::write_export(folder.path("a.npz"), {many, many});
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(error, "");
}

TEST(Exports, AFolderInWhichNothingCanBeCreatedIsAnError) {
  for (const ExportFormat& format : export_formats())
    if (format.is_built) {
      EXPECT_NE(test::write_export("/proc/a" + format.ending, {test::snapshot_at(0)}), "") << format.ending;
    }
}

TEST(Exports, AnUnknownEndingNamesTheEndings) {
  EXPECT_THAT(test::write_export("a.xyz", {}), testing::StartsWith("a.xyz: must end in one of .pvd"));
  EXPECT_NE(export_format_of("A.PVD"), nullptr) << "upper and lower case do not differ";
}

TEST(Exports, AWriterThatIsDroppedLeavesNoTemporaryFile) {
  for (const ExportFormat& format : export_formats()) {
    if (!format.is_built) continue;
    const test::Scratch folder;
    {
      auto writer =
          open_export(folder.path("a" + format.ending), {.title = {}, .every_s = 0.1, .camera = {}, .frame = {}});
      ASSERT_TRUE(writer) << writer.error().message();
      const Snapshot snapshot = test::snapshot_at(0);
      ASSERT_TRUE((*writer)->add(snapshot, test::frame_of(snapshot))) << format.ending;
    }
    for (const std::string& file : test::files_below(folder.folder()))
      EXPECT_FALSE(file.ends_with(".part")) << format.ending << ": " << file;
    EXPECT_FALSE(std::filesystem::exists(folder.path("a" + format.ending)) && format.ending != ".pvd")
        << format.ending << " appears only when it is whole";
  }
}

}  // namespace
}  // namespace vw
