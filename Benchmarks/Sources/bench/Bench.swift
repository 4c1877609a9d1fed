import Foundation

/// Measures us beside others.
///
/// `bench [FILTER …] [--rounds N] [--round-time MILLISECONDS] [--processor-time] [--json] [--list]`
///
/// A scenario runs if its area and name contain one of the filters; without any, all run. The table has
/// the median of the rounds, our time by the peer's, and how far half of the rounds are from the median.
@main
struct Bench {
    static var areas: [Area] { [.standard, .geometry, .keyedArchive, .image, .encryption, .store] }

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
        let runner = Runner(rounds: options.rounds, roundTime: options.roundTime, clock: options.clock)
        var outcomes: [Outcome] = []
        if !options.isJSON, !options.isList {
            write(Report.header)
        }
        for area in areas {
            for scenario in area.scenarios where options.admits("\(area.name): \(scenario.name)") {
                if options.isList {
                    write("\(area.name): \(scenario.name)")
                    continue
                }
                let outcome = try runner.run(scenario, of: area.name)
                outcomes.append(outcome)
                if !options.isJSON {
                    write(Report.lines(outcome).joined(separator: "\n"))
                }
            }
        }
        if options.isJSON {
            write(try Report.json(outcomes))
        }
    }

    /// Writes at once, so that a line shows when its figures are there, in a pipe as well.
    private static func write(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
}
