/// The type of a KISS frame: its first byte, of which the high four bits are the port and always 0 here.
///
/// Source: firmware 1.17.1, `KISS_CMD_*` of `kiss_modem`.
package enum ModemFrameType: UInt8, Sendable, CaseIterable {
    /// A packet: to be sent, or received.
    case data = 0x00
    /// The wait before each transmission, in units of 10 ms.
    case txDelay = 0x01
    /// The modem sends when a random byte is at most this.
    case persistence = 0x02
    /// The wait after a byte that was higher, in units of 10 ms.
    case slotTime = 0x03
    /// Kept and used for nothing.
    case txTail = 0x04
    /// Not 0: the modem sends without listening before.
    case fullDuplex = 0x05
    /// A command of the modem itself, and every answer.
    case setHardware = 0x06
}

/// The commands in frames of type `setHardware`. Source: firmware 1.17.1, `HW_CMD_*` of `kiss_modem`.
package enum ModemCommand: UInt8, Sendable, CaseIterable {
    case getIdentity = 0x01
    case getRandom
    case verifySignature
    case signData
    case encryptData
    case decryptData
    case keyExchange
    case hash
    case setRadio
    case setTxPower
    case getRadio
    case getTxPower
    case getCurrentRSSI
    case isChannelBusy
    case getAirtime
    case getNoiseFloor
    case getVersion
    case getStats
    case getBattery
    case getMCUTemp
    case getSensors
    case getDeviceName
    case ping
    case reboot
    case setSignalReport
    case getSignalReport

    /// The code of its own answer (`HW_RESP`).
    package var response: UInt8 { rawValue | 0x80 }
}

/// Answers that belong to no command, and notices of the modem's own accord. Source: firmware 1.17.1, `HW_RESP_*`.
package enum ModemNotice: UInt8, Sendable, CaseIterable {
    case ok = 0xF0
    /// One byte follows, a ``ModemRefusal``.
    case error = 0xF1
    /// A transmission has ended: 1 for a good end, 0 for a bad one.
    case txDone = 0xF8
    /// Behind each received packet: quarter decibels of SNR, dBm of RSSI.
    case rxMeta = 0xF9
}

/// The reason for which the modem refuses a command.
///
/// Source: firmware 1.17.1, `HW_ERR_*`.
package enum ModemRefusal: UInt8, Sendable, CaseIterable {
    case invalidLength = 0x01
    case invalidParam
    /// The board has nothing that could answer.
    case noCallback
    case macFailed
    case unknownCommand
    case encryptFailed
    /// A packet is waiting already, or the host does not read.
    case txBusy
}
