import ArgumentParser

/// `meshbed record`: what an app and a radio say to each other, as a file that can be read, published and replayed.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record what an app and a radio say to each other.",
        discussion: """
            A recorder stands between the two: it listens where the app can find it, connects to the radio, and hands \
            on every byte as it is. The recording is text, a line for each frame, with a header that says where it \
            comes from; each line is on its way to the disk before the frame is handed on, so a recorder that is \
            killed loses nothing that the app has seen.

            Private keys, PINs, passwords, positions and texts are replaced line by line as they pass, the same ones by \
            the same others, so that a recording can be shown to others and still replays; --scrub-names replaces names \
            too, --keep-secrets nothing. The file is readable by you alone until you decide otherwise.

            Examples:
              meshbed record tcp --listen tcp://127.0.0.1:5005 \\
                --to tcp://192.168.4.1:5000 --story first-sync
              meshbed record serial --listen pty:./radio.tty --to serial:/dev/ttyUSB0 \\
                --output crash.capture
              meshbed record ble --output desk.capture

            Beside a Bluetooth adapter nothing stands between: 'record ble' reads along.

            Exit status: 0 after an interrupt or SIGTERM, 2 when it could not start or go on.
            """,
        subcommands: [RecordTCP.self, RecordSerial.self, RecordBLE.self])
}
