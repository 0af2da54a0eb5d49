/// The responses' part of the table. Source: firmware 1.17.1, `RESP_CODE_` in companion_radio.
extension ResponseCode {
    /// The table's row for the code; a code without a row does not compile.
    public var row: ResponseRow {
        switch self {
        case .ok: .init(Resp.OK.self, since: "1.0", length: .exactly(1))
        case .err: .init(Resp.Err.self, since: "1.0", length: .exactly(2, earlier: [1]))
        case .contactsStart: .init(Resp.ContactsStart.self, since: "1.0", length: .exactly(5))
        case .contact: .init(Resp.Contact.self, since: "1.0", length: .exactly(148))
        case .endOfContacts: .init(Resp.EndOfContacts.self, since: "1.0", length: .exactly(5))
        case .selfInfo: .init(Resp.SelfInfo.self, since: "1.0", length: .within(58...89))
        case .sent: .init(Resp.Sent.self, since: "1.0", length: .exactly(10))
        case .contactMsgRecv: .init(Resp.ContactMsgRecv.self, since: "1.0", length: .within(13...176))
        case .channelMsgRecv: .init(Resp.ChannelMsgRecv.self, since: "1.0", length: .within(8...176))
        case .currTime: .init(Resp.CurrTime.self, since: "1.0", length: .exactly(5))
        case .noMoreMessages: .init(Resp.NoMoreMessages.self, since: "1.0", length: .exactly(1))
        case .exportContact: .init(Resp.ExportContact.self, since: "1.0", length: .within(104...176))
        case .battAndStorage: .init(Resp.BattAndStorage.self, since: "1.0", length: .exactly(11, earlier: [3]))
        case .deviceInfo: .init(Resp.DeviceInfo.self, since: "1.0", length: .exactly(82, earlier: [80, 81]))
        case .privateKey: .init(Resp.PrivateKey.self, since: "1.0", length: .exactly(65))
        case .disabled: .init(Resp.Disabled.self, since: "1.0", length: .exactly(1))
        case .contactMsgRecvV3: .init(Resp.ContactMsgRecvV3.self, since: "1.4", length: .within(16...176))
        case .channelMsgRecvV3: .init(Resp.ChannelMsgRecvV3.self, since: "1.4", length: .within(11...176))
        case .channelInfo: .init(Resp.ChannelInfo.self, since: "1.3", length: .exactly(50))
        case .signStart: .init(Resp.SignStart.self, since: "1.4", length: .exactly(6))
        case .signature: .init(Resp.Signature.self, since: "1.4", length: .exactly(65))
        case .customVars: .init(Resp.CustomVars.self, since: "1.6", length: .within(1...176))
        case .advertPath: .init(Resp.AdvertPath.self, since: "1.7.1", length: .within(6...70))
        case .tuningParams: .init(Resp.TuningParams.self, since: "1.7.3", length: .exactly(9))
        case .stats: .init(Resp.Stats.self, since: "1.11", length: .oneOf([11, 14, 30], earlier: [26]))
        case .autoaddConfig: .init(Resp.AutoaddConfig.self, since: "1.12", length: .exactly(3, earlier: [2]))
        case .allowedRepeatFreq:
            .init(
                Resp.AllowedRepeatFreq.self, since: "1.13", length: .oneOf(Array(stride(from: 1, through: 169, by: 8))))
        case .channelDataRecv: .init(Resp.ChannelDataRecv.self, since: "1.15", length: .within(9...176))
        case .defaultFloodScope: .init(Resp.DefaultFloodScope.self, since: "1.15", length: .oneOf([1, 48]))
        case .cliReply: .init(Resp.CliReply.self, since: "1.18", length: .within(1...166))
        }
    }
}
