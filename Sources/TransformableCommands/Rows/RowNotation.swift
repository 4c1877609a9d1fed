internal import ArgumentParser

/// How rows are written.
enum RowNotation {
    case table
    case json
    case csv
}

/// How rows are to be written.
struct RowOptions: ParsableArguments {
    @Flag(help: "Write JSON, an object on a line.")
    var json = false

    @Flag(help: "Write comma-separated values (RFC 4180).")
    var csv = false

    var notation: RowNotation {
        json ? .json : csv ? .csv : .table
    }

    func validate() throws {
        if json, csv { throw ValidationError("--json and --csv cannot both be given") }
    }
}
