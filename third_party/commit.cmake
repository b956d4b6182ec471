# Every build runs this script. It writes a header to the file OUT that defines VOXWAKE_COMMIT as the short hash of the
# commit of the folder SOURCE. If sim, third_party or the top CMakeLists.txt differ from the commit, "+" is appended. If
# git finds no commit, the value is "no commit". OUT is written only if its content changes.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD -- sim third_party CMakeLists.txt RESULT_VARIABLE changed ERROR_QUIET)
if(NOT commit)
  set(commit "no commit")
elseif(changed)
  string(APPEND commit "+")
endif()
set(text "#define VOXWAKE_COMMIT \"${commit}\"\n")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT text STREQUAL "${before}")
  file(WRITE ${OUT} "${text}")
endif()
