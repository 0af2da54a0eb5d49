import CDBus
import Foundation
import Synchronization

@testable import MeshDesktop

/// A bus of the test's own, with services that the test plays.
final class PrivateBus: Sendable {
    let address: String
    private let daemon: Process
    private let settings: URL

    /// Knows no services that it could start, such as the keyring of whoever runs the tests.
    private static let configuration = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          </policy>
        </busconfig>
        """

    /// Starts a daemon that lives as long as the value.
    init() throws {
        settings = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString).conf")
        try Data(Self.configuration.utf8).write(to: settings)
        daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        daemon.arguments = ["--config-file=\(settings.path)", "--nofork", "--print-address=1"]
        let output = Pipe()
        daemon.standardOutput = output
        // Whoever reads the tests' output through a pipe waits for everyone who holds its other end.
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        let line = output.fileHandleForReading.availableData
        address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        // Not `terminate()`: a child inherits the signals that the thread it was started on holds back, and threads of
        // a pool hold back SIGTERM. A daemon that stays is what `swift test` then waits for, long after the last test.
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
        try? FileManager.default.removeItem(at: settings)
    }

    /// Calls to a service are answered like this until the player is gone; `nil` is an error of the bus.
    func play(
        _ service: String,
        _ answer: @escaping @Sendable (_ path: String, _ method: String, _ arguments: [BusValue]) -> [BusValue]?
    ) throws -> Player {
        try Player(service, on: self, answer)
    }

    /// A service on a thread of its own.
    final class Player: Sendable {
        private let isOver = Mutex(false)
        private let done = DispatchSemaphore(value: 0)
        private let bus: PrivateBus

        init(
            _ service: String, on bus: PrivateBus,
            _ answer: @escaping @Sendable (String, String, [BusValue]) -> [BusValue]?
        ) throws {
            self.bus = bus
            let address = bus.address
            let ready = DispatchSemaphore(value: 0)
            let thread = Thread { [self] in
                guard let bus = try? Bus(address: address) else {
                    ready.signal()
                    done.signal()
                    return
                }
                dbus_bus_request_name(bus.connection, service, 0, nil)
                ready.signal()
                while !isOver.withLock({ $0 }), dbus_connection_read_write(bus.connection, 20) != 0 {
                    while let pointer = dbus_connection_pop_message(bus.connection) {
                        Self.serve(BusMessage(pointer), on: bus, answer)
                    }
                }
                done.signal()
            }
            thread.start()
            ready.wait()
        }

        /// Takes the service off the bus.
        func stop() {
            isOver.withLock { $0 = true }
            done.wait()
        }

        private static func serve(
            _ message: BusMessage, on bus: Bus, _ answer: (String, String, [BusValue]) -> [BusValue]?
        ) {
            guard dbus_message_get_type(message.pointer) == DBUS_MESSAGE_TYPE_METHOD_CALL else { return }
            let path = dbus_message_get_path(message.pointer).map { String(cString: $0) } ?? ""
            let method = dbus_message_get_member(message.pointer).map { String(cString: $0) } ?? ""
            let reply: OpaquePointer?
            if let values = answer(path, method, message.values) {
                reply = dbus_message_new_method_return(message.pointer)
                if let reply { BusMessage(dbus_message_ref(reply)).append(values) }
            } else {
                reply = dbus_message_new_error(message.pointer, "org.freedesktop.DBus.Error.Failed", "not today")
            }
            guard let reply else { return }
            dbus_connection_send(bus.connection, reply, nil)
            dbus_connection_flush(bus.connection)
            dbus_message_unref(reply)
        }
    }
}
