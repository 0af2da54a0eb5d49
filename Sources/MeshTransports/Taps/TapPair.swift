import NIOCore

/// An app and the connection to the radio that was opened for it.
final class TapPair {
    let app: TapSide
    /// `nil` while the connection to the radio is being opened.
    var radio: TapSide?
    /// The bytes that an app sent and left before the radio was there.
    var early: [ByteBuffer] = []
    /// The reason for the end of the pair.
    var reason: String?
    var isOver = false
    /// The app's end came by the terminal, whose last bytes are still being read.
    var isLeaving = false

    init(app: TapSide) {
        self.app = app
    }

    func other(than side: TapSide) -> TapSide? { side === app ? radio : app }
}
