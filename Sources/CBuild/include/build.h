/// The commit that this program was built from, as ci/build hands it to the manifest; empty where nobody said.
///
/// In C, because Swift has no definitions with values. A new commit compiles this, and the module of the command.
const char *_Nonnull meshbed_commit(void);
