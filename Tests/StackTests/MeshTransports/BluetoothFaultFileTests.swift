import MeshBluetoothHost
import MeshFiles
import MeshTime
import Testing

@testable import MeshTransports

/// Faults of Bluetooth in files and requests.
@Suite struct BluetoothFaultFileTests {
    private static func read(_ json: String) throws -> BluetoothFault {
        try BluetoothFault(JSONFields(reading: Array(json.utf8)))
    }

    @Test(arguments: [
        (#"{"fault":"mtu","size":64}"#, BluetoothFault(.mtu(64))),
        (#"{"fault":"mtu-lie","told":517,"used":64}"#, BluetoothFault(.mtuLie(told: 517, used: 64))),
        (
            #"{"fault":"att-error","at":{"operation":"read","number":3},"times":2,"code":14}"#,
            BluetoothFault(.attributeError(14), at: .read, number: 3, times: 2)
        ),
        (#"{"fault":"no-answer","at":"pairing"}"#, BluetoothFault(.noAnswer, at: .pairing)),
        (#"{"fault":"no-answer","at":{"number":4}}"#, BluetoothFault(.noAnswer, number: 4)),
        (#"{"fault":"late-answer","seconds":0.25}"#, BluetoothFault(.lateAnswer(by: .milliseconds(250)))),
        (#"{"fault":"cut-answer","bytes":3}"#, BluetoothFault(.cutAnswer(bytes: 3))),
        (#"{"fault":"early-notification","hex":"8301"}"#, BluetoothFault(.earlyNotification([0x83, 1], count: 1))),
        (#"{"fault":"indication"}"#, BluetoothFault(.indication)),
        (
            #"{"fault":"bunched-notifications","count":4,"seconds":1}"#,
            BluetoothFault(.bunchedNotifications(4, within: .seconds(1)))
        ),
        (#"{"fault":"slow-notifications","seconds":2}"#, BluetoothFault(.slowNotifications(gap: .seconds(2)))),
        (#"{"fault":"service-changed"}"#, BluetoothFault(.serviceChanged)),
        (#"{"fault":"services-moved","to":256}"#, BluetoothFault(.servicesMoved(to: 256))),
        (#"{"fault":"bond-lost"}"#, BluetoothFault(.bondLost)),
        (#"{"fault":"key-refused"}"#, BluetoothFault(.keyRefused)),
        (#"{"fault":"wrong-key"}"#, BluetoothFault(.wrongKey)),
        (#"{"fault":"pin-changed","pin":"000123"}"#, BluetoothFault(.pinChanged(123))),
        (#"{"fault":"pairing-refused","reason":5}"#, BluetoothFault(.pairingRefused(5))),
        (#"{"fault":"security-request"}"#, BluetoothFault(.securityRequest)),
        (#"{"fault":"link-lost","seconds":6}"#, BluetoothFault(.linkLost(for: .seconds(6)))),
        (#"{"fault":"disconnect","reason":21}"#, BluetoothFault(.disconnect(21))),
        (
            #"{"fault":"connection-parameters","intervalSeconds":1,"latency":0,"timeoutSeconds":6}"#,
            BluetoothFault(.connectionParameters(interval: .seconds(1), latency: 0, timeout: .seconds(6)))
        ),
        (#"{"fault":"second-central","seconds":5}"#, BluetoothFault(.secondCentral(for: .seconds(5)))),
        (#"{"fault":"address-rotates"}"#, BluetoothFault(.addressRotates)),
        (#"{"fault":"service-not-advertised"}"#, BluetoothFault(.serviceNotAdvertised())),
        (#"{"fault":"name-cut","bytes":0,"seconds":9}"#, BluetoothFault(.nameCut(bytes: 0, for: .seconds(9)))),
        (
            #"{"fault":"open-service","at":{"operation":"connection","number":0}}"#,
            BluetoothFault(.design(.open), number: 0)
        ),
    ])
    func `a fault is read from its object`(json: String, fault: BluetoothFault) throws {
        #expect(try Self.read(json) == fault)
    }

    @Test func `every kind can be read, with the members that it states`() throws {
        for kind in BluetoothFault.Kind.examples {
            let error = #expect(throws: FileProblem.self) {
                try Self.read(#"{"fault":"\#(kind.name)","nonsense":1}"#)
            }
            #expect(error?.reason.contains((["fault", "at", "times"] + kind.members).joined(separator: ", ")) == true)
        }
        #expect(BluetoothFault.kindNames.allSatisfy(BluetoothFault.isKind))
        #expect(!BluetoothFault.isKind("lose"))
    }

    @Test func `no kind of frames has the name of one of Bluetooth`() {
        #expect(LinkFaultKind.Name.allCases.allSatisfy { !BluetoothFault.isKind($0.rawValue) })
    }

    @Test(arguments: [
        (#"{"fault":"mtu","size":22}"#, "size", "must be from 23 to 517"), (#"{"fault":"mtu"}"#, "size", "is missing"),
        (#"{"fault":"mtu","size":65536}"#, "size", "is not within"),
        (#"{"fault":"mtu","size":1e300}"#, "size", "is not within"),
        (#"{"fault":"late-answer","seconds":-1}"#, "seconds", "is not within"),
        (#"{"fault":"late-answer","seconds":0}"#, "seconds", "must be longer than nothing"),
        (#"{"fault":"indication","at":"write"}"#, "at", "does not happen at it"),
        (#"{"fault":"indication","at":"sometimes"}"#, "at", "is no operation of a link"),
        (#"{"fault":"indication","at":{"operation":7}}"#, "at.operation", "must be a text"),
        (#"{"fault":"indication","at":{"number":65536}}"#, "at.number", "is not within"),
        (#"{"fault":"indication","at":{"number":0}}"#, "at", "number must be from 1"),
        (#"{"fault":"indication","times":0}"#, "times", "is not within"),
        (#"{"fault":"pin-changed","pin":"12345"}"#, "pin", "must have six digits"),
        (#"{"fault":"early-notification","hex":"8"}"#, "hex", "is no hex"),
        (#"{"fault":"disconnect","reason":8}"#, "reason", "must be one of"),
    ])
    func `what cannot be is refused by its member`(json: String, field: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) { try Self.read(json) }

        #expect(problem?.field == field)
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    // MARK: Plans

    @Test func `a plan holds both kinds, and tells them apart`() throws {
        let json = #"""
            {"faults": [{"fault": "cut-bytes", "bytes": 3},
              {"fault": "att-error", "at": "write", "code": 14, "mayNotFire": true}]}
            """#
        let plan = try LinkFaultPlan(reading: Array(json.utf8))

        #expect(plan.faults.map(\.kind.isOfBluetooth) == [false, true])
        #expect(plan.bluetooth == [BluetoothFault(.attributeError(14))])
        #expect(plan.faults[1].mayNotFire)
        #expect("\(plan.faults[1])" == "att-error 0x0e at write")
    }

    @Test func `a stream has none of them`() throws {
        let plan = LinkFaultPlan([PlannedLinkFault(.bluetooth(BluetoothFault(.indication)))])

        for carrier in LinkCarrier.allCases where carrier != .bluetooth {
            #expect(throws: FileProblem.self) { try plan.check(on: carrier) }
        }
        #expect(throws: Never.self) { try plan.check(on: .bluetooth) }
    }
}
