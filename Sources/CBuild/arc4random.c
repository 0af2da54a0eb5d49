#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// The C++ library of Debian 12 calls arc4random, which glibc has since 2.36: with one of our own the program starts on
// systems with an older glibc. Random numbers of the kernel, as from there. Weak: a function of that name elsewhere goes first.
__attribute__((weak)) uint32_t arc4random(void) {
    uint32_t number;
    if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number)) abort();
    return number;
}
