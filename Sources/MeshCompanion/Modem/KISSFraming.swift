/// The framing between a host and a radio modem: frames between marks, with the marks escaped inside.
///
/// The first byte of a frame is its type, a port in the high and a command in the low four bits. There is no checksum
/// and no length. Source: firmware 1.17.1, `kiss_modem` (`KissModem.cpp`) and its protocol document.
package enum KISSFraming {
    /// `FEND`: before and behind every frame.
    package static let mark: UInt8 = 0xC0
    /// `FESC`: the next byte stands for another one.
    package static let escape: UInt8 = 0xDB
    /// `TFEND`: behind an escape it stands for a mark.
    package static let escapedMark: UInt8 = 0xDC
    /// `TFESC`: behind an escape it stands for an escape.
    package static let escapedEscape: UInt8 = 0xDD
    /// `KISS_MAX_FRAME_SIZE`: type and data without escapes, in bytes. A longer frame is given up.
    package static let longestFrame = 512
    /// `KISS_MAX_PACKET_SIZE`: the longest content of one data frame, in bytes.
    package static let longestPacket = 255

    /// A frame, ready to be written.
    package static func encode(_ type: ModemFrameType, _ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [mark]
        bytes.reserveCapacity(data.count + 8)
        for byte in [type.rawValue] + data {
            switch byte {
            case mark: bytes += [escape, escapedMark]
            case escape: bytes += [escape, escapedEscape]
            default: bytes.append(byte)
            }
        }
        bytes.append(mark)
        return bytes
    }
}

/// The receiver of a modem and of its host: everything before the first mark is noise.
///
/// An escape before any other byte swallows that byte. A frame that grows beyond its limit is forgotten, and all up to
/// the next mark with it. Source: firmware 1.17.1, `KissModem::loop`.
package struct KISSReceiver: StreamReceiver {
    private var input: ByteQueue
    private var frame: [UInt8] = []
    private var isActive = false
    private var isEscaped = false

    /// `capacity` bytes wait for the next pass; the driver's buffer.
    package init(capacity: Int = 4096) {
        input = ByteQueue(capacity: capacity)
        frame.reserveCapacity(KISSFraming.longestFrame)
    }

    package var room: Int { input.free }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int { input.append(bytes) }

    package mutating func nextFrame() -> [UInt8]? {
        while let byte = input.popFirst() {
            guard byte == KISSFraming.mark else {
                if isActive { take(byte) }
                continue
            }
            let whole = isActive && !frame.isEmpty ? frame : nil
            frame.removeAll(keepingCapacity: true)
            isEscaped = false
            isActive = true
            if let whole { return whole }
        }
        return nil
    }

    package mutating func reset() {
        input.removeAll()
        frame.removeAll(keepingCapacity: true)
        isActive = false
        isEscaped = false
    }

    private mutating func take(_ byte: UInt8) {
        guard byte != KISSFraming.escape else {
            isEscaped = true
            return
        }
        var byte = byte
        if isEscaped {
            isEscaped = false
            switch byte {
            case KISSFraming.escapedMark: byte = KISSFraming.mark
            case KISSFraming.escapedEscape: byte = KISSFraming.escape
            default: return
            }
        }
        if frame.count < KISSFraming.longestFrame {
            frame.append(byte)
        } else {
            frame.removeAll(keepingCapacity: true)
            isActive = false
        }
    }
}
