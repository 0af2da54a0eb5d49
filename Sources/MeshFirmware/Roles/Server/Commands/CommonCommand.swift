/// The commands that all infrastructure nodes know, in the order in which the firmware looks for them.
///
/// A line is the first of them that it begins with: `advertise` is `advert`, and `clockwork` is `clock`. Case counts,
/// and so does a space that a word ends with. Source: InfrastructureNodes, "Commands"; firmware,
/// `CommonCLI::handleCommand`.
enum CommonCommand: String, Hashable, Sendable, CaseIterable {
    case powerOff = "poweroff"
    case shutdown
    case reboot
    case clockReboot = "clkreboot"
    case advertZeroHop = "advert.zerohop"
    case advert
    case clockSync = "clock sync"
    case startOTA = "start ota"
    case clock
    case time = "time "
    case neighbours = "neighbors"
    case neighbourRemove = "neighbor.remove "
    case temporaryRadio = "tempradio "
    case password = "password "
    case clearStatistics = "clear stats"
    case get = "get "
    case set = "set "
    case erase
    case version = "ver"
    case board
    case sensorGet = "sensor get "
    case sensorSet = "sensor set "
    case sensorList = "sensor list"
    case region
    case gps
    case powerSavingOn = "powersaving on"
    case powerSavingOff = "powersaving off"
    case powerSaving = "powersaving"
    case logStart = "log start"
    case logStop = "log stop"
    case logErase = "log erase"
    case log
    case packetStatistics = "stats-packets"
    case radioStatistics = "stats-radio"
    case coreStatistics = "stats-core"

    /// The text that may follow the word.
    enum Ending: Hashable, Sendable {
        case anything
        /// A space or nothing.
        case space
        case nothing
    }

    var ending: Ending {
        switch self {
        case .advertZeroHop, .packetStatistics, .radioStatistics, .coreStatistics: .space
        case .erase: .nothing
        default: .anything
        }
    }

    /// True when it is a command on the serial console only; by radio its line is looked at further.
    var isForConsole: Bool {
        switch self {
        case .erase, .log, .packetStatistics, .radioStatistics, .coreStatistics: true
        default: false
        }
    }

    /// The command of a line; `nil` for an unknown one.
    init?(_ line: CommandLine, isSerial: Bool) {
        let found = Self.allCases.first { $0.matches(line.bytes) && (isSerial || !$0.isForConsole) }
        guard let found else { return nil }
        self = found
    }

    private func matches(_ line: [UInt8]) -> Bool {
        guard line.starts(with: rawValue.utf8) else { return false }
        let next = line.dropFirst(rawValue.utf8.count).first
        switch ending {
        case .anything: return true
        case .space: return next == nil || next == UInt8(ascii: " ")
        case .nothing: return next == nil
        }
    }

    /// Returns the bytes after the word.
    func arguments(in line: CommandLine) -> ArraySlice<UInt8> { line.bytes.dropFirst(rawValue.utf8.count) }
}
