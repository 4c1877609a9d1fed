import Foundation
import Glibc
import Testing
import _HostileInputs

@Suite struct IsolatedRunTests {
    private let limits = IsolationLimits(memory: 64 << 20, processorTime: .milliseconds(200), wallTime: .seconds(60))

    private func run(
        atMost casualties: Int = 8,
        _ work: (Steps, Logbook) -> Void
    ) throws -> (records: [String], casualties: [IsolatedRun.Casualty]) {
        let logbook = try Logbook(noteCapacity: 100, recordCapacity: 1000)
        let run = IsolatedRun(limits: limits, maximumCasualties: casualties)
        let dead = try run.run(logbook) { work($0, logbook) }
        return (records: logbook.records.map { String(decoding: $0, as: UTF8.self) }, casualties: dead)
    }

    @Test func keepsRecords() throws {
        let (records, casualties) = try run { steps, logbook in
            steps.phase("first") { logbook.append(Array("a".utf8)) }
            steps.phase("second") {
                steps.step("one") { logbook.append([]) }
                steps.step("two") { logbook.append(Array("größe".utf8)) }
            }
        }
        #expect(records == ["a", "", "größe"])
        #expect(casualties.isEmpty)
    }

    @Test func continuesAfterAStepThatCrashes() throws {
        let (records, casualties) = try run { steps, logbook in
            steps.phase("phase") {
                for index in 0..<4 {
                    steps.step("step \(index)") {
                        precondition(index != 1, "planted")
                        logbook.append(Array("\(index)".utf8))
                    }
                }
            }
            steps.phase("last") { logbook.append(Array("last".utf8)) }
        }
        #expect(records == ["0", "2", "3", "last"])
        #expect(casualties.map(\.note) == ["step 1"])
        #expect(casualties.first?.message.contains("planted") == true)
        #expect(casualties.first?.cause == .signal(SIGILL) || casualties.first?.cause == .signal(SIGTRAP))
    }

    @Test func skipsAPhaseWhosePreparationCrashes() throws {
        let (records, casualties) = try run { steps, logbook in
            steps.phase("deadly") {
                abort()
            }
            steps.phase("next") { logbook.append(Array("next".utf8)) }
        }
        #expect(records == ["next"])
        #expect(casualties.map(\.note) == ["deadly"])
        #expect(casualties.map(\.cause) == [.signal(SIGABRT)])
    }

    @Test(arguments: [0, 7] as [Int32])
    func continuesAfterAStepThatExits(with status: Int32) throws {
        let (records, casualties) = try run { steps, logbook in
            steps.phase("phase") {
                steps.step("exits") { exit(status) }
                steps.step("next") { logbook.append(Array("next".utf8)) }
            }
        }
        #expect(records == ["next"])
        #expect(casualties.map(\.note) == ["exits"])
        #expect(casualties.map(\.cause) == [.exit(status)])
    }

    @Test func limitsProcessorTime() throws {
        let (_, casualties) = try run { steps, _ in
            steps.phase("phase") { steps.step("busy") { while getpid() > 0 {} } }
        }
        #expect(casualties.map(\.cause) == [.processorTime])
    }

    @Test func limitsMemory() throws {
        let (_, casualties) = try run { steps, _ in
            steps.phase("phase") {
                steps.step("hungry") { precondition([UInt8](repeating: 1, count: 1 << 30).count > 0) }
            }
        }
        #expect(casualties.map(\.cause) == [.memory])
    }

    @Test func stopsAfterTooManyCrashes() throws {
        let (_, casualties) = try run(atMost: 3) { steps, _ in
            steps.phase("phase") {
                for index in 0..<10 {
                    steps.step("\(index)") { abort() }
                }
            }
        }
        #expect(casualties.map(\.note) == ["0", "1", "2"])
    }

    @Test func dropsRecordsThatDoNotFit() throws {
        let (records, _) = try run { steps, logbook in
            steps.phase("phase") {
                logbook.append([UInt8](repeating: 0x61, count: 900))
                logbook.append([UInt8](repeating: 0x62, count: 900))
                logbook.append(Array("c".utf8))
            }
        }
        #expect(records.map(\.count) == [900, 1])
    }

    /// The reader of a pipe waits until the last writer has closed it, and a child must not be one of them.
    @Test func childrenCloseTheFilesOfTheirParent() throws {
        let pipe = Pipe()
        let child = try ChildProcess(memory: 64 << 20) { sleep(60) }
        defer {
            child.kill()
            while child.poll() == nil { usleep(1000) }
        }
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == nil)
    }
}
