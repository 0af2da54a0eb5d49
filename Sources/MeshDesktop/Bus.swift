import CDBus

/// Why the bus did not do what it was asked for.
enum BusError: Error, Hashable, Sendable {
    /// There is no session bus, or it does not let us in.
    case unavailable(String)
    /// The service answered with an error, or not at all: the error's name and text.
    case refused(name: String, text: String)
    /// A name or path that the bus does not take.
    case invalid(String)
}

/// A connection to the session bus of our own. It waits for answers, so it belongs to one actor, which waits with it.
final class Bus {
    let connection: OpaquePointer
    /// In milliseconds; the desktop's services are on this machine.
    static let answerLimit: Int32 = 5000

    /// `address` as in `unix:path=…`; the session's bus without one.
    init(address: String? = nil) throws(BusError) {
        dbus_threads_init_default()
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let opened: OpaquePointer?
        if let address {
            opened = dbus_connection_open_private(address, &error)
            if let opened { dbus_bus_register(opened, &error) }
        } else {
            opened = dbus_bus_get_private(DBUS_BUS_SESSION, &error)
        }
        guard let opened, dbus_error_is_set(&error) == 0 else {
            let reason = error.message.map { String(cString: $0) } ?? "no answer"
            if let opened { Self.close(opened) }
            throw .unavailable(reason)
        }
        // The library would end the process when the bus goes.
        dbus_connection_set_exit_on_disconnect(opened, 0)
        connection = opened
    }

    deinit { Self.close(connection) }

    private static func close(_ connection: OpaquePointer) {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Calls a method and waits for its answer.
    @discardableResult
    func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: BusValue...
    ) throws(BusError) -> [BusValue] {
        try call(destination, path, interface, method, arguments)
    }

    func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue]
    ) throws(BusError) -> [BusValue] {
        guard Self.isPath(path) else { throw .invalid("the path \(path)") }
        let message = try BusMessage.call(destination, path, interface, method)
        message.append(arguments)
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard
            let answer = dbus_connection_send_with_reply_and_block(
                connection, message.pointer, Self.answerLimit, &error)
        else {
            throw .refused(
                name: error.name.map { String(cString: $0) } ?? "",
                text: error.message.map { String(cString: $0) } ?? "")
        }
        return BusMessage(answer).values
    }

    private static func isPath(_ path: String) -> Bool { dbus_validate_path(path, nil) != 0 }
}
