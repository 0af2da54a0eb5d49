/// The pushes' part of the table. Source: firmware 1.17.1, `PUSH_CODE_` in companion_radio.
extension PushCode {
    /// The table's row for the code; a code without a row does not compile.
    public var row: PushRow {
        switch self {
        case .advert: .init(Push.Advert.self, since: "1.0", length: .exactly(33), needsLink: true)
        case .pathUpdated: .init(Push.PathUpdated.self, since: "1.0", length: .exactly(33), needsLink: false)
        case .sendConfirmed: .init(Push.SendConfirmed.self, since: "1.0", length: .exactly(9), needsLink: false)
        case .msgWaiting: .init(Push.MsgWaiting.self, since: "1.0", length: .exactly(1), needsLink: true)
        case .rawData: .init(Push.RawData.self, since: "1.0", length: .within(4...176), needsLink: true)
        case .loginSuccess:
            .init(Push.LoginSuccess.self, since: "1.0", length: .oneOf([8, 14], earlier: [12, 13]), needsLink: false)
        case .loginFail: .init(Push.LoginFail.self, since: "1.0", length: .exactly(8), needsLink: false)
        case .statusResponse: .init(Push.StatusResponse.self, since: "1.0", length: .within(9...176), needsLink: false)
        case .logRxData: .init(Push.LogRxData.self, since: "1.2.2", length: .within(4...176), needsLink: true)
        case .traceData: .init(Push.TraceData.self, since: "1.4", length: .within(13...176), needsLink: true)
        case .newAdvert: .init(Push.NewAdvert.self, since: "1.5", length: .exactly(148), needsLink: true)
        case .telemetryResponse:
            .init(Push.TelemetryResponse.self, since: "1.6", length: .within(9...176), needsLink: false)
        case .binaryResponse:
            .init(Push.BinaryResponse.self, since: "1.7.3", length: .within(7...176), needsLink: false)
        case .pathDiscoveryResponse:
            .init(Push.PathDiscoveryResponse.self, since: "1.8", length: .within(10...138), needsLink: false)
        case .controlData: .init(Push.ControlData.self, since: "1.10", length: .within(5...176), needsLink: true)
        case .contactDeleted: .init(Push.ContactDeleted.self, since: "1.12", length: .exactly(33), needsLink: true)
        case .contactsFull: .init(Push.ContactsFull.self, since: "1.12", length: .exactly(1), needsLink: true)
        }
    }
}
