// Race detection, and the record of what the threads of a block do.
//
//   recorder.h  one block: it receives each access and passes it to the detectors and the access log
#pragma once
#include "races/recorder.h"
