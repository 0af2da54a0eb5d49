public import MeshWire

extension ATT {
    /// Why a server refuses a request.
    public struct ErrorCode: ExpressibleByRawValue, Hashable, Sendable {
        public var rawValue: UInt8

        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let invalidHandle = ErrorCode(rawValue: 0x01)
        public static let readNotPermitted = ErrorCode(rawValue: 0x02)
        public static let writeNotPermitted = ErrorCode(rawValue: 0x03)
        public static let invalidPDU = ErrorCode(rawValue: 0x04)
        public static let insufficientAuthentication = ErrorCode(rawValue: 0x05)
        public static let requestNotSupported = ErrorCode(rawValue: 0x06)
        public static let invalidOffset = ErrorCode(rawValue: 0x07)
        public static let insufficientAuthorization = ErrorCode(rawValue: 0x08)
        public static let prepareQueueFull = ErrorCode(rawValue: 0x09)
        public static let attributeNotFound = ErrorCode(rawValue: 0x0A)
        public static let attributeNotLong = ErrorCode(rawValue: 0x0B)
        public static let encryptionKeyTooShort = ErrorCode(rawValue: 0x0C)
        public static let invalidValueLength = ErrorCode(rawValue: 0x0D)
        public static let unlikelyError = ErrorCode(rawValue: 0x0E)
        public static let insufficientEncryption = ErrorCode(rawValue: 0x0F)
        public static let unsupportedGroupType = ErrorCode(rawValue: 0x10)
        public static let insufficientResources = ErrorCode(rawValue: 0x11)
        public static let databaseOutOfSync = ErrorCode(rawValue: 0x12)
        public static let valueNotAllowed = ErrorCode(rawValue: 0x13)
        public static let writeRequestRejected = ErrorCode(rawValue: 0xFC)
        public static let clientConfigurationImproper = ErrorCode(rawValue: 0xFD)
        public static let procedureAlreadyInProgress = ErrorCode(rawValue: 0xFE)
        public static let outOfRange = ErrorCode(rawValue: 0xFF)

        /// Of the service itself, not of the protocol.
        public var isOfApplication: Bool { 0x80...0x9F ~= rawValue }
    }
}

extension ATT.ErrorCode: CustomStringConvertible {
    public var description: String {
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
