import ArgumentParser

/// `meshbed record`: stores the frames between an app and a radio in a file that can be read, published and replayed.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record the frames between an app and a radio.",
        discussion: """
            A recorder stands between app and radio. It listens for the app, connects to the radio, and passes every \
            byte on unchanged. The recording is text: a header with its origin, and one line for each frame. The \
            recorder writes each line before it passes the frame on. A killed recorder therefore loses nothing that \
            the app has seen.

            Private keys, PINs, passwords, positions and texts are replaced line by line as they pass. Equal secrets \
            get equal replacements, so the recording still replays. --scrub-names also replaces names; --keep-secrets \
            replaces nothing. Only you can read the file until you change its permissions.

            Examples:
              meshbed record tcp --listen tcp://127.0.0.1:5005 \\
                --to tcp://192.168.4.1:5000 --story first-sync
              meshbed record serial --listen pty:./radio.tty --to serial:/dev/ttyUSB0 \\
                --output crash.capture
              meshbed record ble --output desk.capture

            'record ble' needs no recorder in between: it reads a Bluetooth adapter.

            Exit status: 0 after an interrupt or SIGTERM; 2 when it could not start or continue.
            """,
        subcommands: [RecordTCP.self, RecordSerial.self, RecordBLE.self])
}
