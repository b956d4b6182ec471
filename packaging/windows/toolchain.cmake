# Cross-compiles for 64-bit Windows with Debian's mingw-w64 (threads of POSIX). build.sh passes WINDOWS_PREFIX, the folder
# into which it installs the libraries.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WINDOWS_PREFIX)
if(NOT WINDOWS_PREFIX)
  set(WINDOWS_PREFIX $ENV{WINDOWS_PREFIX})
endif()
if(NOT WINDOWS_PREFIX)
  set(WINDOWS_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../build/windows-libraries/prefix)
endif()
set(CMAKE_FIND_ROOT_PATH ${WINDOWS_PREFIX} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${WINDOWS_PREFIX}/lib/pkgconfig:${WINDOWS_PREFIX}/share/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")
# All libraries are linked into the program, which therefore runs without any DLL of the compiler.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
# The 64-bit calling convention of Windows aligns the stack to 16 bytes only, and gcc does not realign it for AVX values
# (GCC bug 54412). The assembler therefore replaces aligned moves of AVX registers by unaligned ones.
set(CMAKE_CXX_FLAGS_INIT "-Wa,-muse-unaligned-vector-move,-mbig-obj -D_WIN32_WINNT=0x0A00")
set(CMAKE_C_FLAGS_INIT "-Wa,-muse-unaligned-vector-move -D_WIN32_WINNT=0x0A00")
