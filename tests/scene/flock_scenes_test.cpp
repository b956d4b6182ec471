// Packaged scenes with flocks: after each step no member is inside a collider, a rigid body or a voxel.
#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "scene_test_support.h"
#include "sim/collision/collider.h"
#include "sim/system/flock/flock.h"
#include "sim/system/rigid/rigid.h"
#include "sim/world/world.h"
#include "tests/support/packaged.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

/// Runs a packaged scene. After each step, measures the distance of every member of its flocks from all solids.
class Course {
 public:
  explicit Course(const std::string& name) {
    Node scene = test::packaged_scene(name);
    for (const Node* node : scene.all("collider")) {
      Collider collider = test::checked(make_collider(*node));
      EXPECT_TRUE(collider.velocity.isZero() && collider.angular_velocity.isZero())
          << node->name << ": the test supports only obstacles that stand still";
      colliders_.push_back(std::move(collider));
    }
    world_ = test::checked(World::create(std::move(scene)));
    for (std::size_t i = 0; i < world_->system_count(); ++i) {
      if (const auto* flock = dynamic_cast<const FlockSystem*>(&world_->system(i))) flocks_.push_back(flock);
      if (const auto* rigid = dynamic_cast<const RigidSystem*>(&world_->system(i)))
        rigid_.push_back(rigid);
      else if (!world_->system(i).elements().orientation.empty())
        voxels_.push_back(&world_->system(i));
    }
    EXPECT_FALSE(flocks_.empty());
  }

  void run(double until_s) {
    while (world_->time() < until_s && world_->step()) look();
    EXPECT_FALSE(world_->health().failed) << world_->health().sentence();
  }
  World& world() { return *world_; }
  [[nodiscard]] const FlockSystem& flock() const { return *flocks_.front(); }

  /// `checks` counts the tests of one member after one step. `inside` counts those in which the member's centre was
  /// inside a solid.
  std::size_t checks = 0, inside = 0;
  /// Smallest distance of a member's centre from a surface, divided by the radius of the member.
  double nearest_radii = std::numeric_limits<double>::infinity();

 private:
  void look() {
    for (const FlockSystem* flock : flocks_) {
      const Elements& rows = flock->rows().elements;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double distance = distance_to_solids(rows.position[i], 2 * rows.radius[i]);
        ++checks;
        inside += distance < 0 ? 1 : 0;
        nearest_radii = std::min(nearest_radii, distance / rows.radius[i]);
      }
    }
  }
  [[nodiscard]] double distance_to_solids(const Vec3& place, double reach) const {
    double nearest = reach;
    for (const Collider& collider : colliders_) nearest = std::min(nearest, query(collider, place, reach).distance);
    for (const RigidSystem* rigid : rigid_) {
      const Elements& rows = rigid->elements();
      for (std::size_t b = 0; b < rows.size(); ++b) {
        const RigidBody& body = rigid->bodies()[b];
        if ((place - rows.position[b]).norm() > body.reach_m + reach) continue;
        const Pose pose = body.shape_at(rows.position[b], rows.orientation[b]);
        nearest = std::min(nearest,
                           query(body.shape, pose.orientation.conjugate() * (place - pose.position), reach).distance);
      }
    }
    for (const System* body : voxels_) {
      const Elements& rows = body->elements();
      for (std::size_t v = 0; v < rows.size(); ++v) {
        const double half = rows.radius[v];
        if ((place - rows.position[v]).squaredNorm() > 4 * (half + reach) * (half + reach)) continue;
        nearest = std::min(nearest, query(Shape(BoxShape{Vec3::Constant(half)}),
                                          rows.orientation[v].conjugate() * (place - rows.position[v]), reach)
                                        .distance);
      }
    }
    return nearest;
  }

  std::vector<Collider> colliders_;
  std::unique_ptr<World> world_;
  std::vector<const FlockSystem*> flocks_;
  std::vector<const RigidSystem*> rigid_;
  std::vector<const System*> voxels_;
};

constexpr std::array flock_scenes{"school", "gusty-tower", "fish-and-raft", "shark", "showcase"};

TEST(FlockScenes, NoMemberIsInsideASolidAtTheStart) {
  for (const char* name : flock_scenes) {
    Course course(name);
    course.run(0.3);
    EXPECT_EQ(course.inside, 0U) << name;
    EXPECT_GT(course.checks, 500U) << name;
  }
}

/// Runs one minute of the scene and returns how many checks after a step found a member inside a solid. Records this
/// number and the smallest distance as cases.
std::size_t times_inside(const std::string& name) {
  Course course(name);
  course.run(60);
  EXPECT_GE(course.world().time(), 59.9);
  EXPECT_GT(course.checks, 60U * 50);
  test::record_case("flock", "scene " + name + ": members within a solid, each step of 60 s",
                    static_cast<double>(course.inside), 0, 0);
  test::record_case("flock", "scene " + name + ": nearest a middle comes to a surface [radii of its body]",
                    course.nearest_radii, 1, 1);
  return course.inside;
}

TEST(FlockScenesValidation, NoMemberOfTheSchoolGetsIntoASolid) { EXPECT_EQ(times_inside("school"), 0U); }
TEST(FlockScenesValidation, NoMemberAtTheTowerGetsIntoASolid) { EXPECT_EQ(times_inside("gusty-tower"), 0U); }
TEST(FlockScenesValidation, NoMemberAtTheRaftGetsIntoASolid) { EXPECT_EQ(times_inside("fish-and-raft"), 0U); }
TEST(FlockScenesValidation, NoMemberFleeingTheSharkGetsIntoASolid) { EXPECT_EQ(times_inside("shark"), 0U); }
TEST(FlockScenesValidation, NoMemberInTheShowcaseGetsIntoASolid) { EXPECT_EQ(times_inside("showcase"), 0U); }

}  // namespace
}  // namespace vw
