import MeshCompanion
import MeshWire

extension RecordingHeader {
    /// Reads the firmware and the board from the radio's own DEVICE_INFO, where they are not known.
    ///
    /// A recorder writes the header before the radio's first frame; the reader of the recording learns them here.
    public mutating func learn(from entry: RecordingEntry) {
        guard firmware == nil || board == nil, case .frame(.toApp, let frame) = entry.event,
            frame.first == Resp.DeviceInfo.codeByte, let info = try? Resp.DeviceInfo(decoding: frame)
        else { return }
        firmware = firmware ?? Self.word(info.version)
        board = board ?? Self.word(info.model)
    }

    private static func word<let count: Int>(_ text: FixedBytes<count>) -> String? {
        let bytes = text.array.prefix { $0 != 0 }
        return bytes.isEmpty ? nil : RecordingText.oneLine(String(decoding: bytes, as: UTF8.self))
    }
}
