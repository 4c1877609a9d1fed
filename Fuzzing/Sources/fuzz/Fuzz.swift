import ArgumentParser
import Foundation
import Transformable
import _HostileInputs

/// Decodes damaged inputs for as long as asked, and keeps those that break a transformer.
@main struct Fuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decodes damaged inputs for as long as asked, and keeps those that break a transformer.",
        discussion: """
            A worker process decodes; what traps, hangs, or takes too much memory ends the worker, and the input is \
            left in the findings with the reason. The run then goes on. What decodes must encode and decode again.

            fuzz rect --seconds 60
            fuzz 'keyed-archive' --seeds ~/archives --jobs 2
            fuzz --seconds 600            # all transformers that decode, in turn
            fuzz jpeg --input findings/jpeg/signal-4-1f3a.bin
            """
    )

    @Argument(help: "The expression; all registered transformers that decode where there is none.")
    var expression: String?

    @Option(help: "How long to run; until interrupted where it is left out.")
    var seconds: Int?

    @Option(help: "A folder of files to begin with, besides the encodings of sample values.")
    var seeds: String?

    @Option(help: "The folder for inputs that break something.")
    var findings = "fuzz-findings"

    @Option(help: "Where randomness begins; equal seeds mutate alike.")
    var seed: UInt64 = 1

    @Option(help: "How many workers run at once.")
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)

    @Option(help: "Mebibytes of memory that decoding one input may take.")
    var memory = 512

    @Option(help: "Seconds of processor time that decoding one input may take.")
    var limit = 1.0

    @Option(help: "Decode this one file in this process, and say what comes of it.")
    var input: String?

    func validate() throws {
        guard jobs > 0, memory > 0, limit > 0, seconds ?? 1 > 0 else {
            throw ValidationError("--seconds, --jobs, --memory and --limit are more than 0")
        }
        guard input == nil || expression != nil else {
            throw ValidationError("--input needs an expression to decode with")
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
