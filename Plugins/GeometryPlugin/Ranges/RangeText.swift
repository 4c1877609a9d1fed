internal import Transformable

/// Parses ranges from text.
enum RangeText {
    private static let layout = GeometryLayout(["location", "length"])

    static func parts(of range: String) throws(TransformerError) -> (location: Int, length: Int) {
        let text = range.utf8.span
        var scanner = TextScanner(layout)
        try scanner.demand(.openBrace, text)
        let location = try scanner.integer(text)
        try scanner.demand(.comma, text)
        scanner.skipSpaces(text)
        let start = scanner.offset
        let length = try scanner.integer(text)
        if let fault = rangeFault(location: location, length: length) {
            throw scanner.failure(fault, at: start)
        }
        try scanner.demand(.closeBrace, text)
        try scanner.demandEnd(text)
        return (location, length)
    }
}
