// Cache of generated fields on disk: stored fields are found again, and a faulty cache never stops a run.
#include "sim/field/field_cache.h"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sim/base/files/file.h"
#include "tests/field/spectral_case.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using test::Variable;
namespace fs = std::filesystem;

class FieldCacheTest : public testing::Test {
 protected:
  test::Scratch scratch_;
  fs::path folder_ = scratch_.path("fields");
};

const std::vector<float> numbers{1, -2.5F, 3e-20F, 0};

TEST_F(FieldCacheTest, WhatWasKeptIsFoundUnderItsKeyAlone) {
  const FieldCache cache(folder_);
  EXPECT_FALSE(cache.find("a", 4));
  cache.keep("a", numbers);
  ASSERT_TRUE(cache.find("a", 4));
  EXPECT_EQ(*cache.find("a", 4), numbers);
  EXPECT_FALSE(cache.find("b", 4));
  EXPECT_FALSE(cache.find("a", 3));
  EXPECT_FALSE(cache.find("a", std::size_t{1} << 40));
}

TEST_F(FieldCacheTest, ADamagedFileIsNoFile) {
  const FieldCache cache(folder_);
  cache.keep("key", numbers);
  const std::string path = cache.path_of("key"), good = *read_file(path, 1 << 20);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_FALSE(cache.find("key", 4)) << "byte " << i;
  }
  for (const std::string& bad : {std::string(), good.substr(0, 20), good.substr(0, good.size() - 1), good + "x",
                                 std::string(good.size(), '\xff')}) {
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_FALSE(cache.find("key", 4));
  }
  cache.keep("key", numbers);
  EXPECT_TRUE(cache.find("key", 4));
}

TEST_F(FieldCacheTest, NumbersThatAreNoneAreNotTaken) {
  const FieldCache cache(folder_);
  cache.keep("nan", std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_FALSE(cache.find("nan", 2));
}

TEST_F(FieldCacheTest, AnotherFieldsFileInItsPlaceIsNotTaken) {
  const FieldCache cache(folder_);
  cache.keep("one", numbers);
  fs::copy_file(cache.path_of("one"), cache.path_of("two"));
  EXPECT_FALSE(cache.find("two", 4));
}

TEST_F(FieldCacheTest, WhatIsNoFileOrCannotBeWrittenStopsNobody) {
  FieldCache("/dev/null/fields").keep("a", numbers);
  EXPECT_FALSE(FieldCache("/dev/null/fields").find("a", 4));
  FieldCache("").keep("a", numbers);
  EXPECT_FALSE(FieldCache("").find("a", 4));
  const FieldCache cache(folder_);
  fs::create_directories(cache.path_of("folder"));
  cache.keep("folder", numbers);
  EXPECT_FALSE(cache.find("folder", 4));
  ASSERT_EQ(::mkfifo(cache.path_of("pipe").c_str(), 0600), 0);
  cache.keep("pipe", numbers);  // The file is a pipe without a reader. Opening it would block forever.
  EXPECT_FALSE(cache.find("pipe", 4));
}

TEST_F(FieldCacheTest, TheFilesLeastLatelyUsedMakeRoom) {
  const std::vector<float> many(1000, 1.0F);  // its file has 4 kB and a header
  const FieldCache cache(folder_, 13000);
  const auto age = [&](const char* key, int hours) {
    fs::last_write_time(cache.path_of(key), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  cache.keep("oldest", many);
  age("oldest", 5);
  cache.keep("used", many);
  age("used", 6);
  cache.keep("young", many);
  std::ofstream(folder_ / "notes.txt") << "not ours";
  EXPECT_TRUE(cache.find("used", 1000));  // the lookup makes it the most recently used file
  cache.keep("new", many);
  EXPECT_FALSE(cache.find("oldest", 1000));
  EXPECT_TRUE(cache.find("used", 1000));
  EXPECT_TRUE(cache.find("young", 1000));
  EXPECT_TRUE(cache.find("new", 1000));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
  cache.keep("too large", std::vector<float>(4000));
  EXPECT_FALSE(cache.find("too large", 4000));
  EXPECT_TRUE(cache.find("new", 1000));
}

TEST_F(FieldCacheTest, TheEnvironmentSaysWhere) {
  {
    const Variable own("VOXWAKE_CACHE", "/there");
    EXPECT_EQ(field_cache_folder(), "/there");
  }
  {
    const Variable own("VOXWAKE_CACHE", "off");
    EXPECT_EQ(field_cache_folder(), "");
  }
  const Variable own("VOXWAKE_CACHE", ""), cache("XDG_CACHE_HOME", "/caches"), home("HOME", "/home/me");
  EXPECT_EQ(field_cache_folder(), "/caches/voxwake/fields");
  const Variable none("XDG_CACHE_HOME", "");
  EXPECT_EQ(field_cache_folder(), "/home/me/.cache/voxwake/fields");
  const Variable homeless("HOME", "");
  EXPECT_EQ(field_cache_folder(), "");
}

TEST_F(FieldCacheTest, AFieldFromDiskHasTheBitsOfOneMadeAnew) {
  SpectralRecipe recipe = test::power_recipe(-5.0 / 3, 21);
  recipe.time = SpectralTime::periodic;
  recipe.spread_mps = 0.5;
  recipe.repeat_s = 8;
  const auto files = [&] { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); };
  const Variable own("VOXWAKE_CACHE", folder_.string());
  const GridValues first = test::values_of(recipe, 0.4);
  ASSERT_EQ(files(), 1);
  EXPECT_TRUE(test::same_bits(first, test::values_of(recipe, 0.4)));
  recipe.rms = 2;  // rms and compensation are not part of the key: one file serves all values
  recipe.compensation = Compensation::cubic;
  (void)test::values_of(recipe, 0.4);
  EXPECT_EQ(files(), 1);
  recipe.rms = 1;
  recipe.compensation = Compensation::none;
  for (const auto& file : fs::directory_iterator(folder_)) fs::resize_file(file.path(), 1000);
  EXPECT_TRUE(test::same_bits(first, test::values_of(recipe, 0.4)));
  const Variable off("VOXWAKE_CACHE", "off");
  EXPECT_TRUE(test::same_bits(first, test::values_of(recipe, 0.4)));
}

}  // namespace
}  // namespace vw
