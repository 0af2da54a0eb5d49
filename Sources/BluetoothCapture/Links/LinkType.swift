/// The content of a record: the numbers of pcap, and the kinds of the other containers.
package enum LinkType: Hashable, Sendable {
    /// 187, and btsnoop 1002: a type byte, then the content of an HCI transport.
    case h4
    /// 201: a direction in front of that.
    case h4WithDirection
    /// 251: a packet on the air, from its access address on.
    case lowEnergy
    /// 254: the Linux monitor, adapter and opcode in front.
    case linuxMonitor
    /// 256: a radio header in front of a packet on the air.
    case lowEnergyWithRadio
    /// 272: the header of Nordic's sniffer.
    case nordicSniffer
    /// btsnoop 1001: the kind stands in the record's flags.
    case hciByFlags
    /// btsnoop 2001: adapter and opcode stand in the record's flags.
    case linuxMonitorByFlags
    /// Apple's PacketLogger: the type stands in the record's header.
    case packetLogger
    /// Something else, by its number in pcap.
    case other(UInt32)

    /// The link type of this number in pcap and pcapng.
    package init(pcap number: UInt32) {
        switch number {
        case 187: self = .h4
        case 201: self = .h4WithDirection
        case 251: self = .lowEnergy
        case 254: self = .linuxMonitor
        case 256: self = .lowEnergyWithRadio
        case 272: self = .nordicSniffer
        default: self = .other(number)
        }
    }

    /// The link type of this number in btsnoop; `nil` for one that is not read.
    init?(btsnoop number: UInt32) {
        switch number {
        case 1001: self = .hciByFlags
        case 1002: self = .h4
        case 2001: self = .linuxMonitorByFlags
        default: return nil
        }
    }

    /// The number in btsnoop, where there is one.
    var btsnoopNumber: UInt32? {
        switch self {
        case .hciByFlags: 1001
        case .h4: 1002
        case .linuxMonitorByFlags: 2001
        default: nil
        }
    }

    /// The number in pcap and pcapng, where there is one.
    package var pcapNumber: UInt32? {
        switch self {
        case .h4: 187
        case .h4WithDirection: 201
        case .lowEnergy: 251
        case .linuxMonitor: 254
        case .lowEnergyWithRadio: 256
        case .nordicSniffer: 272
        case .other(let number): number
        case .hciByFlags, .linuxMonitorByFlags, .packetLogger: nil
        }
    }
}
