import MeshBoards
import MeshSimulator

// What goes wrong with a board's flash.
extension Node {
    /// Its flash refuses all writes: changes made in the meantime are not there after a restart.
    public func flashFails(for span: Duration? = nil) -> WorldFault {
        let member = member
        return WorldFault("the flash of \(member.name) takes nothing", [member], needs: .board, for: span) {
            .flashFailure(try $0.node(of: member))
        }
    }

    /// Loses its power in the middle of the next write to its flash, and has it back at the end. Of the file are left
    /// so many bytes, or none of it.
    public func losesPowerInWrite(keepingBytes bytes: Int?, for span: Duration) -> WorldFault {
        let member = member
        let rest = bytes.map { "\($0) bytes of the file" } ?? "nothing"
        return WorldFault(
            "\(member.name) loses power while it writes, and keeps \(rest),", [member], needs: .power, for: span
        ) { .tornWrite(try $0.node(of: member), bytes: bytes) }
    }
}
