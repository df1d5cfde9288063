// Race detection, and the record of what the threads of a block do.
//
//   recorder.h      one block: it receives each access and passes it to the detectors and the access log
//   stream_order.h  the order of launches and copies in streams
//   cells.h         who has used a word of global memory last
#pragma once
#include "races/global/cells.h"
#include "races/recorder.h"
#include "races/streams/stream_order.h"
