import MeshBoards
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    /// The node's key pair, by its console.
    static let keys: [Row] = [
        Row(
            "OTA-010", about: "A private key is clamped, and the public key is the one of Ed25519", by: .console,
            needs: [.freshRadio, .restart]
        ) { node in
            let own = try node.identity()
            let scalar = [UInt8](own.privateKey.array.prefix(32))
            try node.require("clamped bits", [scalar[0] & 7, scalar[31] & 0xC0], is: [0, 0x40])
            try node.require("the public key", own.publicKey.array, is: try node.key())
            let taken = LocalIdentity(seed: Seed32(seed))
            try setKey(taken.privateKey.array, node)
            try node.type("reboot")
            try node.wait(.seconds(20))
            try node.type("get public.key", "> \(publicKey.hex.uppercased())")
            try node.type("get prv.key", "> \(taken.privateKey.hex.uppercased())")
        },
        Row(
            "OTA-015", about: "Private keys that are not clamped, and those of the hashes 00 and FF, are refused",
            by: .console, needs: .freshRadio
        ) { node in
            let sound = Peer.bob.identity.privateKey.array
            for (place, bit) in [(0, 1), (0, 2), (0, 4), (31, 0x40), (31, 0x80)] as [(Int, UInt8)] {
                var key = sound
                key[place] ^= bit
                try node.type("set prv.key \(key.hex)", "Error, bad key")
            }
            for (peer, hash) in [(Peer(number: 888), 0x00), (Peer(number: 622), 0xFF)] as [(Peer, UInt8)] {
                try node.require("the hash of a key to be refused", peer.hash, is: hash)
                try node.type("set prv.key \(peer.identity.privateKey.hex)", "Error, bad key")
            }
            try setKey(sound, node)
        },
    ]

    /// The first test of Ed25519 in RFC 8032: a secret key, which is a seed here, and its public key.
    private static let (seed, publicKey): ([UInt8], [UInt8]) = (
        [
            0x9D, 0x61, 0xB1, 0x9D, 0xEF, 0xFD, 0x5A, 0x60, 0xBA, 0x84, 0x4A, 0xF4, 0x92, 0xEC, 0x2C, 0xC4, 0x44, 0x49,
            0xC5, 0x69, 0x7B, 0x32, 0x69, 0x19, 0x70, 0x3B, 0xAC, 0x03, 0x1C, 0xAE, 0x7F, 0x60,
        ],
        [
            0xD7, 0x5A, 0x98, 0x01, 0x82, 0xB1, 0x0A, 0xB7, 0xD5, 0x4B, 0xFE, 0xD3, 0xC9, 0x64, 0x07, 0x3A, 0x0E, 0xE1,
            0x72, 0xF3, 0xDA, 0xA6, 0x23, 0x25, 0xAF, 0x02, 0x1A, 0x68, 0xF7, 0x07, 0x51, 0x1A,
        ]
    )

    /// Gives the node a private key, which it must take.
    private static func setKey(_ key: [UInt8], _ node: RoleProbe) throws {
        let answer = try node.type("set prv.key \(key.hex)")
        try node.require(answer.hasPrefix("OK"), "an answer that begins with OK", got: "'\(answer.visible)'")
    }
}

extension RoleProbe {
    /// The node's own key pair, as its console gives the private key.
    func identity() throws -> LocalIdentity {
        // Not by the probe, which notes what it types and reads: no report has the key.
        let answer = ConsoleText.answer(in: try target.type("get prv.key"))
        guard answer.hasPrefix("> "), let key = ExpandedPrivateKey(hex: answer.dropFirst(2)) else {
            throw failure(expected: "a private key upon 'get prv.key'", got: "'\(answer.visible)'")
        }
        return LocalIdentity(privateKey: key)
    }
}
