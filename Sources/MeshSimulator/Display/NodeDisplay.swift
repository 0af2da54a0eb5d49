import MeshCompanion
import MeshFirmware
import MeshTime
import MeshWire

/// The text on the display of a node. Logos, icons and the gauge of the battery are pictures, and left out.
public struct NodeDisplay: Hashable, Sendable {
    /// A display goes off by itself when nobody uses it.
    public let isOn: Bool
    /// The lines from the top; none while it is off.
    ///
    /// Texts side by side are one line, with a blank between them. A pop-up stands last.
    public let lines: [String]

    static let off = NodeDisplay(isOn: false, lines: [])

    private init(isOn: Bool, lines: [String]) { (self.isOn, self.lines) = (isOn, lines) }

    /// A display that is on.
    init(_ lines: [String]) { self.init(isOn: true, lines: lines) }
}

/// The state of the display of a repeater, room server or sensor, from one start of its board to the next.
struct ServerScreen: Sendable {
    /// `AUTO_OFF_MILLIS` and `BOOT_SCREEN_MILLIS`. Source: firmware 1.17.1, `UITask` of simple_repeater,
    /// simple_room_server and simple_sensor.
    private static let timeOut = TimeSpan.seconds(20)
    private static let splash = TimeSpan.seconds(4)
    /// `POWEROFF_DELAY`; the counter has to be beyond it.
    static let powerOffDelay = TimeSpan.milliseconds(3001)

    let boots: Int
    let startedAt: Instant
    /// The last click, or the start.
    var lastUse: Instant
    /// True after a long press, of which the board switches itself off.
    var isLeaving = false

    init(boots: Int, startedAt: Instant) {
        self.boots = boots
        self.startedAt = startedAt
        lastUse = startedAt
    }

    /// The text at a moment.
    func display(_ node: some InfrastructureNode, at now: Instant) -> NodeDisplay {
        guard now <= lastUse + Self.timeOut else { return .off }
        let (firmware, server) = (node.core.board.firmware, node.server)
        let website = firmware.release.level >= 13 ? [Drawing.website] : []
        if now < startedAt + splash(node) {
            let build = server.role == .sensor ? firmware.switches.sensorBuild : nil
            let version = Drawing.short(build?.version ?? firmware.text)
            return NodeDisplay(
                website + ["\(version) (\(build?.date ?? firmware.buildDate))", "< \(server.role.displayName) >"])
        }
        if isLeaving { return NodeDisplay(website + ["Turning OFF"]) }
        let settings = server.preferences
        return NodeDisplay([
            settings.name.string,
            "FREQ: \(Double(settings.frequency).fixed(3)) SF\(settings.spreadingFactor)",
            "BW: \(Double(settings.bandwidth).fixed(2)) CR: \(settings.codingRate)",
        ])
    }

    /// The rest of the splash screen when the main loop begins: a repeater counts from there since 1.17, the others
    /// count from the start of the processor.
    private func splash(_ node: some InfrastructureNode) -> TimeSpan {
        let board = node.core.board
        let isFromLoop = node.server.role == .repeater && board.firmware.switches.powersOffAllBoards
        return isFromLoop ? Self.splash : Self.splash - board.serverSetup
    }
}

extension ServerRole {
    fileprivate var displayName: String { self == .roomServer ? "Room Server" : title }
}

/// Drawing that displays of all roles have in common.
enum Drawing {
    static let website = "https://meshcore.io"

    /// The version without the hash of its commit.
    static func short(_ version: String) -> String { String(version.prefix { $0 != "-" }) }

    /// The text with a block for each character that a display cannot draw; control characters are left out.
    static func blocks(_ text: ByteText) -> String {
        var result = ""
        for scalar in text.untilNUL.string.unicodeScalars {
            switch scalar.value {
            case 32...126: result.unicodeScalars.append(scalar)
            case 128...: result += "█"
            default: break
            }
        }
        return result
    }

    /// The age in one unit.
    static func age(_ seconds: UInt32) -> String {
        switch Int32(bitPattern: seconds) {
        case ..<60: "\(Int32(bitPattern: seconds))s"
        case ..<3600: "\(seconds / 60)m"
        default: "\(seconds / 3600)h"
        }
    }
}
