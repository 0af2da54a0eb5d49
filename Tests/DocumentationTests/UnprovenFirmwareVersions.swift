/// Statements of the article FirmwareVersions without a proof, and why there is none.
let unprovenFirmwareVersions: [String: String] = {
    let groups: [(reason: String, numbers: [Int])] = [
        (
            "it is about hardware or chips that are not emulated",
            [
                35, 36, 44, 45, 51, 84, 85, 103, 114, 136, 144,
            ]
        ),
        (
            "it is about 1.14.0 or 1.17.0, which are not offered",
            [
                30, 31, 32, 33, 37, 91, 93,
            ]
        ),
        (
            "it is an open question",
            [
                200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213,
            ]
        ),
        (
            "it is advice to clients, which no radio shows",
            [
                160, 161, 162, 163, 164, 165, 166, 167, 172, 173, 174, 175, 176, 177, 179,
            ]
        ),
        (
            "it follows from statements on single nodes",
            [
                180, 181, 184, 188, 189, 193, 195, 196, 197,
            ]
        ),
        (
            "it has no test of its own",
            [
                2, 7, 10, 11, 15, 21, 41, 49, 50, 64, 70, 83, 87, 102, 135, 140, 141, 142, 143, 153, 221,
            ]
        ),
    ]
    return groups.reduce(into: [:]) { exempt, group in
        for number in group.numbers {
            let digits = String(number)
            exempt["FWV-" + String(repeating: "0", count: 3 - digits.count) + digits] = group.reason
        }
    }
}()
