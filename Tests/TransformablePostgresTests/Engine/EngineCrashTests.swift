import Foundation
import Synchronization
import Testing
import TransformableModel
import TransformableStore
import _PostgresServer

/// After the server crashed under load, a store contains everything that was reported as committed, and nothing else.
@Suite(.needsPostgres) struct EngineCrashTests {
    private static let crashes =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_CRASH_RUNS"].flatMap { Int($0) } ?? 3

    /// How a thread writes.
    private enum Way: CaseIterable {
        case block
        case context
        case bulk
    }

    /// What writers reported.
    private struct Ledger {
        var committed: Set<Int64> = []
        var unknown: Set<Int64> = []
        var unexpected: [String] = []
        var isOver = false
    }

    @Test func keepsWhatWasReportedAsCommitted() throws {
        let server = try PostgresServer()
        let place = try EngineStore(at: server.address)
        let ledger = Mutex(Ledger())
        let stores = try Way.allCases.map { _ in try place.open() }
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: Way.allCases.count + 1) { thread in
            guard thread == 0 else {
                return Self.write(Way.allCases[thread - 1], Int64(thread) << 32, stores[thread - 1], ledger)
            }
            do {
                for _ in 0..<Self.crashes {
                    Thread.sleep(forTimeInterval: .random(in: 0.1...0.4))
                    try server.crash()
                }
            } catch let error {
                failure.withLock { $0 = error }
            }
            ledger.withLock { $0.isOver = true }
        }
        #expect(failure.withLock { $0 == nil })
        let numbers = try place.open()
            .read { context in try context.fetch("Part").map { try $0.value("number", as: Int64.self) } }
        let pairs = Dictionary(grouping: numbers, by: \.self).mapValues(\.count)
        ledger.withLock { ledger in
            #expect(ledger.unexpected == [])
            #expect(!ledger.committed.isEmpty)
            #expect(ledger.committed.subtracting(pairs.keys) == [])
            #expect(Set(pairs.keys).subtracting(ledger.committed).subtracting(ledger.unknown) == [])
            #expect(pairs.values.allSatisfy { $0 == 2 })
            print("\(Self.crashes) crashes: \(ledger.committed.count) commits, \(ledger.unknown.count) unknown")
        }
    }

    /// The server forgets that it has given out the numbers of a transaction that it lost.
    @Test func numbersOfALostTransactionAreNotUsed() throws {
        let server = try PostgresServer()
        let place = try EngineStore(at: server.address)
        let (store, other) = (try place.open(), try place.open())
        let insert = { (store: Store, count: Int) in
            try store.write { context in
                for _ in 0..<count { try context.insert("Part").setValue(1 as Int64, for: "number") }
            }
        }
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                try context.insert("Part").setValue(1 as Int64, for: "number")
                try server.crash()
            }
        }
        #expect([.connectionLost, .outcomeUnknown].contains(error?.code))
        try insert(store, 3)
        try insert(other, 10)
        #expect(try store.read { try $0.count("Part") } == 13)
    }

    /// Inserts pairs of parts with the same number until the ledger says that it is over.
    private static func write(_ way: Way, _ first: Int64, _ store: Store, _ ledger: borrowing Mutex<Ledger>) {
        var number = first
        while !ledger.withLock({ $0.isOver }) {
            number += 1
            do {
                try insert(number, way, store)
                ledger.withLock { _ = $0.committed.insert(number) }
            } catch {
                ledger.withLock { record(error, for: number, in: &$0) }
            }
        }
    }

    private static func insert(_ number: Int64, _ way: Way, _ store: Store) throws {
        let pair = { (context: StoreContext) in
            for _ in 0..<2 { try context.insert("Part").setValue(number, for: "number") }
        }
        switch way {
        case .block: try store.write(pair)
        case .context:
            let context = store.makeContext()
            try pair(context)
            try context.save()
        case .bulk: try store.insert(many: [number, number], into: "Part") { try $0.setValue($1, for: "number") }
        }
    }

    private static func record(_ error: any Error, for number: Int64, in ledger: inout Ledger) {
        switch (error as? StoreError)?.code {
        case .outcomeUnknown: ledger.unknown.insert(number)
        case .connectionLost, .connectionFailed, .busy: break
        default: ledger.unexpected.append("\(error)")
        }
    }
}
