import MeshCompanion
import MeshTime
import MeshWire

extension CaseList {
    /// Every command in frames that make sense, and codes that are no commands.
    static func commands(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.commands)
        for code in CommandCode.allCases {
            for (number, frame) in code.samples(cast).enumerated() {
                list.add(.command, "\(code.words)-\(number + 1)", frame.encoded(), code.statement)
            }
        }
        for code in [0x00, 0x2C, 0x31, 0x35, 0x43, 0x7F, 0x80, 0xFF] as [UInt8] {
            list.add(.command, "code-\([code].hex)", [code, 1, 2, 3], "CMP-033")
        }
        return list
    }

    /// The first frame of every command, cut.
    static func commandCuts(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.commandCuts)
        for code in CommandCode.allCases {
            guard let bytes = code.samples(cast).first?.encoded() else { continue }
            let fields = FramePrinter.printed(bytes, direction: .toRadio).fields
            list.addCuts(.command, of: code.words, bytes, fields) { code.statement(ofLength: $0) }
        }
        return list
    }

    /// Every command with a byte behind its last field, and with values from a seed, valid or not.
    static func commandLengths(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.commandLengths)
        for code in CommandCode.allCases {
            guard let bytes = code.samples(cast).first?.encoded() else { continue }
            if bytes.count < CompanionLimits.frame {
                list.add(.command, "\(code.words)-with-a-byte-more", bytes + [0x5A], "CMP-035")
            }
            var random = Seed(1).stream("vectors", code.wireName)
            for number in 1...2 {
                let drawn = code.row.frame.fuzzed(using: &random, longestRest: 24).encoded()
                list.add(.command, "\(code.words)-drawn-\(number)", drawn, code.statement)
            }
        }
        return list
    }
}

extension CommandCode {
    /// The constant without its prefix, in small letters.
    var words: String { wireName.dropFirst("CMD_".count).description.slug }

    /// The statement for frames that end early.
    fileprivate func statement(ofLength length: Int) -> String {
        if self == .sendChannelData { return "CMP-132" }
        guard row.accepts.lengths != nil else { return "CMP-036" }
        return length < row.accepts.minimum ? "CMP-034" : statement
    }
}
