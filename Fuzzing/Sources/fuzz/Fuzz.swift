import ArgumentParser
import Foundation
import Transformable
import _HostileInputs

/// Decodes damaged inputs for as long as asked, and keeps those that break a transformer.
@main struct Fuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decodes damaged inputs for as long as asked, and keeps those that break a transformer.",
        discussion: """
            Worker processes decode the inputs. If an input makes a worker trap, hang, or take too much memory, the \
            worker ends, the input is kept in the findings with the reason, and the run continues. A value that was \
            decoded must be encoded and decoded again without an error.

            fuzz rect --seconds 60
            fuzz 'keyed-archive' --seeds ~/archives --jobs 2
            fuzz --seconds 600            # every transformer that decodes, one after the other
            fuzz jpeg --input findings/jpeg/signal-4-1f3a.bin
            """
    )

    @Argument(help: "The expression. The default is every registered transformer that decodes.")
    var expression: String?

    @Option(help: "How long to run. The default is until it is interrupted.")
    var seconds: Int?

    @Option(help: "A folder of files to start with, in addition to the encodings of sample values.")
    var seeds: String?

    @Option(help: "The folder for inputs that break a transformer.")
    var findings = "fuzz-findings"

    @Option(help: "The seed of the random numbers. The same seed makes the same inputs.")
    var seed: UInt64 = 1

    @Option(help: "The number of workers that run at the same time.")
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)

    @Option(help: "The memory that decoding one input may take, in mebibytes.")
    var memory = 512

    @Option(help: "The processor time that decoding one input may take, in seconds.")
    var limit = 1.0

    @Option(help: "Decode only this file, in this process, and print the outcome.")
    var input: String?

    func validate() throws {
        guard jobs > 0, memory > 0, limit > 0, seconds ?? 1 > 0 else {
            throw ValidationError("--seconds, --jobs, --memory, and --limit must be greater than 0")
        }
        guard input == nil || expression != nil else {
            throw ValidationError("--input requires an expression")
        }
    }

    func run() throws {
        let subjects = try Subject.all(of: expression, seedFolder: seeds.map { URL(filePath: $0) })
        if let input {
            // One expression may serve several types.
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: input)))
            for subject in subjects {
                print(subject.trial(of: bytes))
            }
            return
        }
        let findings = Findings(folder: URL(filePath: findings))
        var campaign = Campaign(subjects: subjects, findings: findings, plan: plan)
        campaign.run()
        guard findings.count == 0 else { throw ExitCode(1) }
    }

    private var plan: Plan {
        Plan(
            duration: seconds.map { .seconds($0) },
            jobs: jobs,
            seed: seed,
            limits: IsolationLimits(
                memory: memory << 20,
                processorTime: .milliseconds(Int(limit * 1000)),
                wallTime: .seconds(10)
            )
        )
    }
}
