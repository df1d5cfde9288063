# Copies of lessons that must be as right as the lesson itself.

# The element type is a knob up to 03: nothing in these lessons may depend on float.
foreach(lesson 00_naive 01_shared_tile 02_coalesced 03_thread_tile)
  if(lesson IN_LIST LADDER_LESSONS)
    ladder_case(VARIANT ${lesson}.double ${lesson} SET Input=double SET Acc=double)
    ladder_case(VARIANT ${lesson}.int ${lesson} SET Input=int SET Acc=int)
    ladder_case(VARIANT ${lesson}.half ${lesson} SET Input=half)
  endif()
endforeach()

# A tile that divides nothing: neither a warp, nor 16 bytes, nor the usual sizes.
ladder_case(VARIANT 01_shared_tile.tile7 01_shared_tile SET BM=7 SET BN=7 SET BK=7)

# Two pairs of tiles instead of three.
foreach(lesson 07_double_buffer 08_tensor_core_wmma)
  if(lesson IN_LIST LADDER_LESSONS)
    ladder_case(VARIANT ${lesson}.two_stages ${lesson} SET STAGES=2)
  endif()
endforeach()

# The rest are measured, too: LESSON.NAME, as 07_double_buffer.small_tiles, in the build's tests/
# is a lesson program. It is built only if somebody asks for it:
#   cmake --build build/gpu --target 07_double_buffer.small_tiles
#   build/gpu/bin/07_double_buffer.small_tiles 512 512 512
function(ladder_measured name)
  if(TARGET ${name}.kernel)
    add_executable(${name} EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/main.cpp)
    target_link_libraries(${name} PRIVATE ${name}.kernel harness)
    set_property(GLOBAL APPEND PROPERTY LADDER_MEASURED ${name})
  endif()
endfunction()

# Each tile of 09 and 12 for every problem: by their rules, small problems would meet small tiles only.
foreach(lesson 09_any_shape 12_persistent)
  if(lesson IN_LIST LADDER_BEYOND)
    file(READ ${PROJECT_SOURCE_DIR}/beyond/${lesson}/gemm.cu text)
    string(REGEX MATCH "CONFIGS\\[\\] = {[^}]+}" all "${text}")
    string(REGEX MATCHALL "(CONFIG|config)<[^<>]*(<[^<>]*>)?>(\\([^)]*\\))?" configs "${all}")
    if(NOT configs)
      ladder_row(${lesson}.only.${backend} sh -c "echo 'no CONFIGS in the lesson' && exit 1")
    endif()
    foreach(config IN LISTS configs)
      string(REGEX MATCH "<[^>]+>" arguments "${config}")
      string(REGEX MATCHALL "[0-9]+" numbers "${arguments}")
      list(JOIN numbers "_" name)
      ladder_case(VARIANT ${lesson}.only_${name} ${lesson}
        REPLACE "${all}" "CONFIGS[] = {${config}}")
      ladder_measured(${lesson}.only_${name})
    endforeach()
  endif()
endforeach()

# 09 with each thread at its barrier, not a lane for its warp: compute-sanitizer's racecheck, which does not see what
# __syncwarp() orders before that lane's arrival, is run on this.
if("09_any_shape" IN_LIST LADDER_BEYOND)
  ladder_case(VARIANT 09_any_shape.all_arrive 09_any_shape
    REPLACE "if (lane == 0) __mbarrier_arrive(&barrier);" "__mbarrier_arrive(&barrier);"
    REPLACE "__mbarrier_init(&barrier, THREADS / 32)" "__mbarrier_init(&barrier, THREADS)")
  ladder_measured(09_any_shape.all_arrive)
endif()

# What hides which latency in 07: docs/contribute/notebook.md has the figures.
# Only that of global memory: a step's fragments are read when they are needed.
set(fragment_ahead
"      read_fragment(&Bs[cur][(k + 1) % BK][n0], STEP_N, b[(k + 1) % 2]);
      read_fragment(&As[cur][(k + 1) % BK][m0], STEP_M, a[(k + 1) % 2]);
      outer_product(a[k % 2], b[k % 2], acc);
")
set(fragment_now
"      read_fragment(&Bs[cur][k][n0], STEP_N, b[0]);
      read_fragment(&As[cur][k][m0], STEP_M, a[0]);
      outer_product(a[0], b[0], acc);
")
# Only that of shared memory: a thread waits for its copies as soon as it has started them.
set(wait_at_once "__pipeline_commit();\n    __pipeline_wait_prior(0);")

if("07_double_buffer" IN_LIST LADDER_LESSONS)
  # Tiles of a quarter of the size, for problems that would leave multiprocessors without a block.
  ladder_case(VARIANT 07_double_buffer.small_tiles 07_double_buffer
    SET BM=32 SET BN=64 SET WM=16 SET WN=32 SET TM=4 SET TN=4)
  ladder_case(VARIANT 07_double_buffer.only_global_hidden 07_double_buffer
    REPLACE "${fragment_ahead}" ""
    REPLACE "      if (k == BK - 1) {" "${fragment_now}      if (k == BK - 1) {")
  ladder_case(VARIANT 07_double_buffer.only_shared_hidden 07_double_buffer
    REPLACE "__pipeline_commit();" "${wait_at_once}")
  ladder_case(VARIANT 07_double_buffer.none_hidden 07_double_buffer
    REPLACE "${fragment_ahead}" ""
    REPLACE "      if (k == BK - 1) {" "${fragment_now}      if (k == BK - 1) {"
    REPLACE "__pipeline_commit();" "${wait_at_once}")
  foreach(variant small_tiles only_global_hidden only_shared_hidden none_hidden)
    ladder_measured(07_double_buffer.${variant})
  endforeach()
  foreach(step last after)
    set(name 07_double_buffer.register_staging_${step})
    set(file ${CMAKE_CURRENT_LIST_DIR}/register_staging.cu)
    if(step STREQUAL "after")  # stored after the last step, not before it
      file(READ ${file} text)
      string(REPLACE "STORE_STEP = BK - 1;" "STORE_STEP = BK;" text "${text}")
      set(file ${PROJECT_BINARY_DIR}/variants/register_staging_after/gemm.cu)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    endif()
    ladder_test_program(${name} ${file})
    ladder_measured(${name})
    ladder_row(${name}.${backend} ${name}.test)
    ladder_gpu_row(${name})
  endforeach()
endif()

get_property(programs GLOBAL PROPERTY LADDER_MEASURED)
add_custom_target(measured_variants DEPENDS ${programs})
