import MeshCompanion
import MeshTime
import MeshWire

// How a run leaves a radio that is somebody's: the bytes of `RadioKeeper`.
extension Probe {
    /// Asks the radio for everything that may have to be put back.
    func remembered() throws -> RadioKeeper {
        try sendUnwatched([0x01] + bytes(0x20, 7))
        try drain()
        var record = RadioRecord(
            selfInfo: try Resp.SelfInfo(decoding: selfInfo().frame),
            device: try Resp.DeviceInfo(decoding: deviceInfo().frame))
        let clock = (unixSeconds: try now(), at: moment)
        record.tuning = try Resp.TuningParams(decoding: ask("2B", "17 values8").frame)
        record.autoAdd = try Resp.AutoaddConfig(decoding: ask("3B", "19 values…").frame)
        record.scope = try Resp.DefaultFloodScope(decoding: ask("40", "1C scope…").frame)
        if target.abilities.contains(.identity) {
            record.privateKey = (try? ask("17", "0E key64")["key"]).map { FixedBytes($0) }
        }
        for index in 0..<record.device.maxChannels {
            record.channels.append(try Resp.ChannelInfo(decoding: ask("1F \(index)", "12 ?49").frame))
        }
        try send("04")
        for frame in try collect(until: { $0.first == 4 }) where frame.first == 3 {
            record.contacts.append(try Resp.Contact(decoding: frame).record)
        }
        var keeper = RadioKeeper(record)
        keeper.clock = clock
        return keeper
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

    /// A contact of type 0 lies in a hidden slot, and removing it would hide somebody else.
    func isListed(_ key: FixedBytes<32>) throws -> Bool {
        let frame = try askUnwatched(GetContactByKey(publicKey: key)).frame
        return frame.count > 33 && frame[33] != 0
    }

    /// Removes contacts that belong to no statement.
    func remove(_ keys: [[UInt8]]) throws {
        for key in keys { try askUnwatched(RemoveContact(publicKey: FixedBytes(key)), "00") }
    }

    /// Lets the radio send what is queued: packets that wait for the air are few, and the next statement needs some.
    func letQueueDrain(to limit: UInt8 = 4) throws {
        for _ in 0..<240 {
            let waiting = try ask("38 00", "18 00 ?8 queue1")["queue"].first ?? 0
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
