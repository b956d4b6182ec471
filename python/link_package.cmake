# Links each Python source of the folder FROM, and the folder ASSETS, into the package folder TO. Links to sources that
# no longer exist are removed.
file(GLOB old ${TO}/*)
foreach(file ${old})
  if(IS_SYMLINK ${file})
    file(REMOVE ${file})
  endif()
endforeach()
file(GLOB sources ${FROM}/*.py ${FROM}/py.typed ${FROM}/study ${FROM}/search)
foreach(source ${sources})
  get_filename_component(name ${source} NAME)
  file(CREATE_LINK ${source} ${TO}/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK ${ASSETS} ${TO}/assets SYMBOLIC)
