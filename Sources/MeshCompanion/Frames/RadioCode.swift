/// The first byte of any frame from the radio.
public enum RadioCode: Hashable, Sendable {
    /// The frame answers a command.
    case response(ResponseCode)
    /// The radio sends the frame of its own accord.
    case push(PushCode)

    /// The code of that number, or `nil` for one that 1.17.1 does not have.
    public init?(_ byte: UInt8) {
        if let code = ResponseCode(rawValue: byte) {
            self = .response(code)
        } else if let code = PushCode(rawValue: byte) {
            self = .push(code)
        } else {
            return nil
        }
    }

    /// The code as it stands in the frame; pushes have 0x80 and more.
    public var byte: UInt8 {
        switch self {
        case .response(let code): code.rawValue
        case .push(let code): code.rawValue
        }
    }

    /// The constant as the firmware spells it.
    public var wireName: String {
        switch self {
        case .response(let code): code.wireName
        case .push(let code): code.wireName
        }
    }

    /// The frame's type, by the table.
    public var frame: any CodedFrame.Type {
        switch self {
        case .response(let code): code.row.frame
        case .push(let code): code.row.frame
        }
    }
}

/// `setRadioParams` as the firmware writes it, `SET_RADIO_PARAMS`.
func constantName(_ camel: String) -> String {
    var name = ""
    var wasUpper = true
    for character in camel {
        if character.isUppercase && !wasUpper { name += "_" }
        wasUpper = character.isUppercase
        name += character.uppercased()
    }
    return name
}
