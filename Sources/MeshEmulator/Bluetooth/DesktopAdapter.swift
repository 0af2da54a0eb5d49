import MeshBluetoothHost
import MeshBus
import MeshTransports

/// The advertising and pairing of an emulated radio through bluetoothd, on one of its adapters.
///
/// It is a value without a bus: answers, calls and signals go in, and messages to send come out. It governs the objects
/// of the adapter and of our end, and the changes to undo in the end. Connections are not its business: they come on a
/// socket of the kernel. Source: BlueZ, doc/org.bluez.{Adapter,AgentManager,Agent,LEAdvertisingManager}.
struct DesktopAdapter {
    /// The purpose of a call, by which its answer is handled.
    enum Purpose: Hashable, Sendable {
        case look
        case agent
        case defaultAgent
        case pairable
        /// The advertisement with this number.
        case advertise(Int)
        /// Calls of which the answer is ignored.
        case farewell
    }

    /// An effect, in the order of the list.
    enum Output: Hashable, Sendable {
        case call(Purpose, BusRequest)
        case answer(BusCall, [BusValue])
        case refuse(BusCall, name: String)
        /// Centrals may connect, to this address.
        case ready(BluetoothAddress)
        /// The radio can be found.
        case advertising
        /// It cannot, for this reason; it may be tried again.
        case notAdvertising(String)
        /// The PIN that the user of this device types to pair.
        case passkey(UInt32, peer: String)
        /// It is of no use any more, for this reason.
        case ended(String)
    }

    private enum Phase: Hashable {
        case idle
        case starting
        case ready
        case ended
    }

    private static let agentPath = "/org/meshbed/agent"
    private static let agent = BusValue.objectPath(agentPath)

    /// The signals to listen to: bluetoothd itself, added and removed objects, and changes of the adapter.
    let rules: [String]

    private let number: Int
    private let path: String
    private var phase = Phase.idle
    /// The adapter could not be paired with before.
    private var wasNotPairable = false
    /// The changes to undo in the end.
    private var hasAgent = false
    private var hasMadePairable = false
    private var address = BluetoothAddress(number: 0, isRandom: false)
    private var advertisement: (number: Int, name: String)?
    private var advertisements = 0
    private var outputs: [Output] = []

    /// `number`: that of `hci0`.
    init(_ number: Int) {
        self.number = number
        path = DesktopNames.adapterPath(number)
        rules = [
            DesktopNames.ownerRule, DesktopNames.rule("InterfacesRemoved"),
            DesktopNames.rule("PropertiesChanged", path: path),
        ]
    }

    /// The adapter's name for people.
    private var name: String { "hci\(number)" }

    // MARK: Begin and end

    /// Looks at the adapter: `ready` follows, or `ended`.
    mutating func start() -> [Output] {
        phase = .starting
        outputs.append(.call(.look, DesktopNames.objects))
        return taken()
    }

    /// Undoes all changes; there are no more effects after that.
    mutating func stop() -> [Output] {
        phase = .ended
        withdraw()
        if hasAgent {
            call(.farewell, DesktopNames.root, DesktopNames.agents, "UnregisterAgent", Self.agent)
        }
        if hasMadePairable { setPairable(.farewell, to: false) }
        forget()
        return taken()
    }

    /// Drops the changes to undo.
    private mutating func forget() {
        advertisement = nil
        (hasAgent, hasMadePairable) = (false, false)
    }

    private mutating func end(_ fault: BluetoothCentral.DesktopFault) { end("\(fault)") }

    private mutating func end(_ reason: String) {
        guard phase != .ended else { return }
        phase = .ended
        outputs.append(.ended(reason))
    }

    // MARK: Advertising

    /// The radio is to be found under this name; `advertising` follows, or `notAdvertising`.
    mutating func advertise(_ name: [UInt8]) -> [Output] {
        guard phase == .ready else { return [] }
        withdraw()
        advertisements += 1
        advertisement = (advertisements, Self.advertised(name))
        call(
            .advertise(advertisements), path, DesktopNames.advertisements, "RegisterAdvertisement",
            .objectPath(Self.object(advertisements)), .variants([:]))
        return taken()
    }

