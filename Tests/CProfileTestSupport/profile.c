#include "profile.h"

#include <stdlib.h>

// Of LLVM's profile runtime, which only a build with coverage links.
__attribute__((weak)) void __llvm_profile_reset_counters(void);
__attribute__((weak)) int __llvm_profile_dump(void);

// In a run of other tests too, the counts belong to all of them.
static int counts_apart(void) { return getenv("MESHBED_COUNTS_APART") != NULL; }

void profile_begin(void) {
    if (__llvm_profile_reset_counters && counts_apart()) __llvm_profile_reset_counters();
}

void profile_end(void) {
    if (__llvm_profile_dump && counts_apart()) __llvm_profile_dump();
}
