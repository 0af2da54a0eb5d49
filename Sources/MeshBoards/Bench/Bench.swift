public import MeshTransports

/// The radios of a developer, by label.
///
/// ```swift
/// let bench = Bench {
///     Radio("heltec", "serial:/dev/ttyUSB0", allowing: .destructive)
///     Radio("desk", "tcp://192.0.2.7:5000")
///     Radio("twin", .emulator)
/// }
/// let report = try ComplianceRun(target: bench["heltec"]).perform()
/// ```
///
/// Scenarios and tests name a radio by a label of the house. Its address and its permissions are written once, here.
/// Nothing is opened before a run.
public struct Bench: Sendable {
    /// The reason why a radio of the bench cannot be used.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// No radio has this label.
        case unknown(String, known: [String])
        /// Several radios have this label.
        case ambiguous(String)
        /// An address of the radio that cannot be parsed.
        case badAddress(String, LinkError)
        /// The radio is there and cannot do what is needed; with what to do about it.
        case lacks(String, reason: String)
        /// Another program uses the radio, which says who it is.
        case inUse(String, by: String)
        /// The radio is not where it should be: unplugged, another board, an unknown place.
        case missing(String, reason: String)

        public var description: String {
            switch self {
            case .unknown(let label, let known):
                "there is no radio \"\(label)\" on the bench; "
                    + (known.isEmpty ? "it is empty" : "there are " + known.joined(separator: ", "))
            case .ambiguous(let label): "several radios on the bench are labelled \"\(label)\""
            case .badAddress(let label, let error): "radio \"\(label)\": \(error)"
            case .lacks(let label, let reason): "radio \"\(label)\" \(reason)"
            case .inUse(let label, let holder): "radio \"\(label)\" is in use by \(holder)"
            case .missing(let label, let reason): "radio \"\(label)\" is not there: \(reason)"
            }
        }
    }

    /// In the order in which they were named.
    public let radios: [Radio]

    /// A bench of these radios, in the order written.
    public init(@BenchBuilder _ radios: () -> [Radio]) {
        self.radios = radios()
    }

    package init(_ radios: [Radio]) {
        self.radios = radios
    }

    /// All labels, in order.
    public var labels: [String] { radios.map(\.label) }

    /// The radio with this label; throws a ``Problem`` that names the labels there are.
    public subscript(label: String) -> Target {
        get throws(Problem) {
            let found = radios.filter { $0.label == label }
            guard let radio = found.first else { throw .unknown(label, known: labels) }
            guard found.count == 1 else { throw .ambiguous(label) }
            do { return try radio.target.get() } catch { throw .badAddress(label, error) }
        }
    }

    /// The radio with this label, if it can do all of `needs`; throws a ``Problem`` with the first that it cannot.
    public func target(_ label: String, able needs: Abilities) throws(Problem) -> Target {
        let target = try self[label]
        let missing = needs.subtracting(try abilities(of: label))
        if let lack = Abilities.benchReasons.first(where: { !missing.isDisjoint(with: $0.abilities) }) {
            throw .lacks(label, reason: lack.reason)
        }
        return target
    }

    /// Returns the abilities of a radio, with those that it has together with others on the bench.
    public func abilities(of label: String) throws(Problem) -> Abilities {
        let abilities = try self[label].abilities
        let hasNeighbour = radios.contains { $0.label != label && areNear(label, $0.label) }
        return hasNeighbour ? abilities.union(.secondRadio) : abilities
    }

    /// Two radios of the bench are in radio range where one of them says so.
    package func areNear(_ label: String, _ other: String) -> Bool {
        radios.contains { $0.label == label && $0.near.contains(other) || $0.label == other && $0.near.contains(label) }
    }
}

/// Collects the radios of a ``Bench``.
@resultBuilder
public enum BenchBuilder {
    public static func buildExpression(_ radio: Radio) -> [Radio] { [radio] }
    public static func buildBlock(_ radios: [Radio]...) -> [Radio] { radios.flatMap(\.self) }
    public static func buildOptional(_ radios: [Radio]?) -> [Radio] { radios ?? [] }
    public static func buildEither(first radios: [Radio]) -> [Radio] { radios }
    public static func buildEither(second radios: [Radio]) -> [Radio] { radios }
    public static func buildArray(_ radios: [[Radio]]) -> [Radio] { radios.flatMap(\.self) }
}
