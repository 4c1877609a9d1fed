internal import ArgumentParser

/// The format of a listing.
struct ListingOptions: ParsableArguments {
    @Flag(help: "Write JSON.")
    var json = false
}
