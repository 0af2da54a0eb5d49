/// Counts what a program takes from the heap, for tests: `malloc` of the whole process is the one in here, which hands on
/// to that of the C library. What is given back, resized or aligned is left to the C library alone.
///
/// In C, because a program's `malloc` must be a C function of this name; and beside the tests, so that no product has it.

/// Begins to count the calls of this thread, from 0.
void allocations_begin(void);

/// Ends it; how many there were, or -1 where a sanitizer has a `malloc` of its own.
long allocations_end(void);
