import MeshBluetoothHost
import MeshWire

/// The known facts on the logging side itself: its name, and the address by which others know it.
///
/// Commands give them, and the controller's answer to one. A controller that is reset forgets all but its own address.
struct HostAdapter {
    /// One of the sets that are advertised, and the data in progress for it.
    private struct Set {
        let number: UInt8
        var facts = AdvertisedFacts()
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        var randomAddress: BluetoothAddress?
        var ownType: UInt8?
    }

    let number: UInt16
    private var publicAddress: BluetoothAddress?
    private var randomAddress: BluetoothAddress?
    private var localName: String?
    private var facts = AdvertisedFacts()
    private var sets: [Set] = []
    /// The kind of address that the side last connected with, and last advertised with in the old way.
    private var connectsWith: UInt8?
    private var advertisesWith: UInt8?

    /// More sets than a controller has; the one that was begun first makes room.
    private static let setLimit = 16

    init(number: UInt16) {
        self.number = number
    }

    /// Bytes that are held, for the bound.
    var footprint: Int { sets.reduce(0) { $0 + $1.data.count + $1.scanResponse.count } }

    /// Returns the side's name for itself: in its advertisements where there are any, else towards other hosts.
    func name(of side: LinkSide) -> String? {
        let advertised = sets.last { $0.facts.name != nil }?.facts.name ?? facts.name
        return side == .peripheral ? advertised ?? localName : localName ?? advertised
    }

    /// The address that the side has on a connection, as far as its commands give it.
    func address(of side: LinkSide) -> BluetoothAddress? {
        var random = randomAddress
        var type = side == .central ? connectsWith : advertisesWith
        if side == .peripheral, let set = sets.last(where: { $0.ownType != nil }) {
            (random, type) = (set.randomAddress ?? randomAddress, set.ownType)
        }
        switch type {
        case 0, 2: return publicAddress
        case 1, 3: return random
        default: return nil
        }
    }

    /// Stores the address that the monitor or the controller reports.
    mutating func learn(publicAddress address: FixedBytes<6>) {
        publicAddress = address == FixedBytes() ? nil : BluetoothAddress(address, type: 0)
    }

    mutating func take(_ command: HCI.Command) {
        switch command {
        case .reset:
            let address = publicAddress
            self = HostAdapter(number: number)
            publicAddress = address
        case .localName(let command):
            localName = AdvertisedFacts.text(command.name.bytes.span)
        case .randomAddress(let command): randomAddress = BluetoothAddress(command.address, type: 1)
        case .advertisingParameters(let command): advertisesWith = command.ownType
        case .advertisingData(let command), .scanResponseData(let command): facts.read(command.bytes.span)
        case .createConnection(let command): connectsWith = command.ownType
        case .createConnectionExtended(let command): connectsWith = command.ownType
        case .setRandomAddress(let command):
            sets[index(of: command.set)].randomAddress = BluetoothAddress(command.address, type: 1)
        case .extendedAdvertisingParameters(let command): sets[index(of: command.set)].ownType = command.ownType
        case .extendedAdvertisingData(let command): take(command, \.data)
        case .extendedScanResponseData(let command): take(command, \.scanResponse)
        case .removeAdvertisingSet(let command): sets.removeAll { $0.number == command.set }
        case .clearAdvertisingSets: sets.removeAll()
        default: break
        }
    }

    private mutating func take(_ command: HCI.ExtendedAdvertisingData, _ part: WritableKeyPath<Set, [UInt8]>) {
        guard command.operation != 4 else { return }
        let index = index(of: command.set)
        if command.isFirst { sets[index][keyPath: part].removeAll() }
        let room = max(0, AdvertisedFacts.longestData - sets[index][keyPath: part].count)
        sets[index][keyPath: part] += command.data.prefix(room)
        guard command.isLast else { return }
        let whole = sets[index][keyPath: part]
        sets[index].facts.read(whole.span)
        sets[index][keyPath: part].removeAll()
    }

    private mutating func index(of number: UInt8) -> Int {
        if let index = sets.firstIndex(where: { $0.number == number }) { return index }
        if sets.count == Self.setLimit { sets.removeFirst() }
        sets.append(Set(number: number))
        return sets.count - 1
    }
}

/// The adapters of a capture, within a bound; the one that was met first makes room.
struct HostAdapters {
    private var adapters: [HostAdapter] = []

    /// A machine has one or two, a test bench a few more.
    static let limit = 64

    var count: Int { adapters.count }
    var footprint: Int { adapters.reduce(0) { $0 + $1.footprint } }

    /// The adapter, made if there is none.
    subscript(number: UInt16) -> HostAdapter {
        get { adapters.first { $0.number == number } ?? HostAdapter(number: number) }
        set {
            if let index = adapters.firstIndex(where: { $0.number == number }) {
                adapters[index] = newValue
            } else {
                if adapters.count == Self.limit { adapters.removeFirst() }
                adapters.append(newValue)
            }
        }
    }

    mutating func remove(_ number: UInt16) { adapters.removeAll { $0.number == number } }
}
