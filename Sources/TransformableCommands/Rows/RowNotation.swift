internal import ArgumentParser

/// The format of rows.
enum RowNotation {
    case table
    case json
    case csv
}

/// Options for the format of rows.
struct RowOptions: ParsableArguments {
    @Flag(help: "Write JSON, with one object per line.")
    var json = false

    @Flag(help: "Write comma-separated values (RFC 4180).")
    var csv = false

    var notation: RowNotation {
        json ? .json : csv ? .csv : .table
    }

    func validate() throws {
        if json, csv { throw ValidationError("--json and --csv cannot be combined") }
    }
}
