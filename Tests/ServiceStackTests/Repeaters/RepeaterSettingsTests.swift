import Testing

@testable import PocketMeshServices

@Suite struct RepeaterSettingsTests {
    @Test(arguments: [("48.137154", 48.137154), ("-11.5", -11.5), ("0.0", 0)])
    func `degrees are read as a node prints them`(text: String, degrees: Double) {
        #expect(RepeaterSettings.degrees(commandLine: text) == degrees)
    }

    @Test(arguments: ["", "north", "nan", "inf", "-inf", "1e999"])
    func `a text that is no finite number is no degrees`(text: String) {
        #expect(RepeaterSettings.degrees(commandLine: text) == nil)
    }
}
