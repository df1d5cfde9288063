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

# 07 chooses its tiles by the size of C: the larger ones must be right for small problems, too.
if("07_double_buffer" IN_LIST LADDER_LESSONS)
  ladder_case(VARIANT 07_double_buffer.large_tiles 07_double_buffer
    REPLACE "p.N > 512 * 512" "p.N > 0")
endif()

# What hides which latency in 07: docs/notebook.md has the figures.
# Only that of global memory: a step's fragments are read when they are needed.
set(fragment_ahead
"      read_fragment(&As[cur][(k + 1) % BK][m0], STEP_M, a[(k + 1) % 2]);
      read_fragment(&Bs[cur][(k + 1) % BK][n0], STEP_N, b[(k + 1) % 2]);
      multiply_tiles(a[k % 2], b[k % 2], acc);
")
set(fragment_now
"      read_fragment(&As[cur][k][m0], STEP_M, a[0]);
      read_fragment(&Bs[cur][k][n0], STEP_N, b[0]);
      multiply_tiles(a[0], b[0], acc);
")
# Only that of shared memory: a thread waits for its copies as soon as it has started them.
set(wait_at_once "__pipeline_commit();\n  __pipeline_wait_prior(0);")
if("07_double_buffer" IN_LIST LADDER_LESSONS)
  ladder_case(VARIANT 07_double_buffer.only_global_hidden 07_double_buffer
    REPLACE "${fragment_ahead}" ""
    REPLACE "      if (k == 2) load" "${fragment_now}      if (k == 2) load")
  ladder_case(VARIANT 07_double_buffer.only_shared_hidden 07_double_buffer
    REPLACE "__pipeline_commit();" "${wait_at_once}")
  ladder_case(VARIANT 07_double_buffer.none_hidden 07_double_buffer
    REPLACE "${fragment_ahead}" ""
    REPLACE "      if (k == 2) load" "${fragment_now}      if (k == 2) load"
    REPLACE "__pipeline_commit();" "${wait_at_once}")
  foreach(step last after)
    set(file ${CMAKE_CURRENT_LIST_DIR}/register_staging.cu)
    if(step STREQUAL "after")  # stored after the last step, not before it
      file(READ ${file} text)
      string(REPLACE "STORE_STEP = BK - 1;" "STORE_STEP = BK;" text "${text}")
      set(file ${PROJECT_BINARY_DIR}/variants/register_staging_after/gemm.cu)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    endif()
    ladder_test_program(07_double_buffer.register_staging_${step} ${file})
    ladder_row(07_double_buffer.register_staging_${step}.${backend}
               07_double_buffer.register_staging_${step}.test)
    ladder_gpu_row(07_double_buffer.register_staging_${step})
  endforeach()
endif()
