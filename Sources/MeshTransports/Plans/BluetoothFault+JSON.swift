package import MeshBluetoothHost
package import MeshFiles
import MeshTime
import MeshWire

extension BluetoothFault {
    /// The names of all kinds, in the order of the list.
    package static let kindNames = Kind.examples.map(\.name)

    /// Tells whether a fault of this name is one of Bluetooth.
    package static func isKind(_ name: String) -> Bool { kindNames.contains(name) }

    /// Reads a fault, as in `{"fault": "att-error", "at": {"operation": "write", "number": 3}, "code": 14}`.
    ///
    /// - Parameter shared: members of the object that the caller reads.
    package init(_ fields: JSONFields, beside shared: [String] = []) throws(FileProblem) {
        let name = try fields.needString("fault")
        guard let example = Kind.examples.first(where: { $0.name == name }) else {
            let known = Self.kindNames.joined(separator: ", ")
            throw fields.problem("fault", "\"\(name)\" is no fault of Bluetooth; known are \(known)")
        }
        try fields.allow(["fault", "at", "times"] + shared + example.members)
        let kind = try BluetoothFaultFields(fields).kind(like: example)
        let (operation, number) = try BluetoothFaultFields(fields).occasion()
        let times = try fields.integer("times", in: 1...Self.mostTimes)
        self.init(kind, at: operation, number: number, times: times)
        guard let problem else { return }
        switch problem.parameter {
        case "operation", "number": throw fields.problem("at", "the \(problem.parameter) \(problem.reason)")
        default: throw fields.problem(problem.parameter, problem.reason)
        }
    }
}

/// The parameters and the occasion of one fault of Bluetooth.
private struct BluetoothFaultFields {
    let fields: JSONFields

    init(_ fields: JSONFields) {
        self.fields = fields
    }

    /// The operation and its number; no operation where the usual one of the kind is meant.
    func occasion() throws(FileProblem) -> (BluetoothFault.Operation?, Int) {
        guard let value = fields.member("at") else { return (nil, 1) }
        if case .string(let name) = value.content { return (try operation(name, "at", of: fields), 1) }
        let place = try JSONFields(value, at: fields.path("at"))
        try place.allow(["operation", "number"])
        let number = try place.integer("number", in: 0...BluetoothFault.lastNumber) ?? 1
        guard let name = try place.string("operation") else { return (nil, number) }
        return (try operation(name, "operation", of: place), number)
    }

    private func operation(
        _ name: String, _ key: String, of place: JSONFields
    ) throws(FileProblem) -> BluetoothFault.Operation {
        guard let operation = BluetoothFault.Operation(rawValue: name) else {
            let known = BluetoothFault.Operation.allCases.map(\.rawValue).joined(separator: ", ")
            throw place.problem(key, "\"\(name)\" is no operation of a link; known are \(known)")
        }
        return operation
    }

    /// A kind like another one with the parameters of this object.
    func kind(like example: BluetoothFault.Kind) throws(FileProblem) -> BluetoothFault.Kind {
        switch example {
        case .mtu: .mtu(try integer("size"))
        case .mtuLie: .mtuLie(told: try integer("told"), used: try integer("used"))
        case .attributeError: .attributeError(try integer("code"))
        case .lateAnswer: .lateAnswer(by: try span("seconds"))
        case .cutAnswer: .cutAnswer(bytes: Int(try integer("bytes") as UInt16))
        case .earlyNotification:
            .earlyNotification(try hex() ?? [], count: Int(try fields.integer("count", in: 0...UInt16.max) ?? 1))
        case .bunchedNotifications:
            .bunchedNotifications(Int(try integer("count") as UInt16), within: try span("seconds"))
        case .slowNotifications: .slowNotifications(gap: try span("seconds"))
        case .servicesMoved: .servicesMoved(to: try integer("to"))
        case .pinChanged: .pinChanged(try pin())
        case .pairingRefused: .pairingRefused(try integer("reason"))
        case .linkLost: .linkLost(for: try span("seconds"))
        case .disconnect: .disconnect(try integer("reason"))
        case .connectionParameters:
            .connectionParameters(
                interval: try span("intervalSeconds"), latency: Int(try integer("latency") as UInt16),
                timeout: try span("timeoutSeconds"))
        case .secondCentral: .secondCentral(for: try span("seconds"))
        case .serviceNotAdvertised: .serviceNotAdvertised(for: try anySpan("seconds"))
        case .nameCut: .nameCut(bytes: Int(try integer("bytes") as UInt16), for: try anySpan("seconds"))
        case .noAnswer, .indication, .serviceChanged, .bondLost, .keyRefused, .wrongKey, .securityRequest,
            .addressRotates, .design:
            example
        }
    }

    private func integer<I: FixedWidthInteger & UnsignedInteger>(_ key: String) throws(FileProblem) -> I {
        guard let number = try fields.integer(key, in: 0...I.max) else { throw fields.missing(key) }
        return number
    }

    private func anySpan(_ key: String) throws(FileProblem) -> TimeSpan? {
        try fields.number(key, in: 0...3600).map { .microseconds(Int64(nearest: $0 * 1e6)) }
    }

    private func span(_ key: String) throws(FileProblem) -> TimeSpan {
        guard let span = try anySpan(key) else { throw fields.missing(key) }
        return span
    }

    private func hex() throws(FileProblem) -> [UInt8]? {
        guard let text = try fields.string("hex") else { return nil }
        guard let bytes = [UInt8](hex: text) else { throw fields.problem("hex", "is no hex") }
        return bytes
    }

    private func pin() throws(FileProblem) -> UInt32 {
        guard let pin = BluetoothRadio.pin(try fields.needString("pin")) else {
            throw fields.problem("pin", "must have six digits")
        }
        return pin
    }
}

extension BluetoothFault.Kind {
    /// The names of the parameters of this kind.
    package var members: [String] {
        switch self {
        case .mtu: ["size"]
        case .mtuLie: ["told", "used"]
        case .attributeError: ["code"]
        case .lateAnswer, .slowNotifications, .linkLost, .secondCentral, .serviceNotAdvertised: ["seconds"]
        case .cutAnswer: ["bytes"]
        case .earlyNotification: ["hex", "count"]
        case .bunchedNotifications: ["count", "seconds"]
        case .servicesMoved: ["to"]
        case .pinChanged: ["pin"]
        case .pairingRefused, .disconnect: ["reason"]
        case .connectionParameters: ["intervalSeconds", "latency", "timeoutSeconds"]
        case .nameCut: ["bytes", "seconds"]
        case .noAnswer, .indication, .serviceChanged, .bondLost, .keyRefused, .wrongKey, .securityRequest,
            .addressRotates, .design:
            []
        }
    }
}
