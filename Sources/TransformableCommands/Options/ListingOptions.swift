internal import ArgumentParser

/// The format of a listing.
package struct ListingOptions: ParsableArguments {
    @Flag(help: "Write JSON.")
    package var json = false
}
