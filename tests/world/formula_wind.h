// Winds that formulas define, in a cube with a side of 2 m, and pictures of them.
#pragma once

#include <functional>

#include "sim/world/air/field_visualizer.h"

namespace vw::formula_wind {

/// A wind that a formula defines.
class FormulaWind final : public Field {
 public:
  using Wind = std::function<Vec3(const Vec3& place, double time)>;
  explicit FormulaWind(Wind wind, double length = 1) : wind_(std::move(wind)), length_(length) {}
  void add_velocity(std::span<const Vec3> position, const FieldMoment& moment,
                    std::span<Vec3> velocity) const override {
    for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += wind_(position[i], moment.time);
  }
  [[nodiscard]] double length_m() const override { return length_; }

 private:
  Wind wind_;
  double length_;
};

class Ball final : public Obstacles {
 public:
  Ball(const Vec3& center, double radius) : center_(center), radius_(radius) {}
  [[nodiscard]] bool empty() const override { return false; }
  void nearest(std::span<const Vec3> position, double, double, std::span<NearSurface> out) const override {
    for (std::size_t i = 0; i < position.size(); ++i) out[i].distance_m = (position[i] - center_).norm() - radius_;
  }

 private:
  Vec3 center_;
  double radius_;
};

inline FieldSet wind(FormulaWind::Wind formula, double length = 1) {
  FieldSet set;
  set.add("wind", std::make_unique<FormulaWind>(std::move(formula), length));
  return set;
}
inline FieldSet breeze(const Vec3& u) {
  return wind([u](const Vec3&, double) { return u; });
}
inline FieldSet whirl() {
  return wind([](const Vec3& x, double) { return Vec3(-x.y(), x.x(), 0); });
}

inline const Box3 cube(Vec3(-1, -1, -1), Vec3(1, 1, 1));

inline FieldViewParams look_at_cube() {
  FieldViewParams look;
  look.box_size = Vec3(2, 2, 2);
  return look;
}

inline FieldPicture field_picture_of(const FieldSet& fields, const FieldViewParams& look,
                                     const Obstacles* obstacles = nullptr, double time = 0) {
  FieldVisualizer show;
  show.ask(look);
  Snapshot snapshot;
  show.write(fields, obstacles, time, true, snapshot);
  return snapshot.field;
}

}  // namespace vw::formula_wind
