import MeshBus
import MeshTestSupport
import Testing

/// Asking a bus who is on it.
@Suite struct SystemServiceSystemTests {
    @Test func `a service is on the bus while it is there`() throws {
        let bus = try PrivateBus()
        #expect(SystemService("org.bluez", on: .address(bus.address)) == .notRunning)

        let player = try bus.play("org.bluez") { _, _, _ in nil }

        withExtendedLifetime(player) {
            #expect(SystemService("org.bluez", on: .address(bus.address)) == .running)
        }
    }

    @Test func `without a bus there is no service`() {
        #expect(SystemService("org.bluez", on: .address("unix:path=/nothing/here")) == .noBus)
    }
}
