import Foundation

/// Bytes that a peer in C allocated; freed at the end, and copied only where they are checked.
struct PeerBytes: ~Copyable {
    private let start: UnsafeMutableRawPointer?
    private let count: Int

    /// Takes ownership of a peer's result.
    ///
    /// - Parameter body: Calls the peer, and notes how many bytes there are.
    init(_ body: (_ count: inout Int) -> UnsafeMutableRawPointer?) {
        var count = 0
        start = body(&count)
        self.count = count
    }

    deinit {
        free(start)
    }

    /// A copy of the bytes; nil if the peer failed.
    var data: Data? { start.map { Data(bytes: $0, count: count) } }

    /// Whether the peer succeeded.
    var isThere: Bool { start != nil }
}
