/// The commit that this program was built from, as ci/build hands it to the manifest; empty where nobody said.
///
/// In C because it changes with each commit: one small file is compiled anew, and no Swift module.
const char *_Nonnull meshbed_commit(void);
