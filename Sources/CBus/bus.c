#include "CBus.h"

#include <dbus/dbus.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

// The functions of libdbus that we and libpcap call. Each passes its call on to the library, which is looked up when the first
// of them is called: a program starts on a machine without D-Bus, and says so when a bus is asked for.

static void *library;
static char failure[256];

static void look_up(void) {
    library = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library) return;
    const char *reason = dlerror();
    strncpy(failure, reason ? reason : "libdbus-1.so.3", sizeof(failure) - 1);
}

static void *find(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return library ? dlsym(library, name) : NULL;
}

const char *bus_library_failure(void) { return find("dbus_bus_get_private") ? NULL : failure; }

// Without the library a function does nothing, and its answer is zero: no connection, no message, nothing valid.
#define GIVES(result, name, parameters, arguments)                                                                           \
    result name parameters {                                                                                                 \
        __typeof__(&name) found = (__typeof__(&name))find(#name);                                                            \
        return found ? found arguments : 0;                                                                                  \
    }
#define DOES(name, parameters, arguments)                                                                                    \
    void name parameters {                                                                                                   \
        __typeof__(&name) found = (__typeof__(&name))find(#name);                                                            \
        if (found) found arguments;                                                                                          \
    }

// An error that is not set, also without the library.
void dbus_error_init(DBusError *error) {
    __typeof__(&dbus_error_init) found = (__typeof__(&dbus_error_init))find("dbus_error_init");
    memset(error, 0, sizeof(*error));
    if (found) found(error);
}

DOES(dbus_bus_add_match, (DBusConnection *connection, const char *rule, DBusError *error), (connection, rule, error))
GIVES(DBusConnection *, dbus_bus_get, (DBusBusType type, DBusError *error), (type, error))
GIVES(DBusConnection *, dbus_bus_get_private, (DBusBusType type, DBusError *error), (type, error))
GIVES(dbus_bool_t, dbus_bus_register, (DBusConnection *connection, DBusError *error), (connection, error))
DOES(dbus_connection_close, (DBusConnection *connection), (connection))
DOES(dbus_connection_flush, (DBusConnection *connection), (connection))
GIVES(dbus_bool_t, dbus_connection_get_unix_fd, (DBusConnection *connection, int *fd), (connection, fd))
GIVES(dbus_bool_t, dbus_connection_has_messages_to_send, (DBusConnection *connection), (connection))
GIVES(DBusConnection *, dbus_connection_open, (const char *address, DBusError *error), (address, error))
GIVES(DBusConnection *, dbus_connection_open_private, (const char *address, DBusError *error), (address, error))
GIVES(DBusMessage *, dbus_connection_pop_message, (DBusConnection *connection), (connection))
GIVES(dbus_bool_t, dbus_connection_read_write,
      (DBusConnection *connection, int timeout_milliseconds), (connection, timeout_milliseconds))
GIVES(dbus_bool_t, dbus_connection_send,
      (DBusConnection *connection, DBusMessage *message, dbus_uint32_t *client_serial), (connection, message, client_serial))
DOES(dbus_connection_set_exit_on_disconnect,
      (DBusConnection *connection, dbus_bool_t exit_on_disconnect), (connection, exit_on_disconnect))
DOES(dbus_connection_set_max_received_size, (DBusConnection *connection, long size), (connection, size))
DOES(dbus_connection_unref, (DBusConnection *connection), (connection))
DOES(dbus_error_free, (DBusError *error), (error))
GIVES(dbus_bool_t, dbus_error_is_set, (const DBusError *error), (error))
DOES(dbus_free, (void *memory), (memory))
GIVES(DBusMessage *, dbus_message_demarshal, (const char *str, int len, DBusError *error), (str, len, error))
GIVES(dbus_bool_t, dbus_message_is_signal,
      (DBusMessage *message, const char *iface, const char *signal_name), (message, iface, signal_name))
GIVES(dbus_bool_t, dbus_message_marshal,
      (DBusMessage *msg, char **marshalled_data_p, int *len_p), (msg, marshalled_data_p, len_p))
GIVES(const char *, dbus_message_get_error_name, (DBusMessage *message), (message))
GIVES(const char *, dbus_message_get_interface, (DBusMessage *message), (message))
GIVES(const char *, dbus_message_get_member, (DBusMessage *message), (message))
GIVES(dbus_bool_t, dbus_message_get_no_reply, (DBusMessage *message), (message))
GIVES(const char *, dbus_message_get_path, (DBusMessage *message), (message))
GIVES(dbus_uint32_t, dbus_message_get_reply_serial, (DBusMessage *message), (message))
GIVES(const char *, dbus_message_get_sender, (DBusMessage *message), (message))
GIVES(dbus_uint32_t, dbus_message_get_serial, (DBusMessage *message), (message))
GIVES(int, dbus_message_get_type, (DBusMessage *message), (message))
GIVES(dbus_bool_t, dbus_message_iter_append_basic,
      (DBusMessageIter *iter, int type, const void *value), (iter, type, value))
GIVES(dbus_bool_t, dbus_message_iter_close_container, (DBusMessageIter *iter, DBusMessageIter *sub), (iter, sub))
GIVES(int, dbus_message_iter_get_arg_type, (DBusMessageIter *iter), (iter))
DOES(dbus_message_iter_get_basic, (DBusMessageIter *iter, void *value), (iter, value))
GIVES(char *, dbus_message_iter_get_signature, (DBusMessageIter *iter), (iter))
GIVES(dbus_bool_t, dbus_message_iter_init, (DBusMessage *message, DBusMessageIter *iter), (message, iter))
DOES(dbus_message_iter_init_append, (DBusMessage *message, DBusMessageIter *iter), (message, iter))
GIVES(dbus_bool_t, dbus_message_iter_next, (DBusMessageIter *iter), (iter))
GIVES(dbus_bool_t, dbus_message_iter_open_container,
      (DBusMessageIter *iter, int type, const char *contained_signature, DBusMessageIter *sub), (iter, type, contained_signature, sub))
DOES(dbus_message_iter_recurse, (DBusMessageIter *iter, DBusMessageIter *sub), (iter, sub))
GIVES(DBusMessage *, dbus_message_new, (int message_type), (message_type))
GIVES(DBusMessage *, dbus_message_new_method_call,
      (const char *bus_name, const char *path, const char *iface, const char *method), (bus_name, path, iface, method))
GIVES(DBusMessage *, dbus_message_new_signal,
      (const char *path, const char *iface, const char *name), (path, iface, name))
GIVES(dbus_bool_t, dbus_message_set_destination,
      (DBusMessage *message, const char *destination), (message, destination))
GIVES(dbus_bool_t, dbus_message_set_error_name, (DBusMessage *message, const char *name), (message, name))
DOES(dbus_message_set_no_reply, (DBusMessage *message, dbus_bool_t no_reply), (message, no_reply))
GIVES(dbus_bool_t, dbus_message_set_reply_serial,
      (DBusMessage *message, dbus_uint32_t reply_serial), (message, reply_serial))
DOES(dbus_message_unref, (DBusMessage *message), (message))
GIVES(dbus_bool_t, dbus_signature_validate_single, (const char *signature, DBusError *error), (signature, error))
GIVES(dbus_bool_t, dbus_threads_init_default, (void), ())
GIVES(dbus_bool_t, dbus_validate_bus_name, (const char *name, DBusError *error), (name, error))
GIVES(dbus_bool_t, dbus_validate_error_name, (const char *name, DBusError *error), (name, error))
GIVES(dbus_bool_t, dbus_validate_interface, (const char *name, DBusError *error), (name, error))
GIVES(dbus_bool_t, dbus_validate_member, (const char *name, DBusError *error), (name, error))
GIVES(dbus_bool_t, dbus_validate_path, (const char *path, DBusError *error), (path, error))
