/// Marks between which moments a build with coverage counts, for a test that asks what one thing runs.
///
/// In C, because the functions of LLVM's runtime are there only in a build with coverage, and Swift has no weak symbols.

/// Counts from now on; does nothing without coverage, or without MESHBED_COUNTS_APART in the environment.
void profile_begin(void);

/// Writes the counts to the file of `LLVM_PROFILE_FILE`, the only ones of the process; does nothing as above.
void profile_end(void);
