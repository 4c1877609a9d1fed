import Testing

// Work on several threads is internal.
@testable import TransformableStore

@Suite struct SharedWorkTests {
    private final class Product: Sendable {}

    /// If all threads are busy, the queue keeps the work of a whole fetch until one of them is free.
    @Test func doesNotKeepItsResult() {
        let work = SharedWork { Product() }
        weak let product = work.result()
        #expect(product == nil)
        withExtendedLifetime(work) {}
    }
}
