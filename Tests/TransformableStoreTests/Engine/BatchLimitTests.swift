import Testing

@testable import TransformableStore  // Batches are internal.

@Suite struct BatchLimitTests {
    // By hand: 4 rows of 1,000 bytes leave room for 96 others in 100,000 bytes, and 4 rows of 10 bytes for 9,996.
    @Test(arguments: [
        (0, 0, 4), (4, 4000, 96), (4, 40, 496), (2, 60_000, 1), (1, 100_000, 0), (500, 5000, 0), (4, 0, 496),
    ])
    func asksForRowsThatFit(count: Int, size: Int, expected: Int) {
        #expect(BatchLimit(rows: 500, bytes: 100_000).next(after: count, size) == expected)
    }
}
