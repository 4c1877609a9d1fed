import _HostileInputs

/// Random texts that are often equal but have different scalars.
struct RandomText {
    /// Composed, decomposed, marks in either order, singletons, Hangul, Bengali, Thai, Devanagari, joined emoji, line
    /// ends.
    private static let pieces = [
        "a", "b", "K", "\u{212A}", ";", "\u{37E}", "e", "\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "A\u{30A}",
        "\u{1EC7}",
        "e\u{323}\u{302}", "e\u{302}\u{323}", "\u{1EB9}\u{302}", "\u{EA}\u{323}", "\u{AC01}",
        "\u{1100}\u{1161}\u{11A8}",
        "\u{AC00}\u{11A8}", "\u{AC00}", "\u{9CB}", "\u{9C7}\u{9BE}", "\u{958}", "\u{915}\u{93C}",
        "\u{E1C}\u{E39}\u{E49}",
        "\u{E1C}\u{E49}\u{E39}", "👩‍👧", "👩", "\u{200D}", "\u{301}", "漢", "\u{F900}", "\u{8C48}", "\r\n", "\n", "\r", "\0",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A text of up to three pieces.
    mutating func next() -> String {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    mutating func maybe() -> String? {
        Int.random(in: 0..<8, using: &random) > 0 ? next() : nil
    }
}
