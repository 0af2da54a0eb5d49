public import MeshBoards
public import MeshCapture
import MeshTime

/// A recorded radio takes the place of somebody's own.
public struct CaptureReplay: Action {
    let capture: Capture
    let who: Member
    let pace: RadioReplayer.Pace

    public var sentence: String { "\(who.name)'s app meets the radio of \(capture.path)" }
    public var cast: [Member] { [who] }
    public var needs: Abilities { .time }

    /// Returns when the recording is over and the app has been silent for a while.
    public func perform(on stage: Stage) async throws {
        let radio = RecordedRadio(
            RadioReplayer(try capture.recording(), pace: pace, patience: StackReplay.patience), clock: stage.clock)
        try await stage.player(who).link.plug(radio)
        try await radio.waitUntilOver(silence: StackReplay.silence)
    }
}

extension Capture {
    /// In a scenario: the person's radio is unplugged and the recorded one is there instead, from then on.
    public func replay(into person: Person, pace: RadioReplayer.Pace = .recorded) -> CaptureReplay {
        CaptureReplay(capture: self, who: person.member, pace: pace)
    }
}
