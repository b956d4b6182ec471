// Entry point. It passes the arguments to the command line.
#include "app/cli/cli.h"

int main(int argc, char** argv) { return vw::run_command_line(argc, argv); }
