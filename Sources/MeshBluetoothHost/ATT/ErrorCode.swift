import MeshWire

extension ATT {
    /// The reason why a server refuses a request.
    package struct ErrorCode: ExpressibleByRawValue, Hashable, Sendable {
        package var rawValue: UInt8

        @inlinable
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let invalidHandle = ErrorCode(rawValue: 0x01)
        package static let readNotPermitted = ErrorCode(rawValue: 0x02)
        package static let writeNotPermitted = ErrorCode(rawValue: 0x03)
        package static let invalidPDU = ErrorCode(rawValue: 0x04)
        package static let insufficientAuthentication = ErrorCode(rawValue: 0x05)
        package static let requestNotSupported = ErrorCode(rawValue: 0x06)
        package static let invalidOffset = ErrorCode(rawValue: 0x07)
        package static let insufficientAuthorization = ErrorCode(rawValue: 0x08)
        package static let prepareQueueFull = ErrorCode(rawValue: 0x09)
        package static let attributeNotFound = ErrorCode(rawValue: 0x0A)
        package static let attributeNotLong = ErrorCode(rawValue: 0x0B)
        package static let encryptionKeyTooShort = ErrorCode(rawValue: 0x0C)
        package static let invalidValueLength = ErrorCode(rawValue: 0x0D)
        package static let unlikelyError = ErrorCode(rawValue: 0x0E)
        package static let insufficientEncryption = ErrorCode(rawValue: 0x0F)
        package static let unsupportedGroupType = ErrorCode(rawValue: 0x10)
        package static let insufficientResources = ErrorCode(rawValue: 0x11)
        package static let databaseOutOfSync = ErrorCode(rawValue: 0x12)
        package static let valueNotAllowed = ErrorCode(rawValue: 0x13)
        package static let writeRequestRejected = ErrorCode(rawValue: 0xFC)
        package static let clientConfigurationImproper = ErrorCode(rawValue: 0xFD)
        package static let procedureAlreadyInProgress = ErrorCode(rawValue: 0xFE)
        package static let outOfRange = ErrorCode(rawValue: 0xFF)

        /// Of the service itself, not of the protocol.
        package var isOfApplication: Bool { 0x80...0x9F ~= rawValue }

        /// Pairing cures it, or it passes when the radio has noticed that it is paired.
        package var isOfPairing: Bool {
            [.insufficientAuthentication, .insufficientAuthorization, .unlikelyError, .insufficientEncryption]
                .contains(self)
        }
    }
}

extension ATT.ErrorCode: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidHandle: "invalid handle"
        case .readNotPermitted: "read not permitted"
        case .writeNotPermitted: "write not permitted"
        case .invalidPDU: "invalid PDU"
        case .insufficientAuthentication: "insufficient authentication"
        case .requestNotSupported: "request not supported"
        case .invalidOffset: "invalid offset"
        case .insufficientAuthorization: "insufficient authorization"
        case .prepareQueueFull: "prepare queue full"
        case .attributeNotFound: "attribute not found"
        case .attributeNotLong: "attribute not long"
        case .encryptionKeyTooShort: "encryption key too short"
        case .invalidValueLength: "invalid length of the value"
        case .unlikelyError: "unlikely error"
        case .insufficientEncryption: "insufficient encryption"
        case .unsupportedGroupType: "unsupported group type"
        case .insufficientResources: "insufficient resources"
        case .databaseOutOfSync: "database out of sync"
        case .valueNotAllowed: "value not allowed"
        case .writeRequestRejected: "write request rejected"
        case .clientConfigurationImproper: "client characteristic configuration improper"
        case .procedureAlreadyInProgress: "procedure already in progress"
        case .outOfRange: "out of range"
        default: (isOfApplication ? "application error 0x" : "error 0x") + [rawValue].hex
        }
    }
}
