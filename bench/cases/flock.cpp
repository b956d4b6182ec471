// Flocks with all steering components at equal density and increasing size: updates per second on one thread and on all
// threads. The neighbour search with cells and vector instructions is also compared with a loop over all pairs.
#include <algorithm>
#include <array>
#include <cmath>

#include "bench/measure.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/system/flock/flock.h"
#include "sim/system/flock/steering/neighbours.h"

namespace vw::bench {
namespace {

constexpr double members_per_m3 = 4.5;  // yields 19 neighbours within 1 m

/// Adds hawks that hunt the birds of a flock.
void add_hawks(Node& flock, std::int64_t count, const Vec3& middle, double side) {
  Node& hawk = add_child(flock, "species", "species", "hawk");
  hawk.set("body", std::string("bird"));
  hawk.set("medium", std::string("air"));
  hawk.set("length", 0.6);
  hawk.set("hunts", TextList{"bird"});
  Node& swarm = add_child(flock, "swarm", "box", "hawks");
  swarm.set("species", std::string("hawk"));
  swarm.set("position", middle);
  swarm.set("size", Vec3(side, side, side));
  swarm.set("count", count);
  swarm.set("spread", pi);
}

/// Adds a path with four points. All members follow it, weakly enough to avoid crowding.
void add_path(Node& flock, const Vec3& middle, double side) {
  Node& goal = add_child(flock, "goal", "path", "round");
  NumberList points;
  for (const Vec3& corner : {Vec3(-1, 0, -1), Vec3(1, 0, -1), Vec3(1, 0, 1), Vec3(-1, 0, 1)})
    for (const double x : Vec3(middle + 0.3 * side * corner)) points.push_back(x);
  goal.set("points", points);
  goal.set("radius", 0.3 * side);
  goal.set("weight", 0.1);
}

/// Returns a scene with birds in turbulent wind over the ground. The home box of the birds contains one obstacle per
/// 625 birds. If `hunted` is true, the scene also has one hawk per 2500 birds and a path that all members follow.
Node birds(std::int64_t members, bool hunted) {
  Node scene = make_node(scene_schema());
  const double side = std::cbrt(static_cast<double>(members) / members_per_m3);
  add_child(scene, "collider", "plane", "ground");
  for (std::int64_t k = 0; k < members / 625; ++k) {
    Node& obstacle = add_child(scene, "collider", k % 2 == 0 ? "sphere" : "box", "obstacle" + std::to_string(k));
    // Positions are evenly distributed in the box (additive recurrence, Roberts 2018).
    const Vec3 place = (static_cast<double>(k) + 0.5) * Vec3(0.8191725134, 0.6710436067, 0.5497004779);
    const Vec3 part = place - Vec3(place.array().floor()) - Vec3(0.5, 0.5, 0.5);
    obstacle.set("position", Vec3(side * part + Vec3(0, 0.5 * side + 1, 0)));
    if (k % 2 == 0)
      obstacle.set("radius", 0.5);
    else
      obstacle.set("size", Vec3(0.5, 3, 0.5));
  }
  add_child(scene, "field", "turbulence", "wind").set("strength", 0.5);
  Node& flock = add_child(scene, "system", "flock", "birds");
  const Vec3 middle(0, 0.5 * side + 1, 0);
  const std::int64_t hawks = hunted ? members / 2500 : 0;
  flock.set("capacity", members);
  flock.set("home_center", middle);
  flock.set("home_size", Vec3(side, side, side));
  Node& bird = add_child(flock, "species", "species", "bird");
  bird.set("body", std::string("bird"));
  bird.set("medium", std::string("air"));
  bird.set("spacing", 0.6);
  Node& swarm = add_child(flock, "swarm", "box", "all");
  swarm.set("position", middle);
  swarm.set("size", Vec3(side, side, side));
  swarm.set("count", members - hawks);
  swarm.set("spread", pi);
  if (hunted) {
    add_hawks(flock, hawks, middle, side);
    add_path(flock, middle, side);
  }
  return scene;
}

double total_of(const World& world, std::string_view name) {
  std::vector<Total> all;
  world.system(0).totals(all);
  for (const Total& one : all)
    if (one.name == name) return one.value;
  return 0;
}

Result<Row> updates(std::int64_t members, std::int64_t milliseconds, bool hunted) {
  auto world = make_world(birds(members, hunted));
  if (!world) return Unexpected(world.error());
  const int threads = thread_count();
  for (int k = 0; k < 30; ++k)
    if (!(*world)->step()) return fail("flock: " + (*world)->health().sentence());
  // The state is restored after each window. Otherwise small flocks, which perform more steps per second than large
  // flocks, would contract further.
  StateBlock start;
  (*world)->save_state(start);
  const auto again = [&] { (void)((*world)->load_state(start) && (*world)->step()); };
  auto all = run_world(**world, milliseconds, again);
  if (!all) return Unexpected(all.error());
  set_thread_count(1);
  again();
  auto alone = run_world(**world, milliseconds, again);
  set_thread_count(threads);
  if (!alone) return Unexpected(alone.error());
  const auto n = static_cast<double>(members);
  return Row{{{"members", std::to_string(members)}},
             {{"updates_per_s", all->updates.median_rate() / n},
              {"best_updates_per_s", all->updates.best_rate() / n},
              {"updates_per_s_1", alone->updates.median_rate() / n},
              {"best_updates_per_s_1", alone->updates.best_rate() / n},
              {"best_ns_a_member", 1e9 / all->updates.best_rate()},
              {"best_ns_a_member_1", 1e9 / alone->updates.best_rate()},
              {"neighbours", total_of(**world, "neighbours")}}};
}

/// Neighbour search, measured in members per second.
struct NeighbourSearch {
  std::vector<Vec3> position, heading;
  std::vector<double> speed;
  std::vector<std::uint8_t> species;
  Sight sight;
  explicit NeighbourSearch(std::size_t members) : speed(members, 1.5), species(members, 0) {
    const double side = std::cbrt(static_cast<double>(members) / members_per_m3);
    for (std::size_t i = 0; i < members; ++i) {
      position.push_back(
          side * Vec3(random_uniform({1, 1}, i, 0), random_uniform({1, 1}, i, 1), random_uniform({1, 1}, i, 2)));
      heading.push_back(random_direction({1, 2}, i));
    }
    sight = {.reach_m = 1, .cosine = static_cast<float>(std::cos(150 * pi / 180)), .spacing_m = 0.6F};
  }
  [[nodiscard]] Windows rate(std::int64_t milliseconds, bool plainly) const {
    Neighbours neighbours;
    const FlockColumns columns{position, heading, speed, species};
    return measure(milliseconds, [&] {
      plainly ? neighbours.look_plainly(columns, std::span(&sight, 1)) : neighbours.look(columns, std::span(&sight, 1));
      return static_cast<double>(position.size());
    });
  }
};

}  // namespace

Result<Outcome> flock(const Arguments& arguments) {
  const std::int64_t most = arguments.whole("members"), milliseconds = arguments.whole("milliseconds");
  Outcome outcome;
  outcome.columns = {"updates_per_s",    "best_updates_per_s", "updates_per_s_1", "best_updates_per_s_1",
                     "best_ns_a_member", "best_ns_a_member_1", "neighbours"};
  for (const std::int64_t members :
       {std::int64_t{5000}, std::int64_t{10000}, std::int64_t{50000}, std::int64_t{100000}, std::int64_t{200000}}) {
    if (members > most) break;
    auto row = updates(members, milliseconds, false);
    if (!row) return Unexpected(row.error());
    outcome.rows.push_back(std::move(*row));
  }
  const NeighbourSearch search(5000);
  const int threads = thread_count();
  set_thread_count(1);
  const Windows fast = search.rate(milliseconds, false), plain = search.rate(milliseconds, true);
  set_thread_count(threads);
  outcome.rates = {{"neighbour_searches_per_s", fast.median_rate()},
                   {"plain_neighbour_searches_per_s", plain.median_rate()}};
  if (!outcome.rows.empty()) {
    const Row& last = outcome.rows.back();
    const std::int64_t members = std::stoll(last.labels.front().second);
    auto hunted = updates(members, milliseconds, true);
    if (!hunted) return Unexpected(hunted.error());
    outcome.rates.emplace_back("hunted_on_a_path_updates_per_s", hunted->value("updates_per_s"));
    outcome.rates.emplace_back("member_updates_per_s", last.value("updates_per_s") * static_cast<double>(members));
    outcome.figures = {{"cost_of_a_member_largest_over_smallest",
                        last.value("best_ns_a_member") / outcome.rows.front().value("best_ns_a_member")}};
  }
  outcome.figures.emplace_back("search_over_plain_at_5000", fast.median_rate() / plain.median_rate());
  return outcome;
}

}  // namespace vw::bench
