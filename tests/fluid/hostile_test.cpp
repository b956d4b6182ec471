// Fluid settings that are impossible or very probably unintended. The fluid either handles such a setting or rejects it
// with one error message, which states the key, the value and the expected range. The valid ranges come from the
// parameter tables.
#include <fmt/format.h>

#include "tests/fluid/fluid_world.h"

namespace vw {
namespace {

using namespace test;

std::string fill_of(const std::string& values) { return fill_text("box", "pool", values); }

TEST(FluidHostile, NumbersThatNoFluidHasAreRefusedByTheirKeys) {
  for (const char* key : {"spacing", "density_error", "divergence_error", "cfl", "max_dt", "stiffness",
                          "stiffness_exponent", "viscosity_error", "smoothing", "wall_friction", "wall_adhesion",
                          "miscibility", "spin_viscosity", "spin_inertia", "shifting", "central_pull"})
    for (const char* value : {"-1.0", "nan", "inf", "1e30", "\"deep\"", "true", "[1.0, 2.0]"}) {
      const std::string said = refusal(water_text(fmt::format("{} = {}", key, value), ""));
      EXPECT_EQ(said.find(fmt::format("pool.toml:7: system.water.{} = ", key)), 0U)
          << key << " = " << value << ": " << said;
      EXPECT_NE(said.find(": must "), std::string::npos) << said;
    }
  for (const char* key : {"density", "viscosity", "tension"})
    for (const char* value : {"-1.0", "nan", "1e30", "\"heavy\""})
      EXPECT_EQ(refusal(water_text("", fmt::format("[[system.phase]]\nname = \"p\"\n{} = {}\n", key, value)))
                    .find(fmt::format("pool.toml:10: system.water.phase.p.{} = ", key)),
                0U)
          << key << value;
}

TEST(FluidHostile, WordsAndCountsAreRefusedWithWhatIsKnown) {
  EXPECT_EQ(refusal(water_text("capacity = 0", "")), "pool.toml:7: system.water.capacity = 0: must lie in [1, 1e+08]");
  EXPECT_EQ(refusal(water_text("", fill_text("blob", "pool", ""))),
            "pool.toml:9: system.water.fill.kind = \"blob\": must be one of box, capsule, cylinder, mesh, sphere (did "
            "you mean \"box\"?)");
  EXPECT_EQ(refusal(water_text("method = \"sph\"", "")),
            "pool.toml:7: system.water.method = \"sph\": must be one of dfsph, wcsph (did you mean \"dfsph\"?)");
  EXPECT_EQ(
      refusal(water_text("bogus = 1", "")).find("pool.toml:7: system.water.bogus: unknown key \"bogus\" of fluid"), 0U);
  std::string phases;
  for (int i = 0; i < 251; ++i) phases += fmt::format("[[system.phase]]\nname = \"p{}\"\n", i);
  EXPECT_EQ(refusal(water_text("", phases)), "system.water.phase = 251 tables: must have at most 250 tables");
}

TEST(FluidHostile, AFillOutsideTheDomainIsRefused) {
  EXPECT_EQ(
      refusal(water_text("domain_size = [1.0, 1.0, 1.0]", fill_of("position = [5, 0, 0]\nsize = [0.2, 0.2, 0.2]"))),
      "system.water.fill.pool = no particle in the fluid's domain: must overlap the domain, which is the box of size "
      "domain_size around domain_center");
}

TEST(FluidHostile, WhereWallsOrABodyLeaveNoRoomNobodyIsPlaced) {
  const std::string pool = fill_of("position = [0.2, 0.2, 0.2]\nsize = [0.2, 0.2, 0.2]");
  const auto walled =
      world_from(water_text("", pool) + "[[collider]]\nkind = \"box\"\nname = \"block\"\nsize = [2.0, 2.0, 2.0]\n");
  EXPECT_EQ(water_of(*walled).elements().size(), 0U);
  EXPECT_EQ(total_of(*walled, "not_placed"), 1000);
  run_until(*walled, 0.05);
  const auto filled =
      world_from(water_text("", pool) + tank_text({0.4, 0, 0.4}) +
                 "[[system]]\nkind = \"rigid\"\nname = \"bodies\"\n[[system.body]]\nkind = \"box\"\nname = \"b\"\n"
                 "position = [0.2, 0.2, 0.2]\nsize = [0.4, 0.4, 0.4]\n");
  for (const double until : {0.0, 0.05}) {  // at 0, the world has not made a step
    run_until(*filled, until);
    EXPECT_EQ(water_of(*filled).elements().size(), 0U);
    EXPECT_EQ(total_of(*filled, "not_placed"), 1000);
  }
}

}  // namespace
}  // namespace vw
