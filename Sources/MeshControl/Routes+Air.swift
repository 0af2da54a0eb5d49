import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshWire
import MeshWorlds

// Links, frames, and what goes wrong on the air.
extension ControlAPI {
    static let airs: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/links") { api, call in
            let page = try call.page()
            return try await api.look { driver in
                let world = driver.world
                let pairs = world.nodes.lazy.flatMap { node in world.links.listeners(of: node).map { (node, $0) } }
                return LinkListRecord(
                    links: pairs.page(page).compactMap { LinkRecord($0.0, $0.1, world) }, total: world.links.linkCount)
            }
        },
        WebRoute("PUT", "/links/{from}/{to}") { api, call in
            let fields = try call.fields("snr", "rssi", "loss", "oneWay")
            let link = try fields.airLink()
            let isOneWay = try fields.bool("oneWay") ?? false
            return try await api.change { driver in
                let (from, to) = try driver.pair(call)
                driver.withWorld { world in
                    world.links[link: from, to] = link
                    if !isOneWay { world.links[link: to, from] = link }
                }
            }
        },
        WebRoute("DELETE", "/links/{from}/{to}") { api, call in
            let isOneWay = try call.flag("oneWay")
            return try await api.change { driver in
                let (from, to) = try driver.pair(call)
                driver.withWorld { world in
                    world.links[link: from, to] = nil
                    if !isOneWay { world.links[link: to, from] = nil }
                }
            }
        },
        WebRoute("POST", "/faults") { api, call in
            let fields = try JSONFields(reading: call.request.body)
            return try await api.steer { driver in
                guard driver.world.faultCount < FaultFields.most else {
                    throw WebRefusal(.conflict, "a run has \(FaultFields.most) faults at most")
                }
                let world = driver.world
                let places = Dictionary(uniqueKeysWithValues: world.nodes.map { (world.label(of: $0), $0.index) })
                let fault = try FaultFields(places: places, from: world.now).read(fields)
                return ["fault": driver.withWorld { $0.schedule(fault) }]
            }
        },
        WebRoute("GET", "/faults") { api, call in
            let page = try call.page()
            return try await api.look { driver in
                let faults = FaultRecord.all(of: driver)
                return FaultListRecord(
                    faults: faults.page(page), idle: faults.count(where: \.isIdle), total: faults.count)
            }
        },
        WebRoute("DELETE", "/faults/{fault}") { api, call in
            try call.checkQuery()
            guard let number = Int(call["fault"]), number >= 0 else {
                throw WebRefusal(.badRequest, "the number of a fault is a whole one from 0 on")
            }
            return try await api.change { driver in
                guard number < driver.world.faultCount else {
                    throw WebRefusal(.notFound, "there is no fault \(number)")
                }
                guard driver.withWorld({ $0.endFault(number) }) else {
                    throw WebRefusal(.conflict, "the fault is not going on")
                }
            }
        },
        WebRoute("POST", "/nodes/{node}/transmits") { api, call in
            let frame = try call.fields("hex").frame()
            return try await api.change { driver in
                let node = try driver.node(call["node"])
                driver.withWorld { $0.transmit(frame, near: node) }
            }
        },
        WebRoute("POST", "/nodes/{node}/hears") { api, call in
            let fields = try call.fields("hex", "snr", "rssi")
            let frame = try fields.frame()
            let signal = try fields.signal(like: .good)
            return try await api.change { driver in
                let node = try driver.node(call["node"])
                guard driver.world.isUp(node) else { throw WebRefusal(.conflict, "the board does not run") }
                driver.withWorld { $0.inject(.heard(frame, signal), into: node) }
            }
        },
    ]
}

private struct LinkListRecord: Encodable, Sendable {
    let links: [LinkRecord]
    let total: Int
}

extension WorldDriver {
    fileprivate func pair(_ call: WebCall) throws(WebRefusal) -> (NodeID, NodeID) {
        let (from, to) = (try node(call["from"]), try node(call["to"]))
        guard from != to else { throw WebRefusal(.badRequest, "a node has no link to itself") }
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
