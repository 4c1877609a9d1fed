import Testing

// The log of changes is internal.
@testable import TransformableStore

struct UndoLogTests {
    private func key(_ number: Int) -> PairEdits.Key {
        PairEdits.Key(TableName("_pairs"), own: .first, Int64(number), 1)
    }

    /// Looking through all groups for each joined change would take minutes.
    @Test(.timeLimit(.minutes(1))) func joinsManyChangesToEarlierOnes() {
        let count = 20_000
        var log = UndoLog()
        for number in 0..<count { log.add(.pair(key(number), nil)) }
        for number in 0..<count {
            log.begin()
            log.add(.pair(key(count + number), nil))
            log.endJoined(to: [.pair(key(number))])
        }
        #expect(log.done.count == count)
        #expect(log.done.allSatisfy { $0.count == 2 })
    }

    @Test func joinsAChangeToTheLastGroupWithItsPlace() {
        var log = UndoLog()
        for number in [0, 1, 0, 2] { log.add(.pair(key(number), nil)) }
        log.begin()
        log.add(.pair(key(3), nil))
        log.endJoined(to: [.pair(key(0))])
        #expect(log.done.map(\.count) == [1, 1, 2, 1])
        // A later group has changed what the new step changes.
        log.begin()
        log.add(.pair(key(2), nil))
        log.endJoined(to: [.pair(key(3))])
        #expect(log.done.map(\.count) == [1, 1, 2, 2])
        let last = log.takeDone()
        #expect(last?.count == 2)
        log.begin()
        log.add(.pair(key(2), nil))
        log.endJoined()
        #expect(log.done.map(\.count) == [1, 1, 3])
    }
}
