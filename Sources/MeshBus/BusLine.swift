import CBus
import CDBus
import Glibc
import Synchronization

/// The thread's side of a connection.
///
/// The library's own lock would let a waiting reader block a writer. So one thread does both, and a pair of sockets
/// wakes it for the orders of other threads.
final class BusLine: Sendable {
    typealias Answer = @Sendable (Result<[BusValue], BusError>) -> Void

    /// An order to the line from another thread.
    enum Order: Sendable {
        case request(BusRequest, limit: Int, Answer)
        case answer(BusCall, Result<[BusValue], BusError>)
        case signal(path: String, interface: String, name: String, [BusValue])
    }

    private struct Waiting: Sendable {
        var orders: [Order] = []
        var isClosing = false
        /// True when the thread has ended: orders are not accepted any more.
        var isOver = false
    }

    private let handler: @Sendable (BusEvent) -> Void
    private let waiting = Mutex(Waiting())
    /// A pair of sockets that wakes the thread.
    private let alarm: Int32
    private let ring: Int32

    init(_ handler: @escaping @Sendable (BusEvent) -> Void) throws(BusError) {
        self.handler = handler
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .unavailable(String(cString: strerror(errno)))
        }
        (alarm, ring) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(alarm)
        Glibc.close(ring)
    }

    private static func open(_ place: Bus.Place) throws(BusError) -> OpaquePointer {
        if let reason = bus_library_failure() {
            throw .unavailable("the library of D-Bus is missing (Debian: libdbus-1-3): \(String(cString: reason))")
        }
        // Each connection has a thread of its own, and the library has things that all of them share.
        dbus_threads_init_default()
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let opened: OpaquePointer?
        switch place {
        case .session: opened = dbus_bus_get_private(DBUS_BUS_SESSION, &error)
        case .system: opened = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error)
        case .address(let address):
            opened = dbus_connection_open_private(address, &error)
            if let opened { dbus_bus_register(opened, &error) }
        }
        guard let opened, dbus_error_is_set(&error) == 0 else {
            let reason = error.message.map { String(cString: $0) } ?? "no answer"
            if let opened { close(opened) }
            throw .unavailable(reason)
        }
        // The library would end the process when the bus goes.
        dbus_connection_set_exit_on_disconnect(opened, 0)
        return opened
    }

    private static func close(_ connection: OpaquePointer) {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    // MARK: From other threads

    func put(_ order: Order) {
        let isTaken = waiting.withLock { waiting in
            guard !waiting.isOver else { return false }
            waiting.orders.append(order)
            return true
        }
        if isTaken {
            wake()
        } else if case .request(_, _, let answer) = order {
            answer(.failure(.gone))
        }
    }

    /// Ends the connection once everything that was to be sent is sent.
    func close() {
        waiting.withLock { $0.isClosing = true }
        wake()
    }

    /// A full one wakes as well.
    private func wake() {
        var byte: UInt8 = 0
        _ = Glibc.send(ring, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    // MARK: The thread

    private struct Pending {
        let deadline: ContinuousClock.Instant
        let answer: Answer
    }

    /// Connects, reports the result, and serves the connection until it is closed or the bus has gone.
    func run(_ place: Bus.Place, opened: (BusError?) -> Void) {
        let connection: OpaquePointer
        do throws(BusError) {
            connection = try Self.open(place)
        } catch {
            opened(error)
            return
        }
        opened(nil)
        let isOpen = serve(connection)
        dbus_connection_flush(connection)
        Self.close(connection)
        if !isOpen { handler(.closed) }
    }

    /// Returns whether the bus is still there.
    private func serve(_ connection: OpaquePointer) -> Bool {
        var pending: [UInt32: Pending] = [:]
        var isOpen = true
        while isOpen {
            let isClosing = send(&pending, over: connection)
            // Reads and writes what is possible without waiting.
            isOpen = dbus_connection_read_write(connection, 0) != 0
            while let pointer = dbus_connection_pop_message(connection) { take(BusMessage(pointer), &pending) }
            expire(&pending)
            guard isOpen, !isClosing else { break }
            wait(on: connection, until: pending.values.lazy.map(\.deadline).min())
        }
        let left = waiting.withLock { waiting in
            waiting.isOver = true
            return waiting.orders
        }
        for order in left { if case .request(_, _, let answer) = order { answer(.failure(.gone)) } }
        for (_, pending) in pending.sorted(by: { $0.key < $1.key }) { pending.answer(.failure(.gone)) }
        return isOpen
    }

    /// Sends the waiting orders. Returns whether the connection is to be closed then.
    private func send(_ pending: inout [UInt32: Pending], over connection: OpaquePointer) -> Bool {
        let (orders, isClosing) = waiting.withLock { waiting in
            defer { waiting.orders = [] }
            return (waiting.orders, waiting.isClosing)
        }
        for order in orders {
            switch order {
            case .request(let request, let limit, let answer):
                do throws(BusError) {
                    let serial = try Self.send(try BusMessage.call(request), over: connection)
                    pending[serial] = Pending(deadline: .now + .milliseconds(limit), answer: answer)
                } catch {
                    answer(.failure(error))
                }
            case .answer(let call, let result):
                guard call.wantsAnswer, let message = BusMessage.answer(call, result) else { continue }
                _ = try? Self.send(message, over: connection)
            case .signal(let path, let interface, let name, let arguments):
                guard let message = try? BusMessage.signal(path, interface, name, arguments) else { continue }
                _ = try? Self.send(message, over: connection)
            }
        }
        return isClosing
    }

    private static func send(
        _ message: BusMessage, over connection: OpaquePointer
    ) throws(BusError) -> UInt32 {
        var serial: UInt32 = 0
        guard dbus_connection_send(connection, message.pointer, &serial) != 0 else { throw .gone }
        return serial
    }

    private func take(_ message: BusMessage, _ pending: inout [UInt32: Pending]) {
        switch message.kind {
        case .answer(let serial, let result): pending.removeValue(forKey: serial)?.answer(result)
        case .signal(let signal): handler(.signal(signal))
        case .call(let call): handler(.call(call))
        case .other: break
        }
    }

    private func expire(_ pending: inout [UInt32: Pending]) {
        let now = ContinuousClock.now
        for (serial, late) in pending where late.deadline <= now {
            pending[serial] = nil
            late.answer(.failure(.noReply))
        }
    }

    /// Blocks until the bus has a message, an order has come, or it is `deadline`.
    private func wait(on connection: OpaquePointer, until deadline: ContinuousClock.Instant?) {
        var descriptor: Int32 = -1
        guard dbus_connection_get_unix_fd(connection, &descriptor) != 0 else { return }
        var events = Int16(POLLIN)
        if dbus_connection_has_messages_to_send(connection) != 0 { events |= Int16(POLLOUT) }
        var watched = [
            pollfd(fd: descriptor, events: events, revents: 0), pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
        ]
        var limit: Int32 = -1
        if let deadline {
            let left = deadline - .now
            limit = left > .zero ? (Int32(exactly: (left / .milliseconds(1)).rounded(.up)) ?? .max) : 0
        }
        poll(&watched, nfds_t(watched.count), limit)
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(alarm, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }
}
