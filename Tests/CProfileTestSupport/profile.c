#include "profile.h"

// Of LLVM's profile runtime, which only a build with coverage links.
__attribute__((weak)) void __llvm_profile_reset_counters(void);
__attribute__((weak)) int __llvm_profile_dump(void);

void profile_begin(void) {
    if (__llvm_profile_reset_counters) __llvm_profile_reset_counters();
}

void profile_end(void) {
    if (__llvm_profile_dump) __llvm_profile_dump();
}
