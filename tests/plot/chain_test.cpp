// The chain of the scene lab-chain. With friction, Newton's law of restitution would add energy at the impact.
#include "plot_scene.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using plot_test::Measured;

TEST(Lab, AChainThatStrikesTheGroundGainsNoEnergyByOneImpulseNorInSmallSteps) {
  Measured measured(test::packaged_scene("lab-chain"));
  measured.run(0.02);
  const double came = measured.last("energy", "came"), one = measured.last("energy", "one"),
               many = measured.last("energy", "many");
  EXPECT_NEAR(one / came, 2.94, 0.01) << "Newton's law of restitution, in closed form";
  EXPECT_NEAR(many / came, 0.517, 0.001) << "Routh's integration";
  // Newton's law would add nearly twice the incoming energy. Instead, the coefficient of restitution is reduced to the
  // largest value that adds no energy.
  test::expect_case("rigid", "chain strikes the ground: energy after one impulse, of what came",
                    measured.last("energy", "impulse") / came, 1, 0.01);
  EXPECT_LT(measured.last("energy", "impulse"), came * 1.0001);
  // The tolerance is 5 %, because the chain rotates by some mrad while the pad is compressed, and because the pad has a
  // thousandth of the chain's mass.
  test::expect_case("rigid", "chain strikes the ground: energy after small steps, of what came",
                    measured.last("energy", "resolved") / came, many / came, 0.05);
  EXPECT_LT(measured.greatest("energy", "resolved"), 1.01 * came) << "more energy than before the impact";
  double hardest = 0, longest = 0;
  for (std::size_t row = 1; row < measured.rows() && measured.time(row) < 0.01; ++row) {
    const double push = -measured.value(row, measured.column("pad", "spring"));
    hardest = std::max(hardest, push);
    if (push > 100) longest += measured.time(row) - measured.time(row - 1);
  }
  // The contact lasts half a period of the effective mass of 1.5 kg on the pad's spring of 2.2e6 N/m.
  EXPECT_GT(hardest, 2000);
  EXPECT_NEAR(longest, 3e-3, 1e-3);
}

}  // namespace
}  // namespace vw
