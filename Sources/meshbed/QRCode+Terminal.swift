import MeshTestbed
import PocketMeshUI

extension QRCode {
    /// The code with its quiet zone in lines for a terminal: a character is two modules, one above the other.
    ///
    /// Blocks are the light modules. With colour they are white on black, whatever the terminal's own colours are.
    /// Without it blocks stand alone, for a terminal that is dark.
    func lines(_ style: TerminalStyle) -> [String] {
        let (first, end) = (-Self.quietZone, size + Self.quietZone)
        return stride(from: first, to: end, by: 2).map { row in
            let blocks = (first..<end).map { block(upper: self[$0, row], lower: self[$0, row + 1]) }.joined()
            return style.hasColor ? "\u{1B}[40;37;1m\(blocks)\u{1B}[0m" : blocks
        }
    }

    private func block(upper isUpperDark: Bool, lower isLowerDark: Bool) -> String {
        switch (isUpperDark, isLowerDark) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
    }
}
