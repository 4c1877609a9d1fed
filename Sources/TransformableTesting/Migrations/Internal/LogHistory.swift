internal import Foundation

/// What a database's log was at each moment while it was written.
///
/// A log only grows while somebody reads what was before it: its beginning up to any byte is what a process leaves that
/// is killed when it has written so much. See “WAL-Index Format” and “The WAL File Format” in SQLite's documentation.
struct LogHistory {
    private static let headerCount = 32
    private static let frameHeaderCount = 24

    private let bytes: Data
    private let frameCount: Int
    /// How many pages were written.
    let count: Int
    /// After how many pages a transaction was committed.
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
            // What an earlier log has left has other salts.
            guard pageCount > 0, frame + frameCount <= log.count, (number(frame + 8), number(frame + 12)) == salts
            else {
                break
            }
            count += 1
            if number(frame + 4) != 0 { commits.append(count) }
        }
        (self.count, self.commits) = (count, commits)
    }

    /// A moment: how many pages were written, and whether half of another one was.
    struct Moment: Hashable {
        let pages: Int
        let isTorn: Bool
    }

    /// Some moments from the first to the last, those around every commit first.
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

    /// The log at a moment.
    func contents(at moment: Moment) -> Data {
        let end = Self.headerCount + moment.pages * frameCount + (moment.isTorn ? frameCount / 2 : 0)
        return bytes.prefix(moment.pages == 0 && !moment.isTorn ? 0 : end)
    }
}
