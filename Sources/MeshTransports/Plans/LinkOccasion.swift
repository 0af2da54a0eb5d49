public import MeshCompanion

/// The moment of a link at which a planned fault happens. Everything is counted from when the plan was armed.
public enum LinkOccasion: Hashable, Sendable {
    /// The next frame of the direction that the fault can take.
    case nextFrame
    /// The nth frame of one kind, in the direction of that kind.
    case coded(LinkFrameKind, number: Int)
    /// The first frame that answers the nth command of this code: a response, not a push.
    case answer(to: CommandCode, number: Int = 1)
    /// The next frame of the direction after this number of frames of the direction.
    case after(frames: Int)
    /// The beginning of the nth connection; faults that take a frame take its first one.
    case connect(number: Int = 1)
    /// The nth time that the app enters a phase; faults to the app take the first frame after it.
    case phase(LinkPhase, number: Int = 1)

    /// The nth response of this code.
    public static func frame(_ code: ResponseCode, number: Int = 1) -> LinkOccasion {
        .coded(.response(code), number: number)
    }

    /// The nth push of this code.
    public static func frame(_ code: PushCode, number: Int = 1) -> LinkOccasion { .coded(.push(code), number: number) }

    /// The nth command of this code.
    public static func frame(_ code: CommandCode, number: Int = 1) -> LinkOccasion {
        .coded(.command(code), number: number)
    }

    /// The direction that it belongs to; `nil` for either.
    public var way: FrameDirection? {
        switch self {
        case .coded(let frame, _): frame.way
        case .answer: .toApp
        case .nextFrame, .after, .connect, .phase: nil
        }
    }
}

extension LinkOccasion: CustomStringConvertible {
    /// The occasion in words, with the firmware's names: `at RESP_CODE_CONTACT number 3`.
    public var description: String {
        func nth(_ number: Int) -> String { number == 1 ? "" : " number \(number)" }
        return switch self {
        case .nextFrame: "at the next frame"
        case .coded(let frame, let number): "at \(frame.wireName)\(nth(number))"
        case .answer(let code, let number): "at the answer to \(code.wireName)\(nth(number))"
        case .after(let frames): "after \(frames) frames"
        case .connect(let number): "at connection\(number == 1 ? " number 1" : nth(number))"
        case .phase(let phase, let number): "at the phase \(phase.rawValue)\(nth(number))"
        }
    }
}

/// A kind of frame in one direction, by the codes of the table.
public enum LinkFrameKind: Hashable, Sendable {
    /// A frame of the app.
    case command(CommandCode)
    /// A frame with which the radio answers.
    case response(ResponseCode)
    /// A frame that the radio sends of its own accord.
    case push(PushCode)

    /// The kind of a frame that passes in a direction; `nil` for a code that the table does not have.
    public init?(of frame: [UInt8], _ way: FrameDirection) {
        guard let code = frame.first else { return nil }
        switch way {
        case .toRadio:
            guard let code = CommandCode(rawValue: code) else { return nil }
            self = .command(code)
        case .toApp:
            switch RadioCode(code) {
            case .response(let code)?: self = .response(code)
            case .push(let code)?: self = .push(code)
            case nil: return nil
            }
        }
    }

    /// The kind with this name in a direction: the firmware's constant, or the same without its prefix.
    public init?(named name: String, _ way: FrameDirection) {
        guard let kind = Self.all(way).first(where: { $0.wireName == name || $0.name == name }) else { return nil }
        self = kind
    }

    /// The direction in which such frames pass.
    public var way: FrameDirection {
        if case .command = self { .toRadio } else { .toApp }
    }

    /// The constant as the firmware spells it: `RESP_CODE_CONTACT`.
    public var wireName: String {
        switch self {
        case .command(let code): code.wireName
        case .response(let code): code.wireName
        case .push(let code): code.wireName
        }
    }

    /// The constant without its prefix: `CONTACT`. In one direction no two kinds share it.
    public var name: String {
        let wireName = wireName
        let prefix = ["CMD_", "RESP_CODE_", "RESP_", "PUSH_CODE_"].first(where: wireName.hasPrefix)
        return String(wireName.dropFirst(prefix?.count ?? 0))
    }

    /// The kinds of a direction, in the order of their codes.
    public static func all(_ way: FrameDirection) -> [LinkFrameKind] {
        switch way {
        case .toRadio: CommandCode.allCases.map(Self.command)
        case .toApp: ResponseCode.allCases.map(Self.response) + PushCode.allCases.map(Self.push)
        }
    }
}

/// A part of the conversation of an app, told by its commands.
public enum LinkPhase: String, Hashable, Sendable, CaseIterable {
    /// Both sides introduce themselves.
    case greeting
    /// The clock is read or set.
    case clock
    /// Contacts are listed or changed.
    case contacts
    /// Channels are listed or changed.
    case channels
    /// Messages that wait in the radio are taken.
    case messages
    /// Texts, data and adverts are sent.
    case sending
    /// Other nodes are asked something.
    case requests
    /// Settings and the identity are read or changed.
    case settings
}

extension CommandCode {
    /// The phase that the command belongs to.
    public var linkPhase: LinkPhase {
        switch self {
        case .appStart, .deviceQuery: .greeting
        case .getDeviceTime, .setDeviceTime: .clock
        case .getContacts, .addUpdateContact, .resetPath, .removeContact, .shareContact, .exportContact,
            .importContact, .getContactByKey, .getAdvertPath:
            .contacts
        case .getChannel, .setChannel: .channels
        case .syncNextMessage: .messages
        case .sendTxtMsg, .sendChannelTxtMsg, .sendChannelData, .sendSelfAdvert, .sendRawData, .sendControlData,
            .sendRawPacket:
            .sending
        case .sendLogin, .sendStatusReq, .hasConnection, .logout, .sendTracePath, .sendTelemetryReq, .sendBinaryReq,
            .sendPathDiscoveryReq, .sendAnonReq:
            .requests
        // All others read or change a setting or the identity: a new command is one of these until it is named above.
        default: .settings
        }
    }
}
