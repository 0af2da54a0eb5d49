/// An app's APP_START, written without an answer to handle 9, in each of its wrappings.
enum Example {
    static let frame = bytes("01 03 20 20 20 20 20 20 61 62 63")
    /// ACL, L2CAP and ATT round the frame, as sent.
    static let data = bytes("40 00 12 00 0e 00 04 00 52 09 00") + frame
    static let receivedData = bytes("40 20 12 00 0e 00 04 00 52 09 00") + frame
    /// Link types 201.
    static let sent = bytes("00 00 00 00 02") + data
    static let received = bytes("00 00 00 01 02") + receivedData
    /// Link type 251.
    static let air = bytes(
        "5a 5d 65 50 02 12 0e 00 04 00 52 09 00 01 03 20 20 20 20 20 20 61 62 63 b3 b6 a2")
    static let advertisement = bytes(
        """
        d6 be 89 8e 40 1b 55 44 33 22 11 00 02 01 06 11 07 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 01 00 40 6e b5 79 a4
        """)
    static let nordic1 = bytes("00 06 25 01 63 00 06 0a 03 05 32 07 00 d2 04 00 00") + air
    static let nordic3 = bytes("00 25 00 03 63 00 06 0a 03 05 32 07 00 d2 04 00 00") + air
    static let radio = bytes("05 ce 80 00 5a 5d 65 50 13 0d") + air
}
