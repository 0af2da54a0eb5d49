import MeshWire

/// The settings of a repeater that its administrator changes most.
public struct RepeaterSettings: Hashable, Sendable {
    /// The longest password of guests, in bytes; the firmware cuts a longer one.
    public static let longestGuestPassword = 15

    /// The name in its adverts.
    public var name: String
    /// The latitude in degrees, north positive; 0 with a longitude of 0 for nowhere.
    public var latitude: Double
    /// The longitude in degrees, east positive.
    public var longitude: Double
    /// The parameters that are stored; the node uses them from its next start on.
    public var radio: RadioParameters
    /// The password with which guests log in; empty for none.
    public var guestPassword: String

    public init(
        name: String, latitude: Double, longitude: Double, radio: RadioParameters, guestPassword: String
    ) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radio = radio
        self.guestPassword = guestPassword
    }

    /// The command lines that make these settings of others, in order. Throws `outOfRange` for what no node accepts.
    func commands(from old: RepeaterSettings) throws(StackError) -> [String] {
        var lines: [String] = []
        if name != old.name {
            guard !name.isEmpty else { throw StackError(.nodes, .outOfRange(field: "name")) }
            lines.append("set name \(name)")
        }
        if latitude != old.latitude {
            guard GeoPoint.latitudes.contains(latitude) else {
                throw StackError(.nodes, .outOfRange(field: "latitude"))
            }
            lines.append("set lat \(latitude)")
        }
        if longitude != old.longitude {
            guard GeoPoint.longitudes.contains(longitude) else {
                throw StackError(.nodes, .outOfRange(field: "longitude"))
            }
            lines.append("set lon \(longitude)")
        }
        if radio != old.radio {
            do { try RadioRanges.firmware(maxPower: 0).check(radio) } catch { throw error.during(.nodes) }
            lines.append(
                "set radio \(radio.megahertz),\(radio.kilohertz),\(radio.spreadingFactor),\(radio.codingRate)")
        }
        if guestPassword != old.guestPassword {
            guard guestPassword.utf8.count <= Self.longestGuestPassword else {
                throw StackError(.nodes, .outOfRange(field: "guest password"))
            }
            lines.append("set guest.password \(guestPassword)")
        }
        return lines
    }

    /// Reads an answer to `get lat` or `get lon`; `nil` for any text that is no finite number.
    static func degrees(commandLine text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}

extension RadioParameters {
    /// Reads an answer to `get radio`, such as `869.618,62.5,8,8`; `nil` for any other text.
    init?(commandLine text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 4, let megahertz = Double(parts[0]), let kilohertz = Double(parts[1]),
            let spreadingFactor = UInt8(parts[2]), let codingRate = UInt8(parts[3])
        else { return nil }
        self.init(
            megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: spreadingFactor, codingRate: codingRate)
    }
}

/// The role of a client in the access list of a node: the lowest two bits of its permissions.
public enum NodeAccessRole: UInt8, Codable, Sendable, Hashable, CaseIterable {
    /// No entry: the node forgets the client, who may log in as a guest.
    case guest = 0
    case readOnly = 1
    case readWrite = 2
    case admin = 3

    /// The role in the low 2 bits of a byte of permissions.
    public init(permissions: UInt8) {
        self = Self(rawValue: permissions & 3) ?? .guest
    }
}
