import MeshBluetoothHost
import MeshCompanion
import MeshFirmware
package import MeshPacket
import MeshTime
import MeshWire

/// A departure of a mutant from the firmware: the place of it, and the change.
enum Defect: Sendable {
    /// Changes the radio after an event; `before` is the radio as it was.
    typealias Change = @Sendable (_ radio: inout CompanionRadio, _ before: CompanionRadio) -> Void

    /// The result of a command.
    enum Obedience {
        case executed
        case ignored
        case answeredOK
        case refused(ErrorCode)
    }

    /// The change to a frame for the app.
    enum Treatment: Sendable {
        /// Other bytes; none for no frame.
        case changed(@Sendable (inout [UInt8], FrameContext) -> Void)
        case doubled
        case late(TimeSpan)
        /// Written behind the frame that comes next, whenever that is.
        case overtaken
        /// Another frame comes some time behind it.
        case followed(TimeSpan, @Sendable ([UInt8]) -> [UInt8])
    }

    case quirkOff(Quirk)
    /// The board is built otherwise.
    case board(@Sendable (inout BoardProfile) -> Void)
    /// At the end of a boot.
    case booted(@Sendable (inout CompanionRadio) -> Void)
    /// Bytes of the app, before the interface has seen them.
    case bytesFromApp(@Sendable (inout [UInt8], inout CompanionRadio) -> Void)
    /// A frame with its header, as it leaves the interface.
    case bytesToApp(@Sendable (inout [UInt8], AppInterface) -> Void)
    /// A client came (`true`) or went.
    case linkChanged(@Sendable (_ radio: inout CompanionRadio, _ before: CompanionRadio, _ isThere: Bool) -> Void)
    /// Before a command is executed; `nil` for every command, known or not.
    case command(CommandCode?, @Sendable (inout [UInt8], inout CompanionRadio) -> Obedience)
    /// After a command, whatever came of it.
    case executed(CommandCode, Change)
    /// Before a frame of the air is received.
    case hearing(@Sendable (inout [UInt8], inout Signal, inout CompanionRadio) -> Void)
    /// After the mesh's part of a pass.
    case meshed(Change)
    /// Frames for the app that begin with this byte; `nil` for all.
    case frame(UInt8?, Treatment)
    /// Bytes about to be sealed into a packet of this type; for a returned path, the bytes that it carries.
    case plaintext(PayloadType, @Sendable (inout [UInt8], CompanionRadio) -> Void)
    /// Over Bluetooth.
    case bluetooth(BluetoothFault.Design)
    /// A new name is advertised before the next start.
    case newNameAtOnce
    /// A packet as it is sent.
    case packet(@Sendable (inout [UInt8]) -> Void)
}

/// The state that a fault in a frame may read.
struct FrameContext {
    /// The radio as it is when the frame is written.
    let radio: CompanionRadio
    /// Frames written before, as they should have been, oldest first; the last 64 at most.
    let history: [[UInt8]]
}

// How the list of mutants speaks of frames and commands.
extension Defect {
    /// A frame with other fields. One that cannot be read stays as it is.
    static func reply<Frame: CodedFrame>(
        _ type: Frame.Type, _ edit: @escaping @Sendable (inout Frame) -> Void
    ) -> Defect {
        seenReply(type) { frame, _ in edit(&frame) }
    }

    /// The same with a look at the radio and at earlier frames.
    static func seenReply<Frame: CodedFrame>(
        _ type: Frame.Type, _ edit: @escaping @Sendable (inout Frame, FrameContext) -> Void
    ) -> Defect {
        bytes(of: type) { bytes, context in
            guard var frame = try? Frame(decoding: bytes) else { return }
            edit(&frame, context)
            bytes = frame.encoded()
        }
    }

    /// A frame with other bytes.
    static func bytes<Frame: CodedFrame>(
        of type: Frame.Type, _ edit: @escaping @Sendable (inout [UInt8], FrameContext) -> Void
    ) -> Defect {
        .frame(Frame.codeByte, .changed(edit))
    }

    static func lost<Frame: CodedFrame>(_ type: Frame.Type) -> Defect { bytes(of: type) { bytes, _ in bytes = [] } }
    static func doubled<Frame: CodedFrame>(_ type: Frame.Type) -> Defect { .frame(Frame.codeByte, .doubled) }
    static func overtaken<Frame: CodedFrame>(_ type: Frame.Type) -> Defect { .frame(Frame.codeByte, .overtaken) }
    static func late<Frame: CodedFrame>(_ type: Frame.Type, _ span: TimeSpan) -> Defect {
        .frame(Frame.codeByte, .late(span))
    }

    /// The error that a command is refused with is another one, or none.
    static func error(
        of command: CommandCode, _ edit: @escaping @Sendable (inout [UInt8], FrameContext) -> Void
    ) -> Defect {
        .frame(ResponseCode.err.rawValue, .changed { if $1.radio.command == command { edit(&$0, $1) } })
    }

    /// A command is executed as if it had been another one.
    static func misread(_ command: CommandCode, _ edit: @escaping @Sendable (inout [UInt8]) -> Void) -> Defect {
        .command(command) { frame, _ in
            edit(&frame)
            return .executed
        }
    }

    /// A command is refused that should not be, or with another code than it should be.
    static func refuses(
        _ command: CommandCode, with error: ErrorCode, _ when: @escaping @Sendable ([UInt8]) -> Bool
    ) -> Defect {
        .command(command) { frame, _ in when(frame) ? .refused(error) : .executed }
    }

    /// Forgets the changes that a command writes to flash.
    static func notStored(_ command: CommandCode) -> Defect {
        .executed(command) { radio, before in radio.flash = before.flash }
    }

    /// A packet of this type with other bytes.
    static func packet(_ type: PayloadType, _ edit: @escaping @Sendable (inout SentBytes) -> Void) -> Defect {
        .packet { bytes in
            guard var sent = SentBytes(bytes), sent.type == type else { return }
            edit(&sent)
            bytes = sent.bytes
        }
    }
}

/// The bytes of a packet, cut into their parts without a look at their meaning.
package struct SentBytes {
    /// Route in bits 0 and 1, payload type in bits 2 to 5.
    package var header: UInt8
    /// Four bytes, or none on the routes that have no transport codes.
    package var codes: [UInt8]
    package var pathLength: UInt8
    package var path: [UInt8]
    package var payload: [UInt8]

    package var type: PayloadType { PayloadType(rawValue: header >> 2 & 15) }
    package var isFlood: Bool { header & 3 < 2 }
    package var bytes: [UInt8] { [header] + codes + [pathLength] + path + payload }

    package init?(_ bytes: [UInt8]) {
        guard let header = bytes.first else { return nil }
        let codeCount = header & 3 == 0 || header & 3 == 3 ? 4 : 0
        guard bytes.count > 1 + codeCount else { return nil }
        self.header = header
        codes = [UInt8](bytes[1..<(1 + codeCount)])
        pathLength = bytes[1 + codeCount]
        // The byte of a TRACE counts SNRs.
        let isTrace = header >> 2 & 15 == PayloadType.trace.rawValue
        let pathBytes = isTrace ? Int(pathLength) : PathLength(rawValue: pathLength).byteCount
        let rest = bytes[(2 + codeCount)...]
        path = [UInt8](rest.prefix(pathBytes))
        payload = [UInt8](rest.dropFirst(pathBytes))
    }
}
