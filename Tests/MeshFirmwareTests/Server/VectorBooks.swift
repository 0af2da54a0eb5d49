import Foundation
import Testing

/// The tests that prove each vector of `infrastructure.json`; the books must balance.
@Suite struct VectorBooks {
    /// Test files of this target, and the vectors that each of them proves.
    static let claims: [(file: String, vectors: [String])] = [
        ("Server/PacketLogTests.swift", ["LOG-LINES"]),
        (
            "Server/ClientPacketVectorTests.swift",
            [
                "LOGIN-REQ-REP-ADMIN", "LOGIN-REQ-REP-BLANK", "LOGIN-REQ-REP-GUEST", "LOGIN-REQ-SEN-ADMIN",
                "LOGIN-REQ-ROOM-RW", "LOGIN-REQ-ROOM-ADMIN", "LOGIN-REQ-ROOM-BLANK", "ANON-REQ-REGIONS",
                "ANON-REQ-OWNER", "ANON-REQ-BASIC", "STATUS-REQ", "TELEM-REQ-ALL", "TELEM-REQ-NO-ENV",
                "TELEM-REQ-BASE-ONLY", "MMA-REQ", "ACL-REQ", "NEIGH-REQ", "OWNER-REQ", "PATH-RECIP", "DISCOVER-REQ",
                "DISCOVER-REQ-PREFIX-SINCE", "DISCOVER-REQ-OWN",
            ]
        ),
        (
            "Server/ServerPacketVectorTests.swift",
            [
                "LOGIN-RESP-REP-ADMIN", "LOGIN-RESP-REP-GUEST", "LOGIN-RESP-REP-READONLY", "LOGIN-RESP-ROOM-ADMIN",
                "LOGIN-RESP-ROOM-RW", "LOGIN-RESP-ROOM-GUEST", "LOGIN-RESP-SEN-ADMIN", "ANON-RESP-REGIONS",
                "ANON-RESP-OWNER", "ANON-RESP-BASIC", "ANON-RESP-BASIC-DISABLED", "ANON-RESP-BASIC-RS232",
                "ANON-RESP-BASIC-ESPNOW", "DISCOVER-RESP-REPEATER-FULL", "DISCOVER-RESP-REPEATER-PREFIX",
                "DISCOVER-RESP-SENSOR-FULL", "DISCOVER-RESP-SENSOR-PREFIX", "ADVERT-APPDATA", "TRANSPORT-CODE",
            ]
        ),
        (
            "Server/TextVectorTests.swift",
            [
                "ROOM-POST", "ROOM-POST-RETRY", "ROOM-PUSH-0", "ROOM-PUSH-1", "ROOM-PUSH-2", "ROOM-PUSH-3",
                "ROOM-PUSH-SYSTEM", "ALERT-HI-0", "ALERT-HI-1", "ALERT-HI-2", "ALERT-HI-3", "ALERT-LO-3",
                "ROOM-KEEPALIVE-ZERO", "ROOM-KEEPALIVE-SINCE", "ROOM-KEEPALIVE-SHORT", "CLI-VER", "CLI-PREFIX",
                "CLI-PASSWORD", "CLI-UNKNOWN", "CLI-REGION", "CLI-PLAIN-ACK",
            ]
        ),
        ("Server/StatusVectorTests.swift", ["STATUS-RESP-REPEATER", "STATUS-RESP-ROOM", "ROOM-TIMEOUT"]),
        ("Server/ServerRequestTests.swift", ["ACL-RESP", "OWNER-RESP"]),
        (
            "Server/NeighbourTests.swift",
            ["NEIGH-RESP-PK4", "NEIGH-RESP-PK6", "NEIGH-RESP-PK8", "NEIGH-CAPACITY", "NEIGH-TEXT"]
        ),
        ("Server/FloodForwardingTests.swift", ["FLOOD-HOP-LIMIT", "LOOP-DETECT"]),
        ("Server/ServerDirectTests.swift", ["TRACE-FORWARD"]),
        ("Server/ReplyScopeTests.swift", ["REPLY-ROUTE", "REPLY-SCOPE"]),
        ("Server/Clients/ClientFileTests.swift", ["FILE-S-CONTACTS"]),
        ("Server/Clients/ClientTableTests.swift", ["ACL-EVICTION"]),
        ("Server/Regions/RegionFileTests.swift", ["FILE-REGIONS2"]),
        ("Server/Preferences/PreferenceVectorTests.swift", ["FTOA", "FTOA3", "DUTY", "FILE-PREFS"]),
        ("Server/Commands/CommandScriptTests.swift", ["CLI-SCRIPT", "REGION-LOAD", "CLI-GPS", "CLI-BRIDGE"]),
        (
            "Environment/TelemetryTests.swift",
            ["TELEM-RESP-REP-ADMIN", "TELEM-RESP-REP-GUEST", "TELEM-RESP-SENSOR"]
        ),
        ("Environment/TimeSeriesTests.swift", ["MMA-RESP"]),
        ("../ProtocolTests/MeshPacket/LPPVectorTests.swift", ["LPP-ENCODE"]),
        ("Server/TimingVectorTests.swift", ["TX-DELAY", "RX-DELAY", "RATE-LIMIT-DISCOVER", "RATE-LIMIT-ANON"]),
    ]

    /// The folder of this target's sources.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every vector is claimed by one list of tests, and no list claims what is not there`() {
        let claimed = Self.claims.flatMap(\.vectors)
        let stored = InfrastructureVectors.all.vectors.map(\.id)

        #expect(claimed.filter { !stored.contains($0) } == [])
        #expect(stored.filter { !claimed.contains($0) } == [], "not proven yet")
        #expect(Set(claimed).count == claimed.count, "claimed twice")
        #expect(stored.count == 98)
    }

    @Test(arguments: claims.map(\.file))
    func `a file names the vectors that are booked on it`(file: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let vectors = Self.claims.filter { $0.file == file }.flatMap(\.vectors)

        #expect(vectors.filter { !text.contains($0) } == [])
        #expect(text.contains("@Test"))
    }
}
