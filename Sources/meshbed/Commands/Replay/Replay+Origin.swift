import MeshCapture
import MeshReports
import MeshScenarios
import MeshTestbed

extension Replay {
    /// The origin of the replay, which states whether the same command repeats it.
    func origin(_ recording: Recording, _ file: String) -> Provenance.Run {
        switch (role, target) {
        case (.radio, _):
            return Provenance.Run(
                .target(file), seed: nil, time: "clock at speed \(speed ?? 1)",
                repeatability: .notReproducible("time follows the clock, and clients with it"))
        case (.client, .radio(let word)): return Provenance.Run(overLink: word.text)
        case (.client, _):
            let place = place(recording.header)
            return Provenance.Run(virtual: .world(place.world), seed: place.seed)
        case (nil, _): return Provenance.Run(virtual: .target(file), seed: nil)
        }
    }
}