    /// It is not to be found any more.
    mutating func stopAdvertising() -> [Output] {
        withdraw()
        return taken()
    }

    private mutating func withdraw() {
        guard let advertisement else { return }
        self.advertisement = nil
        let object = BusValue.objectPath(Self.object(advertisement.number))
        call(.farewell, path, DesktopNames.advertisements, "UnregisterAdvertisement", object)
    }

    private static func object(_ number: Int) -> String { "/org/meshbed/advertisement\(number)" }

    /// As much of a name as an answer to scans has room for, in whole characters.
    private static func advertised(_ name: [UInt8]) -> String {
        var text = String(decoding: name, as: UTF8.self)
        while text.utf8.count > 29 { text.removeLast() }
        return text
    }

    /// Ends the connection to a peer, which its socket alone does not do at once.
    mutating func disconnect(_ peer: BluetoothAddress) -> [Output] {
        let device = String(peer.text.map { $0 == ":" ? "_" : $0 })
        call(.farewell, "\(path)/dev_\(device)", DesktopNames.device, "Disconnect")
        return taken()
    }

    // MARK: Answers

    mutating func answered(_ purpose: Purpose, _ result: Result<[BusValue], BusError>) -> [Output] {
        guard phase == .starting || phase == .ready else { return [] }
        switch (purpose, result) {
        case (.farewell, _): break
        case (.look, .success(let values)): look(values.first)
        case (.agent, .success):
            hasAgent = true
            call(.defaultAgent, DesktopNames.root, DesktopNames.agents, "RequestDefaultAgent", Self.agent)
        case (.defaultAgent, .success):
            guard wasNotPairable else {
                ready()
                break
            }
            hasMadePairable = true
            setPairable(.pairable, to: true)
        case (.pairable, .success): ready()
        case (.advertise(let number), .success):
            if advertisement?.number == number { outputs.append(.advertising) }
        case (.advertise(let number), .failure(let error)):
            guard advertisement?.number == number else { break }
            advertisement = nil
            outputs.append(.notAdvertising(Self.reason(error)))
        case (_, .failure(let error)): end(Self.reason(error))
        }
        return taken()
    }

    private mutating func look(_ objects: BusValue?) {
        guard let interfaces = objects?[path], let adapter = interfaces[DesktopNames.adapter] else {
            return end(.noAdapter(name))
        }
        guard adapter["Powered"]?.flag == true else { return end(.poweredOff(name)) }
        guard interfaces[DesktopNames.advertisements] != nil else {
            return end("it cannot advertise; 'bluetoothctl show' has no LEAdvertisingManager1 for it")
        }
        let isRandom = adapter["AddressType"]?.text == "random"
        guard let own = adapter["Address"]?.text.flatMap({ BluetoothAddress(text: $0, isRandom: isRandom) }) else {
            return end("bluetoothd does not tell its address")
        }
        address = own
        wasNotPairable = adapter["Pairable"]?.flag == false
        // A radio with a display: it shows a PIN, and can be told nothing.
        call(.agent, DesktopNames.root, DesktopNames.agents, "RegisterAgent", Self.agent, .string("DisplayOnly"))
    }

    private mutating func ready() {
        phase = .ready
        outputs.append(.ready(address))
    }

    /// The meaning of an error, with its remedy.
    static func reason(_ error: BusError) -> String {
        // Of what a central asks for, this error means something else.
        guard error.bluezName == "NotPermitted" else { return "\(BluetoothCentral.DesktopFault(error))" }
        return "bluetoothd takes no further advertisement; 'bluetoothctl show' lists how many there are"
    }

    // MARK: Events

    mutating func happened(_ event: BusEvent) -> [Output] {
        switch event {
        case .call(let call): called(call)
        case .signal(let signal) where phase == .starting || phase == .ready: heard(signal)
        case .signal: break
        case .closed:
            forget()
            end(.noDaemon)
        }
        return taken()
    }

