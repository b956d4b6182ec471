// Entry point. It passes the arguments to the command line.
#include "app/cli/cli.h"
#include "sim/base/system/process.h"

int main(int argc, char** argv) { return vw::run_command_line(vw::prepare_process(argc, argv)); }
