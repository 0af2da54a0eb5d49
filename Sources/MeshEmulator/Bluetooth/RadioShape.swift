import MeshBluetoothHost
import MeshFirmware
import MeshTime

/// The build of a radio's Bluetooth as its faults have it: traits, and the places of its services.
struct RadioShape: Hashable {
    /// The differences from the firmware's build.
    private(set) var designs: [BluetoothFault.Design] = []
    /// The first handle of services in another order; `nil` for those of the build.
    private(set) var firstHandle: UInt16?

    /// The shape of the firmware's build.
    init() {}

    /// The shape that the faults of a radio give it now.
    init(_ faults: BluetoothFaultLedger) {
        guard !faults.isEmpty else { return }
        for due in faults.active(.connection) {
            switch due.kind {
            case .design(let design): designs.append(design)
            case .servicesMoved(let handle): firstHandle = handle
            default: break
            }
        }
    }

    func has(_ design: BluetoothFault.Design) -> Bool { designs.contains(design) }

    /// The traits of a chip family, with the differences.
    func applied(to traits: BluetoothTraits) -> BluetoothTraits {
        var traits = traits
        for design in designs {
            switch design {
            case .otherReceiveProperties: traits.receiveProperties ^= 0x04
            case .otherTransmitProperties: traits.transmitProperties ^= 0x02
            case .longestMTU: traits.mtu = 517
            case .advertisesLate: traits.advertisingDelay = .seconds(5)
            case .advertisesAtOnce: traits.advertisingDelay = .zero
            default: break
            }
        }
        return traits
    }

    /// The access that a link needs for the service.
    var permission: ATT.Access {
        if has(.open) || has(.executesUnproven) { return .open }
        return has(.noPasskey) ? .encrypted : .authenticated
    }

    /// The name of the device.
    func deviceName(of radio: RadioIdentity) -> [UInt8] {
        has(.bareName) ? radio.name : Array(BluetoothTraits.namePrefix.utf8) + radio.name
    }

    /// The settings of the board's Bluetooth stack.
    func settings(of radio: RadioIdentity, _ attributes: RadioAttributes) -> BluetoothHost.Settings {
        let traits = applied(to: radio.traits)
        var settings = BluetoothHost.Settings()
        settings.randomAddress = radio.address
        settings.attributes = attributes.table
        settings.serverMTU = traits.mtu
        settings.security = .displaying(passkey: radio.pin, secureConnections: traits.hasSecureConnections)
        settings.security.disconnectsOnFailure = !has(.staysAfterFailure)
        if has(.noPasskey) {
            settings.security.ioCapability = .noInputNoOutput
            settings.security.requiresMITM = false
        }
        return settings
    }
}
