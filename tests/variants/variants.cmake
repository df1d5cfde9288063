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
