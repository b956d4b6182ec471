// Sums of grids of random modes, which both kinds of spectral fields use. The grids are rotated or dilated, and
// interpolated in time.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/random.h"
#include "sim/field/field_kinds.h"
#include "sim/field/region.h"
#include "sim/field/spectral/key_frames.h"
#include "sim/field/spectral/spectrum.h"

namespace vw {

/// Construction of the sum of grids. `spectrum`: rotated grids, each with the complete spectrum. `dilated`: copies of
/// one band of noise, each finer than the previous copy.
enum class SpectralSum { spectrum, dilated };

/// Parameters of the kinds `spectral` and `spectral_noise`. In scenes, `spectral_noise` has different keys for two of
/// them: `amplitude` for `strength`, and `velocity` for `mean`.
struct SpectralParams : FieldParams, SpectrumParams {
  Vec3 mean = Vec3::Zero();  ///< Mean velocity, with which the fluctuation moves too [m/s].
  double strength = 0.5;     ///< Root mean square of each component [m/s], or of the value of a scalar field.
  double period_m = 4;
  std::int64_t nodes = 64;
  std::int64_t grids = 2;
  GridSpline interpolation = GridSpline::cubic;
  double jitter = 0.2;
  SpectralTime change = SpectralTime::rotating;
  /// Speed s that determines the lifetime of eddies, which is about 1 / (s k) for the wave number k. For a wind, 0
  /// means the value of `strength`.
  double spread_mps = 0;
  double repeat_s = 10;
  std::int64_t seed = 1;
  SpectralSum of = SpectralSum::spectrum;
  std::int64_t octaves = 4;
  double beta = 2;
  double slope = 0.833;  ///< The amplitude of octave i is beta^(-i slope).
};

/// Fluctuation of a spectral field. For `spectrum` with T grids, it is u = strength / sqrt(T) * sum over t of R_t
/// u_t(R_t^T x), where R_t is the rotation of grid t and u_t is its values. The first grid is not rotated. A single
/// grid would visibly repeat after its period, but the sum of rotated grids does not.
class SpectralGrids {
 public:
  [[nodiscard]] static Result<std::unique_ptr<SpectralGrids>> make(const SpectralParams& params, bool vector,
                                                                   std::uint64_t seed);

  /// Prepares the grids for `time` [s]. One thread must call this function before evaluations at that time.
  void prepare(double time);
  /// Adds the fluctuation to `out`, or overwrites `out` with it. See add_grids().
  void add(std::span<const Vec3> position, std::span<Vec3> out, GridStore store,
           const Vec3& base = Vec3::Zero()) const {
    add_grids(placed_, spline_, position, out, store, base);
  }
  void add_gradients(std::span<const Vec3> position, std::span<Mat3> out) const {
    add_grid_gradients(placed_, spline_, position, out);
  }
  [[nodiscard]] NominalSpectrum asked_spectrum() const;
  /// Returns a quarter of the smallest wavelength [m].
  [[nodiscard]] double length_m() const;

 private:
  struct Grid {
    std::shared_ptr<BlendedFrames> frames;
    PlacedGrid at;        ///< Placement at time 0.
    double dilation = 1;  ///< Lengths of the recipe divided by the lengths of this grid.
  };
  SpectralGrids() = default;

  std::vector<Grid> grids_;
  GridSpline spline_ = GridSpline::cubic;
  Vec3 drift_ = Vec3::Zero();  ///< Drift velocity [m/s].
  double time_ = 0;
  bool prepared_ = false;
  std::vector<PlacedGrid> placed_;  ///< Placement at time_.
};

/// Base class of both kinds of spectral fields.
class SpectralField : public Field {
 public:
  explicit SpectralField(std::unique_ptr<SpectralGrids> grids) : grids_(std::move(grids)) {}
  void prepare(const FieldMoment& moment) const override { grids_->prepare(moment.time); }
  [[nodiscard]] double length_m() const override { return grids_->length_m(); }
  [[nodiscard]] std::optional<NominalSpectrum> asked_spectrum() const override { return grids_->asked_spectrum(); }

 protected:
  [[nodiscard]] const SpectralGrids& grids() const { return *grids_; }

 private:
  std::unique_ptr<SpectralGrids> grids_;  ///< Modified only by prepare().
};

/// Whether a field has scalar or vector values.
enum class SpectralKind { scalar, vector };

/// Creates a field F from its parameters. Its random numbers depend on the seed of the world, the name of the node and
/// the seed of the field.
template <class F>
[[nodiscard]] Result<std::unique_ptr<Field>> make_spectral(const SpectralParams& params, SpectralKind kind,
                                                           const Node& self, std::uint64_t world_seed) {
  auto grids =
      SpectralGrids::make(params, kind == SpectralKind::vector,
                          random_words({world_seed, stream_id(self.name)}, static_cast<std::uint64_t>(params.seed))[0]);
  if (!grids) return Unexpected(grids.error());
  return make_field<F>(params, std::move(*grids));
}

/// Returns the table rows of the parameters that both kinds of spectral fields have.
[[nodiscard]] Param<SpectralParams> spectral_period();
[[nodiscard]] Param<SpectralParams> spectral_nodes();
[[nodiscard]] Param<SpectralParams> spectral_grids();
[[nodiscard]] Param<SpectralParams> spectral_interpolation();
[[nodiscard]] Param<SpectralParams> spectral_jitter();
[[nodiscard]] Param<SpectralParams> spectral_change();
[[nodiscard]] Param<SpectralParams> spectral_repeat();
[[nodiscard]] Param<SpectralParams> spectral_seed();

}  // namespace vw