    private mutating func heard(_ signal: BusSignal) {
        switch signal.name {
        case "NameOwnerChanged":
            // A new one knows nothing of us either.
            guard signal.arguments.first?.text == DesktopNames.service else { break }
            forget()
            end(.noDaemon)
        case "InterfacesRemoved":
            let removed = signal.arguments.last?.parts.compactMap(\.text) ?? []
            if signal.arguments.first?.text == path, removed.contains(DesktopNames.adapter) { end(.adapterGone(name)) }
        case "PropertiesChanged":
            if signal.path == path, signal.arguments.first?.text == DesktopNames.adapter, signal.arguments.count > 1,
                signal.arguments[1]["Powered"]?.flag == false
            {
                end(.poweredOff(name))
            }
        default: break
        }
    }

    private mutating func called(_ call: BusCall) {
        if call.path == Self.agentPath, ["", DesktopNames.agent].contains(call.interface) { return ask(call) }
        guard let advertisement, call.path == Self.object(advertisement.number) else { return refuse(call) }
        switch (call.interface, call.method) {
        case (DesktopNames.properties, "GetAll") where call.arguments.first?.text == DesktopNames.advertisement:
            let values = BusValue.variants([
                "Type": .string("peripheral"), "ServiceUUIDs": .strings([BluetoothUUID.nordicUART.description]),
                "LocalName": .string(advertisement.name), "Discoverable": .boolean(true),
            ])
            outputs.append(.answer(call, [values]))
        case (DesktopNames.advertisement, "Release"):
            outputs.append(.answer(call, []))
            self.advertisement = nil
            if phase == .ready { outputs.append(.notAdvertising("bluetoothd has ended the advertisement")) }
        default: refuse(call)
        }
    }

    /// bluetoothd asks what a user would be asked: only a PIN is shown, and everything else refused.
    private mutating func ask(_ call: BusCall) {
        switch call.method {
        case "DisplayPasskey":
            outputs.append(.answer(call, []))
            guard call.arguments.count == 3, let device = call.arguments[0].text, let pin = call.arguments[1].number,
                pin <= 999_999, call.arguments[2].number == 0, let peer = Self.peer(device)
            else { return }
            outputs.append(.passkey(pin, peer: peer))
        case "Release", "Cancel": outputs.append(.answer(call, []))
        default: outputs.append(.refuse(call, name: DesktopNames.rejected))
        }
    }

    private mutating func refuse(_ call: BusCall) {
        outputs.append(.refuse(call, name: DesktopNames.unknownMethod))
    }

    /// The address in a device's path, `…/dev_AA_BB_CC_DD_EE_FF`, as people write it.
    private static func peer(_ path: String) -> String? {
        guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
        let text = name.dropFirst(4).split(separator: "_", omittingEmptySubsequences: false).joined(separator: ":")
        return BluetoothAddress(text: text)?.text
    }

    // MARK: Calls

    private mutating func call(
        _ purpose: Purpose, _ path: String, _ interface: String, _ method: String, _ arguments: BusValue...
    ) {
        var request = DesktopNames.call(path, interface, method)
        request.arguments = arguments
        outputs.append(.call(purpose, request))
    }

    private mutating func setPairable(_ purpose: Purpose, to flag: Bool) {
        let request = DesktopNames.set(path, DesktopNames.adapter, "Pairable", .boolean(flag))
        outputs.append(.call(purpose, request))
    }

    private mutating func taken() -> [Output] {
        defer { outputs = [] }
        return outputs
    }
}

extension DesktopAdapter.Output: CustomStringConvertible, CustomReflectable {
    /// The effect without its content: a call may have a PIN, and so has what is shown.
    var description: String {
        switch self {
        case .call(_, let request): "call \(request.method) of \(request.path)"
        case .answer(let call, _): "answer \(call.method) of \(call.path)"
        case .refuse(let call, let name): "refuse \(call.method) of \(call.path): \(name)"
        case .ready(let address): "ready at \(address)"
        case .advertising: "advertising"
        case .notAdvertising(let reason): "not advertising: \(reason)"
        case .passkey(_, let peer): "PIN for \(peer)"
        case .ended(let reason): "ended: \(reason)"
        }
    }

    /// Without a PIN, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
