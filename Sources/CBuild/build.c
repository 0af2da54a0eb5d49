#include "build.h"

const char *meshbed_commit(void) { return MESHBED_COMMIT; }
