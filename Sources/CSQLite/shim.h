#include <sqlite3.h>

/// Ends the counting of memory, for which the library takes a lock at each piece; before it opens its first file.
///
/// Variadic in the C library.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Reads a word in double quotes as a name alone; without this, a misspelled one is a text. Variadic in the C library.
static inline int csqlite_refuse_texts_in_double_quotes(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

/// Extended result codes. Swift reads no macros with brackets and shifts.
static const int csqlite_constraint_check = SQLITE_CONSTRAINT_CHECK;
static const int csqlite_constraint_datatype = SQLITE_CONSTRAINT_DATATYPE;
static const int csqlite_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int csqlite_constraint_not_null = SQLITE_CONSTRAINT_NOTNULL;
