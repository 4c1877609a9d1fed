internal import ArgumentParser

/// How a listing is written.
struct ListingOptions: ParsableArguments {
    @Flag(help: "Write JSON.")
    var json = false
}
