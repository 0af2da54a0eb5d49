#pragma once

/// Looks up the library of D-Bus, once: null where it is there, else what the system's loader says.
const char *_Nullable bus_library_failure(void);
