/// An output of a serial port that restarts the board behind it while it is switched on for a moment.
package enum ResetLine: String, Hashable, Sendable, CaseIterable {
    /// Data terminal ready: the reset input of boards with a native USB serial port.
    case dtr
    /// Request to send: the reset input of boards with the usual two transistors; DTR stays off meanwhile.
    case rts
}
