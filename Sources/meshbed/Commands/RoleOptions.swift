import ArgumentParser
import MeshCompliance
import MeshFirmware
import MeshRoleCompliance
import MeshTransports

/// The role of a node that `comply` checks, and the bench around a real one.
struct RoleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Check a node of this role, by the statements INF-… and OTA-…: repeater, room or sensor. The target is the "
                + "emulator, or the console of a node.",
            valueName: "role"),
        transform: { try Comply.role($0) })
    var role: ServerRole?

    @Option(
        help: ArgumentHelp(
            "The antenna beside the node of --role, in radio range: a companion radio at "
                + "\(LinkedNode.Antenna.forms). Without one the console is asked alone.",
            valueName: "radio"),
        transform: { try LinkedNode.Antenna($0) })
    var antenna: LinkedNode.Antenna?

    @Option(
        help: ArgumentHelp(
            "The administrator's password of the node of --role, which gets it back at the end. Default: password.",
            valueName: "text"))
    var password: String?

    @Option(
        help: ArgumentHelp(
            "How fast the world of --role and --antenna runs: the --speed of 'meshbed emulate'. Default: 1.",
            valueName: "factor"))
    var speed: Double?

    func validate() throws {
        if let speed, !(speed >= 0.1 && speed <= 100) { throw ValidationError("--speed is from 0.1 to 100") }
        // The console has room for as many characters, and echoes them.
        if let password, !(1...15 ~= password.utf8.count) || password.contains(where: \.isNewline) {
            throw ValidationError("--password has 1 to 15 bytes, in one line")
        }
    }

    /// The options of the bench that were given, by name.
    var bench: [(String, Bool)] {
        [("--antenna", antenna != nil), ("--password", password != nil), ("--speed", speed != nil)]
    }
}
