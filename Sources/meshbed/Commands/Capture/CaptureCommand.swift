import ArgumentParser

/// `meshbed capture`: recorded traffic, read, shown, scrubbed, compared.
struct CaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Read, show, scrub and compare recordings of the traffic between apps and radios.",
        discussion: """
            A recording is a text file, one line for each frame: time, link, direction, hex. The article Captures has \
            the rules. FILE can be '-' for standard input. What observers and other tools wrote is read as well: the \
            article FilesOfTheField lists the formats.

            Examples:
              meshbed capture info session.capture
              meshbed capture show session.capture --code SELF_INFO --fields
              meshbed capture scrub session.capture public.capture --salt ours
              meshbed capture diff yesterday.capture today.capture

            Exit status: 0 when all is well; 1 when something breaks the protocol, cannot be read or differs; 2 when \
            the command could not run or had wrong arguments.
            """,
        subcommands: [
            CaptureInfo.self, CaptureShow.self, CaptureConvert.self, CaptureExport.self, CaptureDissector.self,
            CaptureScrub.self, CaptureDiff.self,
        ])
}
