import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

extension CaseList {
    /// Packets of every payload type on every route, and those whose payload is in the clear in all their forms.
    static func types(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.types)
        for number in UInt8(0)...15 {
            let type = PayloadType(rawValue: number)
            for route in RouteType.allCases {
                let statement = route.isFlood && isForOneHop(type) ? "OTA-034" : "OTA-046"
                list.add(
                    .packet, "\(type.name)-\(route.name)".slug, envelope(type, route) + sample(of: type, cast),
                    statement)
            }
        }
        list.addTraces(cast)
        list.addControls(cast)
        list.addAcknowledgements(cast)
        return list
    }

    /// Types that no node passes on as a flood.
    private static func isForOneHop(_ type: PayloadType) -> Bool {
        [.trace, .control, .multipart, .rawCustom].contains(type) || (12...14).contains(type.rawValue)
    }

    /// A payload of the type that makes sense.
    static func sample(of type: PayloadType, _ cast: VectorCast) -> [UInt8] {
        switch type {
        case .ack: Ack(0x0403_0201).written()
        case .multipart: Multipart(remaining: 1, Ack(0x0403_0201)).written()
        case .trace: Trace(tag: 0x1122_3344, authCode: 0x5566_7788, pathHashes: path(2)).written()
        case .control: DiscoverRequest(filter: 0x04, tag: 0x1122_3344).written()
        case .advert: advert(cast.carol, AdvertData(type: .chat, name: "Carol"))?.payload ?? []
        case .grpTxt, .grpData, .anonReq, .path, .req, .response, .txtMsg:
            SealedSample.first(of: type, cast)?.packet.payload ?? []
        default: path(8)
        }
    }

    private mutating func addTraces(_ cast: VectorCast) {
        for flags in UInt8(0)...3 {
            let trace = Trace(tag: 0x1122_3344, authCode: 0, flags: flags, pathHashes: Self.path(16)).written()
            for hops in [0, 1] {
                let length = PathLength(hashSize: 1, hops: hops)
                add(
                    .packet, "trace-entries-of-\(1 << flags)-after-\(hops)",
                    Self.envelope(.trace, .direct, length, [0xE3]) + trace, "OTA-053")
            }
            var own = Trace(tag: 0x1122_3344, authCode: 0, flags: flags)
            own.pathHashes = [UInt8](cast.bob.key.prefix(1 << Int(flags))) + Self.path(8)
            add(
                .packet, "trace-to-the-radio-entries-of-\(1 << flags)",
                Self.envelope(.trace, .direct) + own.written(), "OTA-050")
        }
        let done = Trace(tag: 0x1122_3344, authCode: 0, pathHashes: Self.path(2)).written()
        add(
            .packet, "trace-at-its-end",
            Self.envelope(.trace, .direct, PathLength(hashSize: 1, hops: 2), [0xE3, 0x05]) + done, "OTA-052")
    }

    private mutating func addControls(_ cast: VectorCast) {
        let forms: [(String, [UInt8])] = [
            ("request", DiscoverRequest(filter: 0x1E, tag: 0x1122_3344).written()),
            ("request-for-prefixes", DiscoverRequest(filter: 0x02, tag: 1, prefixOnly: true).written()),
            ("request-since", DiscoverRequest(filter: 0x04, tag: 2, since: VectorCast.met).written()),
            ("answer", answer(of: cast.carol, prefixOnly: false)),
            ("answer-with-prefix", answer(of: cast.carol, prefixOnly: true)),
            ("unknown-high", ControlData(head: 0xA0, data: Self.path(3)).written()),
            ("unknown-low", ControlData(head: 0x10, data: Self.path(3)).written()),
        ]
        for (name, payload) in forms {
            add(.packet, "control-\(name)", Self.envelope(.control, .direct) + payload, "OTA-091")
            let length = PathLength(hashSize: 1, hops: 1)
            add(
                .packet, "control-\(name)-with-a-path",
                Self.envelope(.control, .direct, length, [cast.bob.hash]) + payload, "OTA-047")
        }
    }

    private func answer(of member: VectorCast.Member, prefixOnly: Bool) -> [UInt8] {
        DiscoverResponse(
            nodeType: .repeater, snr: -13, tag: 0x1122_3344, publicKey: member.key, prefixOnly: prefixOnly
        ).written()
    }

    private mutating func addAcknowledgements(_ cast: VectorCast) {
        let length = PathLength(hashSize: 1, hops: 2)
        for extra in [[], [7], [7, 9]] as [[UInt8]] {
            let ack = Ack(0x4433_2211, extra: extra)
            add(
                .packet, "ack-of-\(4 + extra.count)-to-the-radio",
                Self.envelope(.ack, .direct, length, [cast.bob.hash, 0x6E]) + ack.written(), "OTA-042")
            for remaining in [0, 1, 2, 15] as [UInt8] {
                add(
                    .packet, "multipart-of-\(4 + extra.count)-remaining-\(remaining)",
                    Self.envelope(.multipart, .direct, length, [cast.bob.hash, 0x6E])
                        + Multipart(remaining: remaining, ack).written(), "OTA-044")
            }
        }
        var other = Multipart(remaining: 0, Ack())
        other.head = PayloadType.txtMsg.rawValue
        other.content.extra = Self.path(6)
        add(.packet, "multipart-of-another-type", Self.envelope(.multipart, .direct) + other.written(), "OTA-044")
    }
}
