# simt_add_kernels(NAME FILE.cu... [DEFINES d...] [INCLUDES folder...] [OPTIONS o...] [UNCHECKED] [UNCHECKED_ARRAYS])
#
# Compiles CUDA files with simtcc. Link NAME and simt::program into an executable (simt::runtime instead, if its exit
# code and reports are the program's own business); kernels in shared libraries do not work. Kernels are checked and
# counted, unless UNCHECKED is given. With UNCHECKED_ARRAYS, accesses through a pointer behind the end of a local array
# are not found; where such arrays are registers, that check takes half the time. OPTIONS are simtcc's. The target's
# property SIMT_OBJECTS lists the objects; simt/NAME.rsp, in the binary folder, is a response file with all options, for
# those who call simtcc themselves.
function(simt_add_kernels name)
  cmake_parse_arguments(arg "UNCHECKED;UNCHECKED_ARRAYS" "" "DEFINES;INCLUDES;OPTIONS" ${ARGN})
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
  set(standard ${CMAKE_CXX_STANDARD})
  if(NOT standard GREATER 17)
    set(standard 17)
  endif()
  list(TRANSFORM arg_DEFINES PREPEND -D)
  list(TRANSFORM arg_INCLUDES PREPEND -I)
  set(words -ccbin ${CMAKE_CXX_COMPILER} -std=c++${standard} ${flags} ${arg_OPTIONS} ${arg_DEFINES} ${arg_INCLUDES})
  if(arg_UNCHECKED)
    list(APPEND words --simt-unchecked)
  endif()
  if(arg_UNCHECKED_ARRAYS)
    list(APPEND words --simt-unchecked-arrays)
  endif()
  set(response ${CMAKE_CURRENT_BINARY_DIR}/simt/${name}.rsp)
  set(quoted ${words})
  list(TRANSFORM quoted REPLACE "([\"\\\\])" "\\\\\\1")
  list(TRANSFORM quoted PREPEND "\"")
  list(TRANSFORM quoted APPEND "\"")
  list(JOIN quoted "\n" quoted)
  file(CONFIGURE OUTPUT ${response} CONTENT "${quoted}\n" @ONLY)
  set(objects "")
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(stem ${path} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/simt/${name}/${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND simt::simtcc -c ${path} -o ${object} @${response} -MD -MF ${object}.d -MT ${object}
      DEPENDS simt::simtcc ${path} ${response} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${name} for the CPU")
    list(APPEND objects ${object})
  endforeach()
  add_custom_target(${name}.objects DEPENDS ${objects})
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE ${objects})
  set_target_properties(${name} PROPERTIES SIMT_OBJECTS "${objects}")
  add_dependencies(${name} ${name}.objects)
endfunction()
