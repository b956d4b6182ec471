// Runs the benchmarks of the registry through Google Benchmark, with its repetitions, filters and JSON output. Each
// iteration is one complete measurement. Rates are reported as counters.
#include <benchmark/benchmark.h>

#include "bench/registry.h"

int main(int argc, char** argv) {
  for (const vw::bench::Benchmark& row : vw::bench::benchmarks()) {
    benchmark::RegisterBenchmark(row.name.c_str(),
                                 [&row](benchmark::State& state) {
                                   for (auto _ : state) {
                                     const auto outcome = vw::bench::run_benchmark(row);
                                     if (!outcome) {
                                       state.SkipWithError(outcome.error().message().c_str());
                                       return;
                                     }
                                     for (const auto& [key, value] : outcome->rates) state.counters[key] = value;
                                     for (const auto& [key, value] : outcome->figures) state.counters[key] = value;
                                   }
                                 })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
