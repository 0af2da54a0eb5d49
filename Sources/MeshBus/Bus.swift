import CDBus
import Dispatch
import Synchronization

/// A connection to a message bus of the machine, of our own.
///
/// It has one thread, which alone touches the library. The thread receives calls as values. It delivers answers,
/// signals and calls of others in the order in which they came. Handlers do not block it. The connection ends with the
/// value.
package final class Bus: Sendable {
    /// The bus to connect to.
    package enum Place: Hashable, Sendable {
        /// The bus of the user's session.
        case session
        /// The bus of the machine.
        case system
        /// Another bus, as in `unix:path=…`.
        case address(String)

    }

    /// The time limit of answers, in milliseconds, unless a call sets another; services are on this machine.
    package static let answerLimit = 5000

    private let line: BusLine

    /// Connects, and blocks until the bus has admitted us. `handler` receives messages that come unasked.
    package init(_ place: Place = .session, handler: @escaping @Sendable (BusEvent) -> Void = { _ in }) throws(BusError)
    {
        line = try BusLine(handler)
        let line = line
        let failure = Mutex<BusError?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        // A queue of its own, whose thread stays with the connection.
        DispatchQueue(label: "a connection to D-Bus").async {
            line.run(place) { error in
                failure.withLock { $0 = error }
                isDone.signal()
            }
        }
        isDone.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    deinit { line.close() }

    // MARK: Calling

    /// Calls a method; the answer is delivered on the thread of the connection.
    package func send(
        _ request: BusRequest, limit: Int = Bus.answerLimit,
        answer: @escaping @Sendable (Result<[BusValue], BusError>) -> Void
    ) {
        line.put(.request(request, limit: limit, answer))
    }

    /// Calls a method and blocks until its answer is there; never from a handler.
    @discardableResult
    package func call(_ request: BusRequest, limit: Int = Bus.answerLimit) throws(BusError) -> [BusValue] {
        let box = Mutex<Result<[BusValue], BusError>?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        withExtendedLifetime(self) {
            send(request, limit: limit) { answer in
                box.withLock { $0 = answer }
                isThere.signal()
            }
            isThere.wait()
        }
        return try (box.withLock { $0 } ?? .failure(.gone)).get()
    }

    @discardableResult
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: BusValue...
    ) throws(BusError) -> [BusValue] {
        try call(BusRequest(destination, path, interface, method, arguments))
    }

    // MARK: Being called

    /// Answers a call.
    package func answer(_ call: BusCall, _ values: [BusValue] = []) { line.put(.answer(call, .success(values))) }

    /// Refuses a call: the error's name, as in `org.bluez.Error.Rejected`, and its text.
    package func refuse(_ call: BusCall, name: String, text: String) {
        line.put(.answer(call, .failure(.refused(name: name, text: text))))
    }

    /// Sends a signal of an object of ours.
    package func emit(_ path: String, _ interface: String, _ name: String, _ arguments: [BusValue]) {
        line.put(.signal(path: path, interface: interface, name: name, arguments))
    }

    // MARK: The bus itself

    /// Wants the signals that match a rule, as in `type='signal',sender='org.bluez'`; blocks until it holds.
    package func listen(_ rule: String) throws(BusError) { try bus("AddMatch", .string(rule)) }

    /// Acquires a name on the bus; blocks until it is ours.
    package func own(_ name: String) throws(BusError) {
        // 4: do not wait for another owner to leave it. 1: we own it.
        guard try bus("RequestName", .string(name), .uint32(4)).first?.number == 1 else {
            throw .refused(name: "", text: "\(name) belongs to another program")
        }
    }

    /// Leaves a name of ours; blocks until the bus has released it.
    package func release(_ name: String) throws(BusError) { try bus("ReleaseName", .string(name)) }

    /// Returns whether a service is on the bus.
    package func has(_ name: String) throws(BusError) -> Bool {
        try bus("NameHasOwner", .string(name)).first?.flag ?? false
    }

    /// Returns whether the bus starts a service of this name when it is called.
    package func starts(_ name: String) throws(BusError) -> Bool {
        try bus("ListActivatableNames").first?.parts.contains { $0.text == name } ?? false
    }

    @discardableResult
    private func bus(_ method: String, _ arguments: BusValue...) throws(BusError) -> [BusValue] {
        let name = "org.freedesktop.DBus"
        return try call(BusRequest(name, "/org/freedesktop/DBus", name, method, arguments))
    }
}
