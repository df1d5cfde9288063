# Copies a lesson's gemm.cu and edits the copy: other element types, other tiles, planted bugs.
#
# As a script:  cmake -P tests/variants/variant.cmake LESSON OUT [EDIT...]
# As a module:  ladder_edit(ERROR LESSON OUT EDIT...) sets ERROR to "" or to what did not match.
#
# An EDIT is one of
#   SET NAME=VALUE      a knob: constexpr int NAME = VALUE;  or  using NAME = VALUE;
#   REPLACE OLD NEW     a piece of text, which may span lines
#   DROP LINE           a whole line, given from its first word on
# Each must match exactly once, so that an edit can never silently test the unedited lesson.
set(LADDER_SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR}/../..)

# Sets COUNT to the number of times that PIECE occurs in TEXT.
function(ladder_count count text piece)
  string(REPLACE "${piece}" "" rest "${text}")
  string(LENGTH "${text}" all)
  string(LENGTH "${rest}" left)
  string(LENGTH "${piece}" one)
  math(EXPR n "(${all} - ${left}) / ${one}")
  set(${count} ${n} PARENT_SCOPE)
endfunction()

# Sets OLD to the knob's present definition, from its line's start to the equals sign, and NEW to the
# wanted one. An unknown knob is left in OLD as it was asked for, and so matches nothing.
function(ladder_knob old new text knob)
  string(REGEX MATCH "^([A-Za-z_]+)=(.+)$" found "${knob}")
  set(value "${CMAKE_MATCH_2}")
  string(REGEX MATCH "\n(constexpr int|using) ${CMAKE_MATCH_1} = [^;\n]*" match "${text}")
  if(found AND match)
    set(${old} "${match}" PARENT_SCOPE)
    string(REGEX REPLACE " = .*" " = ${value}" match "${match}")
    set(${new} "${match}" PARENT_SCOPE)
  endif()
endfunction()

function(ladder_edit error lesson out)
  set(${error} "" PARENT_SCOPE)
  set(file ${LADDER_SOURCE_DIR}/${lesson}/gemm.cu)
  if(NOT EXISTS ${file})
    set(${error} "no lesson called ${lesson}" PARENT_SCOPE)
    return()
  endif()
  file(READ ${file} text)
  set(i 3)
  while(i LESS ARGC)
    set(kind "${ARGV${i}}")
    math(EXPR i "${i} + 1")
    set(old "${ARGV${i}}")
    set(new "")
    if(kind STREQUAL "SET")
      if(NOT old MATCHES "^[A-Za-z_]+=.")
        set(${error} "${lesson}: SET takes NAME=VALUE, not '${old}'" PARENT_SCOPE)
        return()
      endif()
      if(old MATCHES "=half$" AND NOT text MATCHES "cuda_fp16")
        string(REPLACE "#include \"common/lesson.h\"" "#include <cuda_fp16.h>\n\n#include \"common/lesson.h\""
               text "${text}")
      endif()
      ladder_knob(old new "${text}" "${old}")
    elseif(kind STREQUAL "REPLACE")
      math(EXPR i "${i} + 1")
      set(new "${ARGV${i}}")
    elseif(kind STREQUAL "DROP")
      # An empty line is left, so that the lines after it keep their numbers.
      ladder_count(n "${text}" "${old}")
      if(n EQUAL 1)
        string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" pattern "${old}")
        string(REGEX MATCH "\n *${pattern}[^\n]*\n" old "${text}")
        set(new "\n\n")
      endif()
    else()
      set(${error} "${lesson}: unknown edit '${kind}'" PARENT_SCOPE)
      return()
    endif()
    math(EXPR i "${i} + 1")
    set(n 0)
    if(NOT old STREQUAL "")
      ladder_count(n "${text}" "${old}")
    endif()
    if(NOT n EQUAL 1)
      set(${error} "${lesson}: ${kind} matches ${n} times, not once: ${old}" PARENT_SCOPE)
      return()
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
  endwhile()
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()

# Script mode: everything after the script's own name is LESSON OUT EDIT...
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(call "")
  set(first 0)
  foreach(i RANGE 1 ${CMAKE_ARGC})
    if(first EQUAL 0 AND "${CMAKE_ARGV${i}}" MATCHES "variant\\.cmake$")
      math(EXPR first "${i} + 1")
    elseif(first GREATER 0 AND i LESS CMAKE_ARGC)
      string(APPEND call " \"\${CMAKE_ARGV${i}}\"")
    endif()
  endforeach()
  cmake_language(EVAL CODE "ladder_edit(error ${call})")
  if(error)
    message(FATAL_ERROR "${error}")
  endif()
endif()
