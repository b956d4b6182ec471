# Writes the manual pages (compressed, as Debian requires) and the completions of PROGRAM into the folder OUT.
file(REMOVE_RECURSE ${OUT})
foreach(arguments "man;--out;${OUT}/man1" "completion;--out;${OUT}/completions")
  execute_process(COMMAND ${PROGRAM} ${arguments} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB pages ${OUT}/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
