# cmake --build BUILD --target simt_threads: the OS threads of the CPU backend under the thread sanitizer. Its tests
# run with a runtime that is instrumented. Needs g++.
# Kernels call the runtime by the sanitizer's own names, so these get others here: in kernels by objcopy, in
# the runtime by macros. Calls of functions are not followed: the threads of a block change stacks.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_OBJCOPY OR CMAKE_CXX_FLAGS MATCHES "fsanitize")
  return()
endif()
set(folder ${CMAKE_CURRENT_BINARY_DIR}/threads)
file(MAKE_DIRECTORY ${folder})
add_custom_command(OUTPUT ${folder}/names ${folder}/names.h
  COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:simt_runtime> -DOUT=${folder}/names
          -P ${CMAKE_CURRENT_LIST_DIR}/names.cmake
  DEPENDS simt_runtime ${CMAKE_CURRENT_LIST_DIR}/names.cmake VERBATIM
  COMMENT "Other names for what kernels call")
add_custom_target(simt_threads_names DEPENDS ${folder}/names ${folder}/names.h)

# The runtime, instrumented.
get_target_property(sources simt_runtime SOURCES)
add_library(simt_threads_runtime OBJECT EXCLUDE_FROM_ALL ${sources})
add_dependencies(simt_threads_runtime simt_threads_names)
target_include_directories(simt_threads_runtime PRIVATE ${SIMT_DIR}/src)
target_include_directories(simt_threads_runtime SYSTEM PRIVATE ${SIMT_BOOST_INCLUDE})
target_compile_options(simt_threads_runtime PRIVATE -O1 -g -fsanitize=thread -fno-strict-aliasing
  "SHELL:--param tsan-instrument-func-entry-exit=0" "SHELL:-include ${folder}/names.h")
target_link_libraries(simt_threads_runtime PUBLIC simt_headers)
# clang-tidy would read these files twice, and before names.h is there.
set_target_properties(simt_threads_runtime PROPERTIES EXPORT_COMPILE_COMMANDS OFF)

# simt_threads_program(NAME TEST KERNELS): the objects of a test with this runtime.
function(simt_threads_program name test kernels)
  set(renamed ${folder}/${kernels}.o)
  if(NOT TARGET simt_threads.${kernels})
    add_custom_command(OUTPUT ${renamed} VERBATIM COMMAND_EXPAND_LISTS
      COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${folder}/names
              $<TARGET_PROPERTY:simt_${kernels}_kernels_O2,SIMT_OBJECTS> ${renamed}
      DEPENDS simt_threads_names simt_${kernels}_kernels_O2 $<TARGET_PROPERTY:simt_${kernels}_kernels_O2,SIMT_OBJECTS>)
    add_custom_target(simt_threads.${kernels} DEPENDS ${renamed})
  endif()
  set_source_files_properties(${renamed} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_executable(${name} EXCLUDE_FROM_ALL ${renamed} $<TARGET_OBJECTS:simt_${test}>
    $<TARGET_OBJECTS:simt_test_main>
    $<TARGET_OBJECTS:simt_threads_runtime>)
  add_dependencies(${name} simt_threads.${kernels} simt_${test})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_options(${name} PRIVATE -fsanitize=thread)
  target_link_libraries(${name} PRIVATE Catch2::Catch2 pthread ${SIMT_BOOST_CONTEXT})
endfunction()

set(tests counts checks foreign api watch ring misuse stores cluster)
set(programs "")
foreach(test IN LISTS tests)
  set(kernels ${test})
  if(test STREQUAL "checks")
    set(kernels bugs)
  elseif(test STREQUAL "stores")
    set(kernels bulk)
  endif()
  simt_threads_program(simt_threads.${test}_test ${test} ${kernels})
  list(APPEND programs $<TARGET_FILE:simt_threads.${test}_test>)
endforeach()
list(JOIN programs ":" programs)
add_custom_target(simt_threads ${CMAKE_COMMAND} -E env PROGRAMS=${programs} ${Python3_EXECUTABLE} -B
                  ${CMAKE_CURRENT_LIST_DIR}/threads_test.py VERBATIM)
foreach(test IN LISTS tests)
  add_dependencies(simt_threads simt_threads.${test}_test)
endforeach()
