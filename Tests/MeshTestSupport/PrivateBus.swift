import Foundation
package import MeshBus
import Synchronization

/// A bus of the test's own, with services that the test plays.
package final class PrivateBus: Sendable {
    package let address: String
    private let daemon: Process
    private let settings: URL

    /// Knows no services that it could start, such as the keyring of the user who runs the tests.
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
    package init() throws {
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
    package func play(
        _ service: String,
        _ answer: @escaping @Sendable (_ path: String, _ method: String, _ arguments: [BusValue]) -> [BusValue]?
    ) throws -> Player {
        try Player(service, on: self, answer)
    }

    /// A service on a connection of its own.
    package final class Player: Sendable {
        private let service: String
        private let bus: PrivateBus
        private let connection = Mutex<Bus?>(nil)

        init(
            _ service: String, on bus: PrivateBus,
            _ answer: @escaping @Sendable (String, String, [BusValue]) -> [BusValue]?
        ) throws {
            self.service = service
            self.bus = bus
            let opened = try Bus(.address(bus.address)) { [weak self] event in
                guard case .call(let call) = event, let connection = self?.connection.withLock({ $0 }) else { return }
                if let values = answer(call.path, call.method, call.arguments) {
                    connection.answer(call, values)
                } else {
                    connection.refuse(call, name: "org.freedesktop.DBus.Error.Failed", text: "not today")
                }
            }
            connection.withLock { $0 = opened }
            try opened.own(service)
        }

        /// Sends a signal of an object of the service.
        package func emit(_ path: String, _ interface: String, _ name: String, _ arguments: BusValue...) {
            connection.withLock { $0 }?.emit(path, interface, name, arguments)
        }

        /// Removes the service from the bus.
        package func stop() {
            let opened = connection.withLock { connection in
                defer { connection = nil }
                return connection
            }
            try? opened?.release(service)
        }
    }
}
