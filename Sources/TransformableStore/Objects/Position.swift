/// Where an object stands among others: far enough from its neighbours that some fit between.
enum Position {
    static let step: Int64 = 1 << 16

    /// A position between two; nil if there is none left.
    static func between(_ before: Int64?, _ after: Int64?) -> Int64? {
        positions(1, between: before, after)?.first
    }

    /// Positions that rise between two, as far from each other as they can be; nil if there are not as many.
    ///
    /// - Parameters:
    ///   - count: How many, one at least.
    ///   - before: What they are greater than; nil if nothing is before them.
    ///   - after: What they are less than; nil if nothing is after them.
    ///   - room: How far they are from each other at least.
    /// - Returns: The positions.
    static func positions(
        _ count: Int,
        between before: Int64?,
        _ after: Int64?,
        room: Int64 = 1
    ) -> [Int64]? {
        let count = Int64(count)
        var distance = step
        if let before, let after {
            let (gap, overflows) = after.subtractingReportingOverflow(before)
            guard !overflows, gap / (count + 1) >= room else { return nil }
            distance = gap / (count + 1)
        }
        let (span, isLong) = distance.multipliedReportingOverflow(by: count)
        guard
            let start = before ?? after.flatMap({ subtract(span + distance, from: $0) })
                ?? (after == nil ? 0 : nil)
        else { return nil }
        guard !isLong, !start.addingReportingOverflow(span).overflow else { return nil }
        return (1...count).map { start + $0 * distance }
    }

    private static func subtract(_ span: Int64, from position: Int64) -> Int64? {
        let (start, overflows) = position.subtractingReportingOverflow(span)
        return overflows ? nil : start
    }
}
