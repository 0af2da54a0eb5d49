import Foundation
package import MeshCompanion
package import MeshPacket
package import MeshWire

/// Frames of a radio that a test scripts.
package enum Frames {
    package static let ok: [UInt8] = [0]
    package static let noMore = Resp.NoMoreMessages().encoded()

    package static func refusal(_ code: ErrorCode) -> [UInt8] { [1, code.rawValue] }

    /// A key that consists of one number.
    package static func key(_ number: UInt8) -> FixedBytes<32> { FixedBytes(repeatElement(number, count: 32)) }

    package static let selfInfo = Resp.SelfInfo(
        txPower: 22, maxTxPower: 22, publicKey: key(1), latitude: 48_117_266, longitude: 11_516_667, multiAcks: 0,
        advertLocationPolicy: 0, telemetryModes: 0, manualAdd: 0, frequency: 869_618, bandwidth: 62_500,
        spreadingFactor: 8, codingRate: 5, name: "alice")

    package static let deviceInfo: Resp.DeviceInfo = {
        var info = Resp.DeviceInfo()
        info.firmwareVersionCode = 13
        info.halvedMaxContacts = 175
        info.maxChannels = 40
        return info
    }()

    package static func contact(
        _ number: UInt8, name: ByteText = "bob", type: NodeType = .chat, lastModified: UInt32 = 100
    ) -> ContactRecord {
        var record = ContactRecord()
        record.publicKey = key(number)
        record.type = type
        record.name = FixedBytes(text: name)
        record.outPathLength = .unknown
        record.lastModified = lastModified
        return record
    }

    package static func frame(_ contact: ContactRecord) -> [UInt8] { Resp.Contact(record: contact).encoded() }

    package static func sent(_ tag: UInt32, isFlood: Bool = false, timeout: UInt32 = 1000) -> [UInt8] {
        Resp.Sent(route: isFlood ? 1 : 0, tag: tag, timeout: timeout).encoded()
    }

    package static func channel(_ index: UInt8, name: ByteText, secret: FixedBytes<16>) -> [UInt8] {
        Resp.ChannelInfo(channelIndex: index, name: FixedBytes(text: name), secret: secret).encoded()
    }

    package static func message(from sender: UInt8, _ text: ByteText, timestamp: UInt32) -> [UInt8] {
        var message = ContactMessage()
        message.publicKeyPrefix = FixedBytes(repeatElement(sender, count: 6))
        message.timestamp = timestamp
        message.text = text
        return Resp.ContactMsgRecvV3(snr: 40, message: message).encoded()
    }
}
