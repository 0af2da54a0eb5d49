import MeshCompanion
import MeshCore
import MeshWire
import Testing

@Suite struct SessionErrorTests {
    private static let frame = FrameError(field: "pin", offset: 1, reason: .truncated(needed: 4, left: 2))

    /// Every case with its word and its sentence.
    private static let table: [(SessionError, String, String)] = [
        (.notStarted, "session-not-started", "the session has not been started, or was stopped"),
        (.notConnected, "not-connected", "there is no connection to the radio"),
        (.connectionLost("the link was closed"), "connection-lost", "the connection was lost: the link was closed"),
        (.transport(.deviceNotFound("/dev/ttyUSB0")), "transport", "there is no radio at /dev/ttyUSB0"),
        (
            .timeout(.getBattAndStorage, after: .seconds(5)), "timeout",
            "the radio did not answer CMD_GET_BATT_AND_STORAGE within 5.0 seconds"
        ),
        (
            .noAnswer(.sendLogin, after: .seconds(12)), "no-answer",
            "no answer to CMD_SEND_LOGIN came from the mesh within 12.0 seconds"
        ),
        (.refused(.setRadioParams, .illegalArg), "refused", "the radio refused CMD_SET_RADIO_PARAMS: ILLEGAL_ARG"),
        (.refused(.setRadioParams, nil), "refused", "the radio refused CMD_SET_RADIO_PARAMS: it did not say why"),
        (
            .featureDisabled(.exportPrivateKey), "feature-disabled",
            "the radio's build does not do CMD_EXPORT_PRIVATE_KEY"
        ),
        (
            .unreadableReply(.getDeviceTime, frame), "unreadable-reply",
            "the answer to CMD_GET_DEVICE_TIME cannot be read: pin at offset 1: needs 4 bytes, 2 left"
        ),
        (
            .invalidInput(.setDevicePin, frame), "invalid-input",
            "CMD_SET_DEVICE_PIN was not sent: pin at offset 1: needs 4 bytes, 2 left"
        ),
        (.dataTooLarge(count: 177, limit: 176), "data-too-large", "the frame has 177 bytes, the link takes 176"),
        (
            .listingStalled(received: 24, total: 350, after: .seconds(15)), "listing-stalled",
            "the listing of contacts stopped after 24 of 350: nothing came for 15.0 seconds"
        ),
        (.loginFailed, "login-failed", "the node refused the password"),
        (.tooMuchToSign(count: 9, limit: 8), "too-much-to-sign", "9 bytes are to be signed, the radio takes 8"),
    ]

    @Test(arguments: table)
    func `each error has a word for programs, a sentence for people and some advice`(
        error: SessionError, code: String, text: String
    ) {
        #expect(error.code == code)
        #expect(error.description == text)
        #expect(error.recovery.hasSuffix("."))
    }

    @Test func `the errors of transports say what is wrong`() {
        #expect(MeshTransportError.notConnected.description == "there is no connection to a radio")
        #expect(
            MeshTransportError.connectionFailed("refused").description == "the connection could not be opened: refused")
        #expect(MeshTransportError.sendFailed("full").description == "the frame was not sent: full")
        #expect(MeshTransportError.connectionLost("unplugged").description == "the connection was lost: unplugged")
        #expect(MeshTransportError.serviceNotFound.description.contains("service of a companion radio"))
        #expect(MeshTransportError.characteristicNotFound.description.contains("characteristic"))
    }
}
