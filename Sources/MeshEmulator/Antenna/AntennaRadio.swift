import MeshCompanion
import MeshCore
import MeshRadio
import MeshTransports

/// A companion radio as an antenna: the app's side of it.
struct AntennaRadio: Sendable {
    /// The first protocol level whose firmware, 1.16, sends raw packets.
    private static let neededLevel: UInt8 = 13

    private let session: MeshCoreSession
    /// The radio settings in use.
    let parameters: LoRaParameters
    /// Its name, for people.
    let name: String

    /// Connects, and looks whether the radio can be one.
    static func open(_ address: LinkAddress) async throws -> AntennaRadio {
        let session = MeshCoreSession(transport: StreamTransport(address), clock: ContinuousClock())
        do {
            try await session.start()
            let device = try await session.queryDevice()
            guard device.firmwareVersionCode >= neededLevel else {
                throw LinkError.unreachable(address, reason: "its firmware is older than 1.16 and sends no raw packets")
            }
            guard let info = await session.currentSelfInfo else { throw SessionError.notStarted }
            let parameters = LoRaParameters(
                frequencyKilohertz: info.frequency, bandwidthHertz: info.bandwidth,
                spreadingFactor: info.spreadingFactor, codingRate: info.codingRate)
            guard parameters.isInRange else {
                throw LinkError.unreachable(address, reason: "it works with settings that no radio has")
            }
            return AntennaRadio(session: session, parameters: parameters, name: "\(info.name)")
        } catch {
            await session.stop()
            if let error = error as? LinkError { throw error }
            throw LinkError.unreachable(address, reason: "\(error)")
        }
    }

    /// All packets from now on, until the link ends.
    func packets() async -> AsyncStream<MeshEvent> {
        await session.events(
            filter: EventFilter { event in
                switch event {
                case .rxLogData, .logData: true
                default: false
                }
            })
    }

    /// Has the radio send a packet as it is; whether it took it. Its own queue, its waiting for the channel and its
    /// airtime budget come after that.
    func send(_ packet: [UInt8]) async -> Bool {
        (try? await session.send(SendRawPacket(priority: 0, packet: packet))) != nil
    }

    func stop() async { await session.stop() }
}
