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
    package struct Discovery: Hashable, Sendable {
        private enum Stage: Hashable, Sendable {
            case services
            case characteristics
            case descriptors
            case done
        }

        /// The only service that is looked for; all where there is none.
        package let service: BluetoothUUID?
        /// The result so far.
        package private(set) var database = Database()
        private var stage = Stage.services
        /// Ranges of the stage that are still to be asked for; the first is being asked for.
        private var ranges: [ClosedRange<UInt16>] = [1...0xFFFF]

        package init(service: BluetoothUUID? = nil) {
            self.service = service
        }

        /// The next request; `nil` when all is known.
        package var next: (any AttributeMessage)? {
            guard let range = ranges.first else { return nil }
            let (first, last) = (range.lowerBound, range.upperBound)
            switch stage {
            case .services:
                if let service {
                    return FindByTypeValueRequest(first: first, last: last, type: 0x2800, value: service.bytes)
                }
                return ReadByGroupTypeRequest(first: first, last: last, type: BluetoothUUID.primaryService.bytes)
            case .characteristics:
                return ReadByTypeRequest(first: first, last: last, type: BluetoothUUID.characteristic.bytes)
            case .descriptors: return FindInformationRequest(first: first, last: last)
            case .done: return nil
            }
        }

        /// The answer to `next`: a response, or an error, which says that there is no more.
        package mutating func take(_ answer: any AttributeMessage) {
            guard let request = next, let range = ranges.first else { return }
            database.learn(from: .known(answer), to: Request(request))
            if let last = lastHandle(answer), range.contains(last), last < range.upperBound {
                ranges[0] = last + 1...range.upperBound
            } else {
                ranges.removeFirst()
            }
            while ranges.isEmpty, stage != .done { advance() }
        }

        private func lastHandle(_ answer: any AttributeMessage) -> UInt16? {
            switch answer {
            case let answer as FindByTypeValueResponse: answer.ranges.last?.last
            case let answer as ReadByGroupTypeResponse: answer.groups.last?.range.last
            case let answer as ReadByTypeResponse: answer.values.last?.handle
            case let answer as FindInformationResponse: answer.types.last?.handle
            default: nil
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
