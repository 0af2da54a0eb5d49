extension Section {
    static let bluetooth = Section(
        letter: "C", title: "Bluetooth LE",
        statements: [
            (19, "The Nordic UART service has one characteristic each way"),
            (20, "One value is one frame, without header"),
            (21, "Access needs an encrypted, authenticated link"),
            (22, "Pairing uses a passkey that the radio displays"),
            (23, "nRF52: RX can be written with and without response, TX notifies"),
            (24, "ESP32: RX is written with response, TX is read and notifies"),
            (25, "Nothing is sent or executed before the link is secure"),
            (26, "A value above 176 bytes is dropped"),
            (27, "ESP32: notifications are 60 ms apart"),
            (28, "ESP32: four frames may wait, further ones are lost"),
            (29, "nRF52: twelve frames may wait, a listing pauses at eight"),
            (30, "A disconnect empties both queues, and advertising resumes"),
            (31, "The advertised name is the node's name at boot"),
            (32, "ESP32: the MTU of 176 cuts frames to 173 bytes"),
        ].map {
            Statement(
                $0.0, $0.1,
                notApplicable: "is about Bluetooth LE, which this radio's link is not; the suite speaks TCP and serial")
        })
}
