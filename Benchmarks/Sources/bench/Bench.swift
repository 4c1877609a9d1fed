import Foundation

/// `bench [filter …] [--rounds N] [--round-time MS] [--json] [--list]`: measures us beside others.
///
/// A scenario runs if its area and name contain one of the filters; without any, all run.
@main
struct Bench {
    static var areas: [Area] { [.geometry, .encryption, .store] }

    static func main() {
        do {
            try run(Options(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(error is UsageError ? 64 : 1)
        }
    }

    private static func run(_ options: Options) throws {
        #if DEBUG
        FileHandle.standardError.write(Data("bench: a debug build; figures mean nothing without -c release\n".utf8))
        #endif
        let runner = Runner(rounds: options.rounds, roundTime: options.roundTime)
        var outcomes: [Outcome] = []
        if !options.isJSON, !options.isList {
            print(Report.header)
        }
        for area in areas {
            for scenario in area.scenarios where options.admits("\(area.name): \(scenario.name)") {
                if options.isList {
                    print("\(area.name): \(scenario.name)")
                    continue
                }
                let outcome = try runner.run(scenario, of: area.name)
                outcomes.append(outcome)
                if !options.isJSON {
                    print(Report.lines(outcome).joined(separator: "\n"))
                }
            }
        }
        if options.isJSON {
            print(try Report.json(outcomes))
        }
    }
}
