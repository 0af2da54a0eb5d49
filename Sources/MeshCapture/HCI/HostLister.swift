public import MeshWire

/// A command of a host or an event of its controller, for people.
public struct HostLine: Hashable, Sendable {
    /// Counted from 1.
    public var record: Int
    /// Nanoseconds since 1970, UTC.
    public var nanoseconds: Int64?
    public var adapter: UInt16
    /// A command, not an event.
    public var isCommand: Bool
    /// As the specification calls it.
    public var name: String
    /// The fields of those that the readers understand; never those that hold keys.
    public var fields: [PrintedField]
    /// What the fields mean, where that can be said in a few words; else nothing.
    public var words: String
}

/// Names the commands and events of a capture, each as it comes.
public struct HostLister: HostPacketSink, AirPacketSink {
    /// What could not be read.
    public private(set) var problems: [CaptureProblem] = []
    private let take: (HostLine) -> Void

    /// How many problems are kept.
    public static let problemLimit = 1000

    public init(_ take: @escaping (HostLine) -> Void) {
        self.take = take
    }

    public mutating func note(_ problem: CaptureProblem) {
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    /// Nobody commands anything on the air.
    public mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {}

    public mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        switch header.kind {
        case .command where bytes.count >= 2: take(header, command: bytes)
        case .event where bytes.count >= 1: take(header, event: bytes)
        default: break
        }
    }

    private mutating func take(_ header: HostPacketHeader, command bytes: Span<UInt8>) {
        let opcode = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        var line = line(header, isCommand: true, HCI.name(ofCommand: opcode))
        do throws(FrameError) {
            let command = try bytes.withUnsafeBytes { (memory) throws(FrameError) in try HCI.Command(decoding: memory) }
            (line.fields, line.words) = (command.fields, command.words)
        } catch {
            line.words = "cannot be read: \(error)"
        }
        take(line)
    }

    private mutating func take(_ header: HostPacketHeader, event bytes: Span<UInt8>) {
        let name = HCI.name(ofEvent: bytes[0], lowEnergy: bytes.count > 2 ? bytes[2] : nil)
        var line = line(header, isCommand: false, name)
        do throws(FrameError) {
            let event = try bytes.withUnsafeBytes { (memory) throws(FrameError) in try HCI.Event(decoding: memory) }
            (line.fields, line.words) = (event.fields, event.words)
        } catch {
            line.words = "cannot be read: \(error)"
        }
        take(line)
    }

    private func line(_ header: HostPacketHeader, isCommand: Bool, _ name: String) -> HostLine {
        HostLine(
            record: header.record.number, nanoseconds: header.record.nanoseconds, adapter: header.adapter,
            isCommand: isCommand, name: name, fields: [], words: "")
    }
}

extension HCI.Command {
    /// The fields with their offsets from the opcode on.
    public var fields: [PrintedField] {
        switch self {
        case .reset, .clearAdvertisingSets, .other: []
        case .localName(let command): command.printed(from: 3)
        case .randomAddress(let command): command.printed(from: 3)
        case .advertisingParameters(let command): command.printed(from: 3)
        case .advertisingData(let command), .scanResponseData(let command): command.printed(from: 3)
        case .createConnection(let command): command.printed(from: 3)
        case .createConnectionExtended(let command): command.printed(from: 3)
        case .setRandomAddress(let command): command.printed(from: 3)
        case .extendedAdvertisingParameters(let command): command.printed(from: 3)
        case .extendedAdvertisingData(let command), .extendedScanResponseData(let command): command.printed(from: 3)
        case .removeAdvertisingSet(let command): command.printed(from: 3)
        }
    }

    /// Who it is about.
    var words: String {
        switch self {
        case .localName(let command): AdvertisedFacts.text(command.name.bytes.span) ?? ""
        case .randomAddress(let command): AirAddress(command.address, type: 1).description
        case .setRandomAddress(let command): AirAddress(command.address, type: 1).description
        case .advertisingData(let command), .scanResponseData(let command):
            AdvertisedFacts(command.bytes.span).description
        case .extendedAdvertisingData(let command), .extendedScanResponseData(let command):
            AdvertisedFacts(command.data.span).description
        case .createConnection(let command) where command.filterPolicy == 0:
            AirAddress(command.peer, type: command.peerType).description
        case .createConnectionExtended(let command) where command.filterPolicy == 0:
            AirAddress(command.peer, type: command.peerType).description
        case .createConnection, .createConnectionExtended: "any device of the list"
        case .reset, .clearAdvertisingSets, .other, .advertisingParameters, .extendedAdvertisingParameters,
            .removeAdvertisingSet:
            ""
        }
    }
}

extension HCI.Event {
    /// The fields with their offsets from the code on.
    public var fields: [PrintedField] {
        switch self {
        case .connected(let event): event.printed(from: 3)
        case .connectedClassic(let event): event.printed(from: 2)
        case .disconnected(let event): event.printed(from: 2)
        case .encryption(let event): event.printed(from: 2)
        case .newKey(let event): event.printed(from: 2)
        case .advertising(let event): event.printed(from: 3)
        case .extendedAdvertising(let event): event.printed(from: 3)
        case .commandStatus(let event): event.printed(from: 2)
        // What a command returns may be a key.
        case .commandComplete, .other: []
        }
    }

    var words: String {
        switch self {
        case .connected(let event) where event.status == 0:
            "handle \(event.handle), \(event.role == 0 ? "central" : "peripheral") of "
                + AirAddress(event.peer, type: event.peerType).description
        case .connected(let event): "status 0x" + [event.status].hex
        case .disconnected(let event): "handle \(event.handle), \(HCI.disconnectReason(event.reason))"
        case .encryption(let event): "handle \(event.handle), \(event.enabled == 0 ? "off" : "on")"
        case .commandComplete(let event):
            HCI.name(ofCommand: event.opcode) + (event.returned.first.map { ", status 0x" + [$0].hex } ?? "")
        case .commandStatus(let event): HCI.name(ofCommand: event.opcode) + ", status 0x" + [event.status].hex
        case .advertising(let event):
            event.reports.map {
                Self.words(AirAddress($0.address, type: $0.addressType), AdvertisedFacts($0.data.span))
            }.joined(separator: "; ")
        case .extendedAdvertising(let event):
            event.reports.map {
                Self.words(AirAddress($0.address, type: $0.addressType), AdvertisedFacts($0.data.span))
            }.joined(separator: "; ")
        case .connectedClassic, .newKey, .other: ""
        }
    }

    private static func words(_ address: AirAddress, _ facts: AdvertisedFacts) -> String {
        [address.description, facts.description].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
