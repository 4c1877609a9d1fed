import Foundation

/// Compares this library with others.
///
/// `bench [FILTER …] [--rounds N] [--round-time MILLISECONDS] [--processor-time] [--json] [--list]`
///
/// A scenario runs if its area and name contain one of the filters; without any, all run. The table has
/// the median of the rounds, our time divided by the peer's, and the median deviation of the rounds.
@main
struct Bench {
    static var areas: [Area] { [.standard, .geometry, .keyedArchive, .image, .encryption, .store, .postgres] }

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
        if let footprint = options.footprint {
            return try measure(footprint)
        }
        let runner = Runner(rounds: options.rounds, roundTime: options.roundTime, clock: options.clock)
        var outcomes: [any Encodable] = []
        if !options.isJSON, !options.isList {
            write(Report.header)
        }
        func add<Result: Encodable>(_ name: String, _ measure: () throws -> Result, _ lines: (Result) -> [String])
            throws
        {
            guard options.admits(name) else { return }
            if options.isList { return write(name) }
            let outcome = try measure()
            outcomes.append(outcome)
            if !options.isJSON { write(lines(outcome).joined(separator: "\n")) }
        }
        for area in areas {
            for scenario in area.scenarios {
                try add("\(area.name): \(scenario.name)", { try runner.run(scenario, of: area.name) }, Report.lines)
            }
            for footprint in area.footprints {
                try add("\(area.name): \(footprint.name)", { try footprint.run(of: area.name) }, { [Report.line($0)] })
            }
        }
        if options.isJSON {
            write(try Report.json(outcomes))
        }
    }

    /// Measures one footprint, and writes its figures as JSON for the process that asked.
    private static func measure(_ name: String) throws {
        for area in areas {
            for footprint in area.footprints where "\(area.name): \(footprint.name)" == name {
                let bytes = try footprint.measure()
                write(String(decoding: try JSONEncoder().encode(bytes), as: UTF8.self))
            }
        }
    }

    /// Writes without buffering, so that each line appears as soon as its figures are ready, even in a pipe.
    private static func write(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
}
