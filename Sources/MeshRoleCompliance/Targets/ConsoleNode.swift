package import MeshCompanion
import MeshCompliance
package import MeshFirmware
package import MeshTime
package import MeshWire

/// A repeater, room server or sensor at its console, on virtual time, whose files another release can start from.
package final class ConsoleNode {
    private let target: EmulatedRoleTarget

    /// Starts a node on files; none make a new one.
    package init(
        _ role: ServerRole, running firmware: FirmwareVersion, fault: RoleMutant? = nil, seed: Seed = Seed(1),
        on flash: Flash = Flash()
    ) {
        target = EmulatedRoleTarget(role, firmware: firmware, seed: seed, faults: fault?.faults ?? [])
        target.start(on: flash)
    }

    /// Types a line, and returns what is printed upon it: the lines behind its echo, without the mark of answers.
    @discardableResult
    package func type(_ line: String) throws -> [String] {
        let text = try target.type(line).text
        // Line ends are `\r\n`, which is one character, and `\n`.
        let lines = text.split(whereSeparator: \.isNewline).map { String($0) }
        let answers = lines.first.map { $0.hasSuffix(line) } == true ? lines.dropFirst() : lines[...]
        return answers.map { ($0.hasPrefix(ConsoleText.mark) ? String($0.dropFirst(ConsoleText.mark.count)) : $0) }
            .filter { !$0.isEmpty }
    }

    /// Lets time pass.
    package func wait(_ span: TimeSpan) throws { try target.wait(span) }

    /// The files as they are now.
    package var flash: Flash { target.node.flash }

    /// The password of administrators, which no command shows.
    package var password: ByteText { target.node.server.preferences.password }
}
