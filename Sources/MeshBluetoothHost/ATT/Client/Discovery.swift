extension ATT {
    /// The discovery of a server's contents: services, then their characteristics, then the descriptors of those.
    ///
    /// A plan: it says which request is next, and receives the answer. Each answer must lead on to higher handles, else
    /// that part is over: no server can keep it going for ever.
    ///
    /// ```swift
    /// var discovery = ATT.Discovery(service: .nordicUART)
    /// while let request = discovery.next { discovery.take(server.answer(request)) }
    /// ```
    struct Discovery: Hashable, Sendable {
        private enum Stage: Hashable, Sendable {
            case services
            case characteristics
            case descriptors
            case done
        }

        /// The only service that is looked for; all where there is none.
        let service: BluetoothUUID?
        /// The result so far.
        private(set) var database = Database()
        private var stage = Stage.services
        /// Ranges of the stage that are still to be asked for; the first is being asked for.
        private var ranges: [ClosedRange<UInt16>] = [1...0xFFFF]

        init(service: BluetoothUUID? = nil) {
            self.service = service
        }

        /// The next request; `nil` when all is known.
        var next: RequestPDU? {
            guard let range = ranges.first else { return nil }
            let (first, last) = (range.lowerBound, range.upperBound)
            switch stage {
            case .services:
                if let service {
                    return .findByTypeValue(.init(first: first, last: last, type: 0x2800, value: service.bytes))
                }
                return .readByGroupType(.init(first: first, last: last, type: BluetoothUUID.primaryService.bytes))
            case .characteristics:
                return .readByType(.init(first: first, last: last, type: BluetoothUUID.characteristic.bytes))
            case .descriptors: return .findInformation(.init(first: first, last: last))
            case .done: return nil
            }
        }

        /// The answer to `next`: a response, or `nil` for an error, which says that there is no more.
        mutating func take(_ answer: ResponsePDU?) {
            guard let request = next, let range = ranges.first else { return }
            if let answer { database.learn(from: answer, to: Request(request)) }
            if let last = answer.flatMap(lastHandle), range.contains(last), last < range.upperBound {
                ranges[0] = last + 1...range.upperBound
            } else {
                ranges.removeFirst()
            }
            while ranges.isEmpty, stage != .done { advance() }
        }

        private func lastHandle(_ answer: ResponsePDU) -> UInt16? {
            switch answer {
            case .findByTypeValue(let answer): answer.ranges.last?.last
            case .readByGroupType(let answer): answer.groups.last?.range.last
            case .readByType(let answer): answer.values.last?.handle
            case .findInformation(let answer): answer.types.last?.handle
            case .exchangeMTU, .read, .readBlob, .readMultiple, .readMultipleVariable, .write, .prepareWrite,
                .executeWrite:
                nil
            }
        }

        private mutating func advance() {
            switch stage {
            case .services:
                stage = .characteristics
                ranges = database.services.compactMap { service in
                    service.handles.first <= service.handles.last
                        ? service.handles.first...service.handles.last : nil
                }
            case .characteristics:
                stage = .descriptors
                ranges = database.services.flatMap(descriptorRanges)
            case .descriptors, .done: stage = .done
            }
        }

        /// The ranges between the values of a service and the next declarations.
        private func descriptorRanges(_ service: Database.Service) -> [ClosedRange<UInt16>] {
            let found = database.characteristics.filter {
                service.handles.first <= $0.declaration && $0.declaration <= service.handles.last
            }
            return found.indices.compactMap { index in
                let end = index + 1 < found.count ? found[index + 1].declaration - 1 : service.handles.last
                guard found[index].value < end else { return nil }
                return found[index].value + 1...end
            }
        }
    }
}
