import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

// Links, frames, and what goes wrong on the air.
extension DoorRoute {
    static let airs = [
        DoorRoute("GET", "/links") { door, call in
            let page = try call.page()
            return try await door.look { runner in
                let world = runner.world
                let pairs = world.nodes.lazy.flatMap { node in world.links.listeners(of: node).map { (node, $0) } }
                return LinkListRecord(
                    links: pairs.page(page).compactMap { LinkRecord($0.0, $0.1, world) }, total: world.links.linkCount)
            }
        },
        DoorRoute("PUT", "/links/{from}/{to}") { door, call in
            let fields = try call.fields("snr", "rssi", "loss", "oneWay")
            let link = try fields.airLink()
            let isOneWay = try fields.bool("oneWay") ?? false
            return try await door.change { runner in
                let (from, to) = try runner.pair(call)
                runner.withWorld { world in
                    world.links[link: from, to] = link
                    if !isOneWay { world.links[link: to, from] = link }
                }
            }
        },
        DoorRoute("DELETE", "/links/{from}/{to}") { door, call in
            let isOneWay = try call.flag("oneWay")
            return try await door.change { runner in
                let (from, to) = try runner.pair(call)
                runner.withWorld { world in
                    world.links[link: from, to] = nil
                    if !isOneWay { world.links[link: to, from] = nil }
                }
            }
        },
        DoorRoute("POST", "/faults") { door, call in
            let fields = try JSONFields(reading: call.request.body)
            return try await door.steer { runner in
                guard runner.world.faultCount < FaultFields.most else {
                    throw DoorRefusal(.conflict, "a run has \(FaultFields.most) faults at most")
                }
                let world = runner.world
                let places = Dictionary(uniqueKeysWithValues: world.nodes.map { (world.label(of: $0), $0.index) })
                let fault = try FaultFields(places: places, from: world.now).read(fields)
                return ["fault": runner.withWorld { $0.schedule(fault) }]
            }
        },
        DoorRoute("DELETE", "/faults/{fault}") { door, call in
            try call.checkQuery()
            guard let number = Int(call["fault"]), number >= 0 else {
                throw DoorRefusal(.badRequest, "the number of a fault is a whole one from 0 on")
            }
            return try await door.change { runner in
                guard number < runner.world.faultCount else {
                    throw DoorRefusal(.notFound, "there is no fault \(number)")
                }
                guard runner.withWorld({ $0.endFault(number) }) else {
                    throw DoorRefusal(.conflict, "the fault is not going on")
                }
            }
        },
        DoorRoute("POST", "/nodes/{node}/transmits") { door, call in
            let frame = try call.fields("hex").frame()
            return try await door.change { runner in
                let node = try runner.node(call["node"])
                runner.withWorld { $0.transmit(frame, near: node) }
            }
        },
        DoorRoute("POST", "/nodes/{node}/hears") { door, call in
            let fields = try call.fields("hex", "snr", "rssi")
            let frame = try fields.frame()
            let signal = try fields.signal(like: .good)
            return try await door.change { runner in
                let node = try runner.node(call["node"])
                guard runner.world.isUp(node) else { throw DoorRefusal(.conflict, "the board does not run") }
                runner.withWorld { $0.inject(.heard(frame, signal), into: node) }
            }
        },
    ]
}

private struct LinkListRecord: Encodable, Sendable {
    let links: [LinkRecord]
    let total: Int
}

extension WorldRunner {
    fileprivate func pair(_ call: DoorCall) throws(DoorRefusal) -> (NodeID, NodeID) {
        let (from, to) = (try node(call["from"]), try node(call["to"]))
        guard from != to else { throw DoorRefusal(.badRequest, "a node has no link to itself") }
        return (from, to)
    }
}

extension JSONFields {
    /// A frame of a radio, in hex.
    fileprivate func frame() throws(FileProblem) -> RadioFrame {
        guard let bytes = [UInt8](hex: try needString("hex")), (1...255).contains(bytes.count) else {
            throw problem("hex", "must be 1 to 255 bytes of hex")
        }
        return RadioFrame(bytes)
    }
}
