import ArgumentParser
import MeshBoards
import MeshCompliance
import PocketMeshServices

/// `meshbed client forget`.
struct ClientForget: OfflineClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget how a radio is reached, and its pairing; no radio is needed.",
        discussion: """
            The radio is that of --target. A radio over Bluetooth loses its keys as well: the next link pairs \
            again. What the database has of its mesh stays, unless --erase is given.

            Examples:
              meshbed client --db radio.sqlite --target ble:MeshCore-alice forget
              meshbed client --db radio.sqlite forget --erase

            Exit status: 0 when it was forgotten, 1 when the database does not know it.
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Erase its contacts, channels and messages, too.")
    var erase = false

    func run() async throws {
        do {
            let (setup, claim) = try options.claimed()
            defer { claim?.release() }
            guard setup.db != nil else { throw ClientError.noDatabase("radios are kept in a database") }
            let isForgotten = try await forget(with: ClientApp(setup, sink: MemoryNotificationSink()))
            guard isForgotten else {
                Console.note("meshbed client: the database does not know \(setup.target)")
                throw ExitCode(1)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            throw Console.failed("client", error)
        }
    }

    /// Forgets the radio; returns whether it was known.
    @MainActor
    func forget(with app: ClientApp) async throws -> Bool {
        guard let endpoint = RadioEndpoint("\(app.setup.target)"),
            let known = try await app.store.fetchEndpoint(kind: endpoint.kind.rawValue, address: endpoint.address),
            let device = known.deviceID
        else { return false }
        try await app.manager.forgetDevice(device, deletingData: erase)
        await app.manager.stop()
        return true
    }
}
