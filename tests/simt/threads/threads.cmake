# cmake --build BUILD --target simt_threads: the OS threads of the CPU backend under the thread sanitizer. Its tests
# run with a runtime that is instrumented; then with one that lacks a lock, which must be reported. Needs g++.
# Kernels call the runtime by the sanitizer's own names, so these get others here: in kernels by objcopy, in
# the runtime by macros. Calls of functions are not followed: the threads of a block change stacks.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_OBJCOPY OR LADDER_SANITIZE)
  return()
endif()
set(folder ${CMAKE_CURRENT_BINARY_DIR}/threads)
file(MAKE_DIRECTORY ${folder})
add_custom_command(OUTPUT ${folder}/names ${folder}/names.h
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/names.sh ${CMAKE_NM} $<TARGET_FILE:simt_runtime> ${folder}/names
  DEPENDS simt_runtime ${CMAKE_CURRENT_LIST_DIR}/names.sh VERBATIM
  COMMENT "Other names for what kernels call")
add_custom_target(simt_threads_names DEPENDS ${folder}/names ${folder}/names.h)

# The runtime, instrumented; and the file whose lock is taken away.
set(lock "std::lock_guard<std::mutex> lock(mutex_);")
set(locked ${PROJECT_SOURCE_DIR}/common/simt/reports/collect.cpp)
file(READ ${locked} text)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${locked})
string(REPLACE "${lock}" "" unlocked "${text}")
if(unlocked STREQUAL text)
  message(FATAL_ERROR "${locked} has no '${lock}', whose loss the thread sanitizer should find")
endif()
file(CONFIGURE OUTPUT ${folder}/unlocked.cpp CONTENT "${unlocked}" @ONLY)
get_target_property(sources simt_runtime SOURCES)
add_library(simt_threads_runtime OBJECT EXCLUDE_FROM_ALL ${sources})
add_library(simt_threads_unlocked OBJECT EXCLUDE_FROM_ALL ${folder}/unlocked.cpp)
foreach(library simt_threads_runtime simt_threads_unlocked)
  add_dependencies(${library} simt_threads_names)
  target_include_directories(${library} SYSTEM PRIVATE ${SIMT_BOOST_INCLUDE})
  target_compile_options(${library} PRIVATE -O1 -g -fsanitize=thread -fno-strict-aliasing
    "SHELL:--param tsan-instrument-func-entry-exit=0" "SHELL:-include ${folder}/names.h")
  target_link_libraries(${library} PUBLIC simt_headers)
  # clang-tidy would read these files twice, and before names.h is there.
  set_target_properties(${library} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
endforeach()

# simt_threads_program(NAME TEST KERNELS OBJECTS...): the objects of a test with this runtime.
function(simt_threads_program name test kernels)
  set(renamed ${folder}/${kernels}.o)
  if(NOT TARGET simt_threads.${kernels})
    add_custom_command(OUTPUT ${renamed} VERBATIM COMMAND_EXPAND_LISTS
      COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${folder}/names
              $<TARGET_OBJECTS:simt_${kernels}_kernels_O2> ${renamed}
      DEPENDS simt_threads_names simt_${kernels}_kernels_O2 $<TARGET_OBJECTS:simt_${kernels}_kernels_O2>)
    add_custom_target(simt_threads.${kernels} DEPENDS ${renamed})
  endif()
  set_source_files_properties(${renamed} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_executable(${name} EXCLUDE_FROM_ALL ${renamed} $<TARGET_OBJECTS:simt_${test}>
    $<TARGET_OBJECTS:simt_test_main> $<TARGET_OBJECTS:catch_main> ${ARGN})
  add_dependencies(${name} simt_threads.${kernels} simt_${test})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_options(${name} PRIVATE -fsanitize=thread)
  target_link_libraries(${name} PRIVATE Catch2::Catch2 pthread ${SIMT_BOOST_CONTEXT})
endfunction()

set(programs "")
foreach(test counts checks foreign api watch ring misuse)
  set(kernels ${test})
  if(test STREQUAL "checks")
    set(kernels bugs)
  endif()
  simt_threads_program(simt_threads.${test}_test ${test} ${kernels} $<TARGET_OBJECTS:simt_threads_runtime>)
  list(APPEND programs $<TARGET_FILE:simt_threads.${test}_test>)
endforeach()
simt_threads_program(simt_threads.unlocked_test foreign foreign
  $<FILTER:$<TARGET_OBJECTS:simt_threads_runtime>,EXCLUDE,/collect\\.cpp> $<TARGET_OBJECTS:simt_threads_unlocked>)
add_custom_target(simt_threads ${CMAKE_CURRENT_LIST_DIR}/threads.sh
                  $<TARGET_FILE:simt_threads.unlocked_test> ${programs} VERBATIM)
