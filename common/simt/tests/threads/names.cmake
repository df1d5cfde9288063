# cmake -DNM=... -DLIBRARY=... -DOUT=... -P names.cmake: other names for all that LIBRARY defines in the name of a
# sanitizer, as lines "NAME simtNAME" in OUT (for objcopy) and as macros in OUT.h.
execute_process(COMMAND ${NM} --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T __(tsan|ubsan|sanitizer)_[a-z0-9_]+" names "${symbols}")
if(NOT names)
  message(FATAL_ERROR "${LIBRARY} defines nothing in the name of a sanitizer")
endif()
list(TRANSFORM names REPLACE " T (.*)" "\\1 simt\\1\n" OUTPUT_VARIABLE lines)
list(TRANSFORM lines PREPEND "#define " OUTPUT_VARIABLE macros)
list(JOIN lines "" lines)
list(JOIN macros "" macros)
file(WRITE ${OUT} "${lines}")
file(WRITE ${OUT}.h "${macros}")
