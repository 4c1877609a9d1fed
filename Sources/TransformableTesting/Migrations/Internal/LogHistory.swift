internal import Foundation

/// The states of a database's write-ahead log while it was written.
///
/// The log only grows while a reader holds an older snapshot. Therefore, every prefix of the log is a state in which a
/// killed process may leave it. See “WAL-Index Format” and “The WAL File Format” in SQLite's documentation.
struct LogHistory {
    private static let headerCount = 32
    private static let frameHeaderCount = 24

    private let bytes: Data
    private let frameCount: Int
    /// The number of pages that were written.
    let count: Int
    /// The numbers of pages after which transactions were committed.
    let commits: [Int]

    init(_ log: Data) {
        bytes = log
        guard log.count >= Self.headerCount else {
            (frameCount, count, commits) = (0, 0, [])
            return
        }
        let number = { (offset: Int) in log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let pageCount = number(8) == 1 ? 65_536 : Int(number(8))
        frameCount = pageCount + Self.frameHeaderCount
        let salts = (number(16), number(20))
        var (count, commits) = (0, [Int]())
        while true {
            let frame = Self.headerCount + count * frameCount
            // Frames that remain from an earlier log have different salts.
            guard pageCount > 0, frame + frameCount <= log.count, (number(frame + 8), number(frame + 12)) == salts
            else {
                break
            }
            count += 1
            if number(frame + 4) != 0 { commits.append(count) }
        }
        (self.count, self.commits) = (count, commits)
    }

    /// A moment: the number of pages written, and whether half of another page was written.
    struct Moment: Hashable {
        let pages: Int
        let isTorn: Bool
    }

    /// Returns a sample of moments from first to last, starting with those around commits.
    func moments(_ limit: Int) -> [Moment] {
        guard limit > 0, count > 0 else { return [] }
        let around = commits.suffix(limit / 2)
            .flatMap { [Moment(pages: $0 - 1, isTorn: true), Moment(pages: $0, isTorn: false)] }
        let rest = max(1, limit - around.count)
        let spread = (0..<rest)
            .map { index in
                let pages = index * count / rest
                return Moment(pages: pages, isTorn: !index.isMultiple(of: 2))
            }
        return Set(around + spread).sorted { ($0.pages, $0.isTorn ? 1 : 0) < ($1.pages, $1.isTorn ? 1 : 0) }
    }

    /// Returns the contents of the log at a moment.
    func contents(at moment: Moment) -> Data {
        let end = Self.headerCount + moment.pages * frameCount + (moment.isTorn ? frameCount / 2 : 0)
        return bytes.prefix(moment.pages == 0 && !moment.isTorn ? 0 : end)
    }
}
