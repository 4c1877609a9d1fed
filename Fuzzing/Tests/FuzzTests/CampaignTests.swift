import Foundation
import Testing
import Transformable
import _HostileInputs

@testable import fuzz  // An executable has no public interface.

/// Whether what breaks is found, named and kept.
///
/// One at a time: each forks, and measures processor time.
@Suite(.serialized) struct CampaignTests {
    struct Fault: CustomStringConvertible, Sendable {
        let description: String
        let decode: @Sendable (Data) throws -> Int
    }

    @Test(arguments: [
        Fault(description: "signal-4") { bytes in
            precondition(bytes.count < 20 || bytes[bytes.startIndex + 3] != 0xFF, "planted")
            return bytes.count
        },
        Fault(description: "slow") { bytes in
            while bytes.first == 0xFF {}
            return bytes.count
        },
        Fault(description: "hang") { bytes in
            while bytes.first == 0xFF { sleep(1) }
            return bytes.count
        },
        Fault(description: "memory") { bytes in
            let room = [UInt8](repeating: 1, count: bytes.first == 0xFF ? 1 << 30 : 1)
            return room.count > 1 << 29 ? 0 : bytes.count
        },
        Fault(description: "contradiction") { bytes in bytes.first == 0xFF ? -1 : bytes.count },
        Fault(description: "untyped-error") { bytes in
            guard bytes.first != 0xFF else { throw CocoaError(.coderInvalidValue) }
            return bytes.count
        },
    ])
    func keepsWhatBreaks(fault: Fault) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let findings = Findings(folder: folder)
        var campaign = Campaign(subjects: [subject(fault)], findings: findings, plan: plan)
        campaign.run()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "planted").path)
        #expect(findings.count > 0)
        #expect(names.allSatisfy { $0.hasPrefix("\(fault.description)-") })
    }

    @Test func findsNothingWhereNothingIs() {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let findings = Findings(folder: folder)
        var campaign = Campaign(
            subjects: [subject(Fault(description: "none", decode: \.count))],
            findings: findings,
            plan: plan
        )
        campaign.run()
        #expect(findings.count == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func shortensWhatTraps() {
        let fault = Fault(description: "trap") { bytes in
            precondition(!bytes.contains(0xAB), "planted")
            return bytes.count
        }
        let input = [UInt8](repeating: 1, count: 500) + [0xAB] + [UInt8](repeating: 2, count: 500)
        let shorter = Minimizer(subject(fault), plan.limits).minimized(input, cause: .signal(SIGILL))
        #expect(shorter == [0xAB])
    }

    private var plan: Plan {
        Plan(
            duration: .seconds(4),
            jobs: 1,
            seed: 1,
            limits: IsolationLimits(memory: 128 << 20, processorTime: .milliseconds(300), wallTime: .seconds(3))
        )
    }

    private func subject(_ fault: Fault) -> Subject {
        let transformer = FunctionTransformer<Int, Data>(
            encode: { count in
                guard count >= 0 else { throw TransformerError.invalidValue("a count is not negative") }
                return Data(count: count)
            },
            decode: fault.decode
        )
        return Subject("planted", transformer, seeds: [Array(0..<30)]) { Data($0) }
    }
}
