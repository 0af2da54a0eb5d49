@main struct Meshbed { static func main() {} }
