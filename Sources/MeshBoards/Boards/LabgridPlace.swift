import MeshFiles
import MeshTransports
import MeshWire

/// A place of labgrid: a board elsewhere, which its coordinator gives to one tester at a time.
///
/// The program `labgrid-client` speaks with the coordinator, by the variables of the environment that it knows.
package struct LabgridPlace: Hashable, Sendable {
    /// The prefix of a place among targets.
    package static let scheme = "labgrid:"
    /// The form of such a target, for helps and errors.
    package static let form = "labgrid:PLACE"

    let name: String

    /// The longest name, in bytes.
    private static let longestName = 128
    /// The time that the coordinator has for one request, in seconds.
    private static let limit = 30

    init(_ name: String) {
        self.name = name
    }

    /// Returns the reason why a place cannot have this name; `nil` when it can.
    static func problem(withName name: String) -> String? {
        let isPlain = name.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        guard 1...longestName ~= name.utf8.count, isPlain, !name.hasPrefix("-") else {
            return "must have 1 to \(longestName) visible characters of ASCII, and no hyphen first"
        }
        return nil
    }

    /// The reason why a place cannot be had.
    enum Refusal: Error, Hashable {
        /// Another tester has it, or the exporter is away: the words of `labgrid-client`.
        case taken(by: String)
        case missing(String)
    }

    /// Acquires the place; `false` when this user has it already, and releases it elsewhere.
    func acquire() throws(Refusal) -> Bool {
        do throws(UserCommand.Failure) {
            try ask("acquire")
            return true
        } catch {
            let words = Self.lastLine(of: error.output)
            if words.contains("You have already acquired place \(name).") { return false }
            if let range = words.firstRange(of: "already acquired by ") {
                let holder = words[range.upperBound...].prefix { $0 != " " }
                throw .taken(by: String(holder.hasSuffix(".") ? holder.dropLast() : holder))
            }
            throw .missing(words.isEmpty ? error.description : words)
        }
    }

    /// Gives the place back; a coordinator that is away has forgotten it already, or will keep it for its owner.
    func release() {
        _ = try? ask("release")
    }

    /// The address of the serial port that an acquired place has.
    func address() throws(Refusal) -> LinkAddress {
        let text: String
        do throws(UserCommand.Failure) {
            text = String(decoding: try ask("show"), as: UTF8.self)
        } catch {
            let words = Self.lastLine(of: error.output)
            throw .missing(words.isEmpty ? error.description : words)
        }
        return try Self.address(shown: text)
    }

    @discardableResult
    private func ask(_ verb: String) throws(UserCommand.Failure) -> [UInt8] {
        try UserCommand(["labgrid-client", "-p", name, verb], limitSeconds: Self.limit).run()
    }

    private static func lastLine(of output: String) -> String {
        let lines = output.split(whereSeparator: \.isNewline).map { String($0).trimmed.visibleLine }
        return lines.last { !$0.isEmpty } ?? ""
    }

    // MARK: What labgrid-client shows

    /// Reads the address from the output of `labgrid-client show`, in which each resource is a literal of Python.
    static func address(shown text: String) throws(Refusal) -> LinkAddress {
        let ports = text.components(after: "'cls': 'NetworkSerialPort'")
        guard !ports.isEmpty else { throw .missing("the place has no serial port (NetworkSerialPort)") }
        guard ports.count == 1, let port = ports.first else {
            throw .missing("the place has \(ports.count) serial ports, and a radio has one")
        }
        guard let host = value("host", in: port), let number = value("port", in: port),
            let address = try? LinkAddress(radio: "\(scheme(of: port))\(bracketed(host)):\(number)")
        else { throw .missing("labgrid-client shows no host and port of the serial port") }
        return address
    }

    private static func scheme(of port: Substring) -> String {
        value("protocol", in: port) == "raw" ? RemoteLine.Wire.raw.scheme : RemoteLine.Wire.rfc2217.scheme
    }

    private static func bracketed(_ host: Substring) -> String { host.contains(":") ? "[\(host)]" : String(host) }

    /// The value of a key, a text or a number.
    private static func value(_ key: String, in text: Substring) -> Substring? {
        guard let found = text.firstRange(of: "'\(key)': ") else { return nil }
        let rest = text[found.upperBound...]
        guard rest.first == "'" else { return rest.prefix(while: \.isNumber) }
        return rest.dropFirst().prefix { $0 != "'" }
    }
}

extension String {
    /// The parts that begin with a mark and end before the next one.
    fileprivate func components(after mark: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let found = rest.firstRange(of: mark) {
            rest = rest[found.upperBound...]
            parts.append(rest[..<(rest.firstRange(of: mark)?.lowerBound ?? rest.endIndex)])
        }
        return parts
    }
}
