import MeshTime
import MeshWorlds

@testable import MeshStudy

/// A made-up network: a line of repeaters with rungs, and three observers.
enum SyntheticNetwork {
    static let text: String = {
        let count = 12
        let nodes = (0..<count).map { index in
            let observer = [3, 7, 11].contains(index) ? ",\"observer\":true" : ""
            return "{\"i\":\(index),\"role\":\"repeater\",\"x\":\(index * 3000),\"y\":0\(observer)}"
        }
        let links = (0..<count).flatMap { index in
            [1, 2].compactMap { step in
                index + step < count ? "{\"from\":\(index),\"to\":\(index + step),\"n\":\(40 / step)}" : nil
            }
        }
        return """
            {"format":"meshbed-network/1","name":"ladder","radio":{"frequencyMHz":869.618,"bandwidthkHz":62.5,
            "spreadingFactor":8,"codingRate":"4/8 mostly"},
            "nodes":[\(nodes.joined(separator: ","))],"links":[\(links.joined(separator: ","))]}
            """
    }()

    static let observed = """
        {"format":"meshbed-observed/1","name":"ladder","metrics":{
        "hops.firstPerObserver":{"definition":"d","copy":"first","value":{"n":3,"min":1,"p50":3,"p90":5,"max":6}},
        "copiesPerObserver":{"value":{"mean":2},"histogram":[[1,2],[2,4],[3,2]],"selfW1":{"p95":0.5}},
        "distinctPacketsPerHour":{"value":{"p50":100}}}}
        """

    static func network(_ text: String = text, _ path: String = "a.json") throws -> ObservedNetwork {
        try ObservedNetwork(reading: [.init(path: path, bytes: [UInt8](text.utf8))], name: "a", seed: Seed(1))
    }

    static func run(_ parameters: TwinParameters = TwinParameters()) throws -> TwinRun {
        let text = try network().worldFile(parameters)
        let world = try WorldFile.content(of: [UInt8](text.utf8), name: "a", seed: Seed(1))
        return TwinRun(world, backgroundPerHour: 75)
    }
}
