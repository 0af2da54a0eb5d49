import MeshTime

extension Recording {
    /// The entries of the run that went on, where the world of the recording went back to snapshots.
    ///
    /// A return stands among them too, and ends the connection. What was left behind has connections of its own, from
    /// the snapshot on.
    public struct History: Hashable, Sendable {
        /// Places of entries, from 0, in the order of their times; without returns, all entries.
        public let places: [Int]
        /// The number of returns.
        public let restores: Int
        /// Entries that are not among the places.
        public let abandoned: Int

        /// The sentence about what is left out; `nil` for a run that never went back.
        package var note: String? {
            restores > 0 ? RunTurn.note(restores: restores, abandoned: abandoned) : nil
        }
    }

    /// The run that went on. A return to a snapshot from before the recording leaves all behind that stands before it.
    public var history: History {
        var history = RunHistory<Int>()
        for (place, entry) in entries.enumerated() {
            guard case .turn(let turn) = entry.event else {
                history.append(place)
                continue
            }
            // A snapshot belongs to what led to it, a return to what follows it.
            if case .snapshot = turn { history.append(place) }
            history.apply(turn)
            if case .restored = turn { history.append(place) }
        }
        let (places, abandoned) = history.finished()
        return History(places: places, restores: history.restores, abandoned: abandoned)
    }

    /// A recording of the run that went on alone.
    package var ofRunThatWentOn: Recording { Recording(header, history.places.map { entries[$0] }) }
}

extension RecordingEntry.Event {
    /// Tells whether no connection is left behind this line.
    package var endsConnection: Bool {
        switch self {
        case .disconnected, .turn(.restored): true
        case .connected, .frame, .packet, .problem, .turn(.snapshot): false
        }
    }
}
