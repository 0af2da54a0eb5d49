import MeshCompanion

/// Finds the recorded command that a command means, and remembers those that were used.
struct CommandMatcher: Sendable {
    enum Match: Hashable, Sendable {
        case exchange(Int, isRepeat: Bool)
        /// A message is asked for that has not been announced.
        case nothingYet
        case departure(nearest: Int?, fields: [String])
    }

    /// The recorded commands of one code.
    private struct Shelf: Sendable {
        var exchanges: [Int] = []
        /// The first place that may be free; all before it are used.
        var firstFree = 0
        /// Used places, the latest last.
        var taken: [Int] = []
    }

    private let script: ReplayScript
    private var shelves: [Shelf]
    private var used: [Bool]
    /// The newest exchange that was used in order.
    private var place = 0
    /// The recorded connection that the client's stands for.
    private var connection = 0

    init(_ script: ReplayScript) {
        self.script = script
        shelves = Array(repeating: Shelf(), count: 256)
        used = Array(repeating: false, count: script.exchanges.count)
        for (index, exchange) in script.exchanges.enumerated() {
            guard let code = exchange.command.first else { continue }
            shelves[Int(code)].exchanges.append(index)
        }
    }

    /// Begins a connection: commands are looked up in the recorded connection of this number, if there is one.
    ///
    /// Commands that were left out on earlier ones are not made up for.
    mutating func connect(_ number: Int) {
        guard let first = script.exchanges.firstIndex(where: { $0.connection >= number }) else { return }
        connection = max(connection, script.exchanges[first].connection)
        place = max(place, first)
    }

    func isUsed(_ exchange: Int) -> Bool { used[exchange] }

    /// Finds the recorded command that this one means.
    ///
    /// It is a free one from here on, else a free one from before. Else it is a free one of a later connection, or
    /// one that was used already.
    mutating func match(_ command: [UInt8], _ meaning: CommandMeaning, _ isReleased: [Bool]) -> Match {
        guard let code = command.first else { return .departure(nearest: nil, fields: []) }
        let match = find(command, shelves[Int(code)], meaning, isReleased)
        if case .exchange(let index, isRepeat: false) = match { take(index, Int(code)) }
        return match
    }

    private func find(
        _ command: [UInt8], _ shelf: Shelf, _ meaning: CommandMeaning, _ isReleased: [Bool]
    ) -> Match {
        var second: (index: Int, isEarlier: Bool)?
        for index in shelf.exchanges[shelf.firstFree...] where !used[index] {
            if second != nil, script.exchanges[index].connection > connection { break }
            guard let isExact = fits(index, command, meaning) else { continue }
            if let announcement = script.exchanges[index].announcement, !isReleased[announcement] {
                if second == nil { return .nothingYet }
                break
            }
            let isEarlier = index < place
            if isExact, !isEarlier { return .exchange(index, isRepeat: false) }
            if second.map({ $0.isEarlier && !isEarlier }) ?? true { second = (index, isEarlier) }
        }
        if let second { return .exchange(second.index, isRepeat: false) }
        if let index = shelf.taken.last(where: { fits($0, command, meaning) != nil }) {
            // No message is given twice.
            return isMessage(index) ? .nothingYet : .exchange(index, isRepeat: true)
        }
        return nearest(to: command, shelf, meaning)
    }

    private func isMessage(_ index: Int) -> Bool {
        let exchange = script.exchanges[index]
        return exchange.command.first == CommandCode.syncNextMessage.rawValue
            && exchange.replies.first?.bytes.first != ResponseCode.noMoreMessages.rawValue
    }

    /// Returns whether the command means that exchange, and has the same optional fields; `nil` when it means
    /// another.
    private func fits(_ index: Int, _ command: [UInt8], _ meaning: CommandMeaning) -> Bool? {
        let recorded = script.exchanges[index].command
        if script.exchanges[index].tolerance.difference(recorded, command) == nil { return true }
        switch meaning.likeness(recorded, command) {
        case .same: return true
        case .alike: return recorded.count == command.count || command.first != CommandCode.getContacts.rawValue
        case .different: return nil
        }
    }

    private mutating func take(_ index: Int, _ code: Int) {
        used[index] = true
        place = max(place, index)
        connection = max(connection, script.exchanges[index].connection)
        shelves[code].taken.append(index)
        var free = shelves[code].firstFree
        while free < shelves[code].exchanges.count, used[shelves[code].exchanges[free]] { free += 1 }
        shelves[code].firstFree = free
    }

    private func nearest(to command: [UInt8], _ shelf: Shelf, _ meaning: CommandMeaning) -> Match {
        var best: (index: Int, fields: [String])?
        for index in shelf.exchanges {
            guard case .different(let fields) = meaning.likeness(script.exchanges[index].command, command) else {
                continue
            }
            if best.map({ fields.count < $0.fields.count }) ?? true { best = (index, fields) }
        }
        return .departure(nearest: best?.index, fields: best?.fields ?? [])
    }
}
