import MeshBoards
import MeshCompanion
import MeshReports
import MeshTime
import MeshWire

// How a run leaves a radio that is somebody's: the bytes of `RadioKeeper`.
extension Probe {
    /// Asks the radio for everything that may have to be put back; settings that it does not report stay as they are.
    func remembered() throws -> RadioKeeper {
        var record = RadioRecord(
            selfInfo: try told { try Resp.SelfInfo(decoding: $0.selfInfo().frame) },
            device: try told { try Resp.DeviceInfo(decoding: $0.deviceInfo().frame) })
        let time = try told { try $0.now() }
        let clock = time.map { (unixSeconds: $0, at: moment) }
        record.tuning = try told { try Resp.TuningParams(decoding: $0.ask("2B", "17 values8").frame) }
        record.autoAdd = try told { try Resp.AutoaddConfig(decoding: $0.ask("3B", "19 values…").frame) }
        record.scope = try told { try Resp.DefaultFloodScope(decoding: $0.ask("40", "1C scope…").frame) }
        if target.abilities.contains(.identity) {
            record.privateKey = try told { FixedBytes(try $0.ask("17", "0E key64")["key"]) }
        }
        record.channels = try toldChannels(record.device?.maxChannels)
        if let contacts = try toldContacts() {
            record.contacts = contacts
        } else {
            record.tellsContacts = false
        }
        var keeper = RadioKeeper(record)
        keeper.clock = clock
        keeper.hidesTransients = switches.transientContacts == .hidden
        return keeper
    }

    /// Slots that may stay untold before no further one is asked for.
    private static let untoldChannelLimit = 3

    private func toldChannels(_ count: UInt8?) throws -> [Resp.ChannelInfo] {
        var channels: [Resp.ChannelInfo] = []
        var untold = 0
        for index in 0..<(count ?? .max) where untold < Self.untoldChannelLimit {
            let channel = try told { try Resp.ChannelInfo(decoding: $0.ask("1F \(index)", "12 \(index) ?48").frame) }
            if let channel { channels.append(channel) } else { untold += 1 }
        }
        return channels
    }

    /// The contacts that can be read; `nil` where there is no listing.
    private func toldContacts() throws -> [ContactRecord]? {
        let frames = try told { radio in
            try radio.ask("04", "02 count4")
            return try radio.collect { $0.first == 4 }
        }
        return frames?.compactMap { $0.first == 3 ? (try? Resp.Contact(decoding: $0))?.record : nil }
    }

    /// Brings the radio to the baseline of the run, as far as it lets itself be brought.
    ///
    /// - Returns: settings that it refused or did not answer, a line each; statements show what that comes to.
    func reachBaseline() throws -> [String] {
        var left: [String] = []
        for command in keeper?.takeRestoration() ?? [] {
            do {
                if let removal = command as? RemoveContact, try !isListed(removal.publicKey) { continue }
                let frame = try askUnwatched(command).frame
                if frame != [ResponseCode.ok.rawValue] {
                    left.append("\(RadioKeeper.subject(of: command)): answered \(FrameText.hex(frame))")
                }
            } catch is Failure {
                left.append("\(RadioKeeper.subject(of: command)): not answered")
                keeper?.postpone(type(of: command).codeByte)
                try regain(mayBeStarting: true)
            }
        }
        return left
    }

    /// Brings the radio to the baseline of the run again. What is not put back still counts as touched.
    ///
    /// - Parameter reply: what a command has to be answered with; anything, unless the run depends on it.
    func restoreTouched(expecting reply: Pattern = "…") throws {
        let touched = keeper
        do {
            for command in keeper?.takeRestoration() ?? [] {
                // What the radio has not added, or has in a hidden slot, cannot be removed.
                if let removal = command as? RemoveContact, try !isListed(removal.publicKey) { continue }
                try askUnwatched(command, reply)
            }
        } catch {
            keeper = touched
            throw error
        }
    }

    /// Finds out if the radio knows a node that can be removed: not one of type 0 in a hidden slot.
    func isListed(_ key: FixedBytes<32>) throws -> Bool {
        let frame = try askUnwatched(GetContactByKey(publicKey: key)).frame
        return frame.count > 33 && (frame[33] != 0 || keeper?.hidesTransients == false)
    }

    /// Removes contacts that belong to no statement.
    func remove(_ keys: [[UInt8]]) throws {
        for key in keys { try askUnwatched(RemoveContact(publicKey: FixedBytes(key)), "00") }
    }

    /// Lets the radio send what is queued: packets that wait for the air are few, and the next statement needs some.
    func letQueueDrain(to limit: UInt8 = 4) throws {
        for _ in 0..<240 where tellsQueue {
            guard let waiting = try told({ try $0.ask("38 00", "18 00 ?8 queue1")["queue"].first }) ?? nil else {
                tellsQueue = false
                return
            }
            if waiting <= limit { return }
            try target.wait(.milliseconds(limit == 0 ? 50 : 500))
        }
    }

    /// Asks without a look at what the command changes.
    @discardableResult
    func askUnwatched(_ command: some CommandFrame, _ reply: Pattern = "…") throws -> Captures {
        try sendUnwatched(command.encoded())
        return try expect(reply)
    }
}
