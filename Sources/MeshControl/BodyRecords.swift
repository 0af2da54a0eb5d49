import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWorlds

/// The body of a node as it stands: what it was told, and what the node measures now.
struct NodeBodyRecord: Encodable, Sendable {
    /// One record of the telemetry that the node would send now.
    struct Reading: Encodable, Sendable {
        let channel: UInt8
        let type: String
        let unit: String
        let values: [Double]

        init(_ record: LPPRecord) {
            (channel, type, unit) = (record.channel, "\(record.type)", record.type.layout.unit)
            values = record.values
        }
    }

    let node: String
    let isUp: Bool
    let outage: String?
    let batteryVolts: Double
    let chargePercent: Double?
    let hasExternalPower: Bool
    let boardDegrees: Double?
    let noiseFloor: Int16
    let gps: String?
    let satellites: UInt8?
    let latitude: Double
    let longitude: Double
    let altitude: Double
    let telemetry: [Reading]
    let body: BodyRecord

    /// `nil` for a guest, which has a body of its own.
    init?(_ node: NodeID, _ world: inout World) {
        guard let environment = world.environment(of: node) else { return nil }
        let now = world.now
        self.node = world.label(of: node)
        isUp = world.isUp(node)
        outage = world.outage(of: node)?.rawValue
        batteryVolts = Double(environment.batteryMillivolts(at: now)) / 1000
        chargePercent = environment.battery.ofCell.map { Double($0.chargeMillionths(at: now)) / 10_000 }
        hasExternalPower = environment.isExternallyPowered
        boardDegrees = environment.processorDegrees(at: now)
        noiseFloor = world.noiseFloor(of: node)
        let hasFix = environment.isGPSActive && environment.hasFix(at: now)
        gps = environment.gps == nil ? nil : !environment.isGPSActive ? "off" : hasFix ? "fix" : "no fix"
        satellites = environment.gps.map { hasFix ? $0.satellites : 0 }
        let place = environment.position(at: now)
        (latitude, longitude, altitude) = (place.latitude, place.longitude, place.altitude)
        telemetry = Array(LPPReader(environment.telemetry(mask: .all, processor: .last, at: now))).map(Reading.init)
        body = BodyRecord(world.bodyNow(of: node) ?? NodeBody())
    }
}
