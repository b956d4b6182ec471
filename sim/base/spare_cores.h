// A word from who keeps a core busy beside the simulation: a drawing thread where the processor draws.
#pragma once

namespace vw {

/// While one of these lives, parallel loops of a machine with two cores or fewer run where they were called: cut in two they would wait at each end
/// for a thread that has lost its core. Results do not depend on it.
class BusyCore {
 public:
  explicit BusyCore(bool busy = true);
  ~BusyCore();
  BusyCore(const BusyCore&) = delete;
  BusyCore& operator=(const BusyCore&) = delete;

 private:
  bool busy_;
};

}  // namespace vw
