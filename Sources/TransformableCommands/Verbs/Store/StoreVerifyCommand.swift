internal import ArgumentParser
internal import Synchronization
internal import Transformable
internal import TransformableStore

/// `store verify`: checks the integrity of a store.
struct StoreVerifyCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract: "Check a store: its file, every value, and every external blob.",
            discussion: Help.lines(
                """
                Lists damaged and missing values and files, and exits with status 1 if there are any. Values \
                that are sealed with a key that is not given, or whose transformer is not available, are \
                counted but are not considered damaged. The files of such values are compared with their checksums \
                all the same. Authenticated rows are checked only with a key.

                With the key of the store's seal, an authenticated row that names an unknown key counts as a \
                fault, and so does a value that names an unknown key if the key file has the attribute's key: \
                either the key file is outdated, or someone changed the row or value without the key.
                """,
                examples: [
                    "store verify clinic.sqlite",
                    .withKeys("store verify clinic.sqlite --key-file clinic.keys --json"),
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument
    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let (store, registry) = try file.openForReading(keys, session)
        defer { try? store.close() }
        file.noteUncheckedRows(of: store, registry, session)
        let progress = Mutex(Progress(session))
        let found = try store.verify { count in progress.withLock { $0.show(count) } }
        progress.withLock { $0.end() }
        let report = VerificationReport(found)
        try listing.json ? session.print(json: report) : session.print(report.text)
        guard found.isSound else {
            throw CommandError(.faultsFound, "the store has \(found.faultCount.counted("fault"))")
        }
    }
}

/// The output of a verification.
private struct VerificationReport: Encodable {
    struct Fault: Encodable {
        let code: String
        let entity: String?
        let attribute: String?
        let id: Int64?
        let message: String
    }

    struct Unreadable: Encodable {
        let entity: String
        let attribute: String
        let count: Int
        let reason: String
        // Omitted if no key is missing, or if it is not known which.
        let keys: [String]?
        /// The numbers of the first objects.
        let ids: [Int64]

        init(_ cells: Verification.Unreadable) {
            entity = cells.entity
            attribute = cells.attribute
            count = cells.count
            reason = CellFailure(cells.error).rawValue
            keys = cells.keys.isEmpty ? nil : cells.keys
            ids = cells.objects
        }

        var text: String {
            guard reason == CellFailure.sealed.rawValue else {
                return "\(entity).\(attribute): \(count) not readable here (\(reason))"
            }
            let named = keys ?? []
            let key = named.isEmpty ? "a key" : "the key\(named.count == 1 ? "" : "s") \(named.joined(separator: ", "))"
            let list = ids.map { "\($0)" }.joined(separator: ", ") + (count > ids.count ? ", …" : "")
            return """
                \(entity).\(attribute): \(count.counted("value")) could not be checked, because \(key) \
                \(named.count > 1 ? "are" : "is") missing (object\(count == 1 ? "" : "s") \(list))
                """
        }
    }

    let objects: Int
    let blobs: Int
    let orphanedBlobs: Int
    let faultCount: Int
    let faults: [Fault]
    let unreadable: [Unreadable]
    // Omitted if there are none.
    let outdatedProjections: [String]?
    let unfinishedReencodings: [UnfinishedReport]?
    let revealingProjections: [String]?

    init(_ found: Verification) {
        objects = found.objectCount
        blobs = found.blobCount
        orphanedBlobs = found.orphanedBlobCount
        faultCount = found.faultCount
        faults = found.faults.map { error in
            Fault(
                code: error.code.rawValue,
                entity: error.entity,
                attribute: error.attribute,
                id: error.object?.number,
                message: "\(error)"
            )
        }
        outdatedProjections = found.outdatedProjections.isEmpty ? nil : found.outdatedProjections
        let unfinished = found.unfinishedReencodings.map(UnfinishedReport.init)
        unfinishedReencodings = unfinished.isEmpty ? nil : unfinished
        revealingProjections = found.revealingProjections.isEmpty ? nil : found.revealingProjections
        unreadable = found.unreadable.map(Unreadable.init)
    }

    var text: String {
        var lines = faults.map(\.message)
        if faultCount > faults.count { lines.append("and \((faultCount - faults.count).counted("more fault"))") }
        lines += unreadable.map(\.text)
        lines += (outdatedProjections ?? [])
            .map { "\($0): computed by a different expression, so conditions cannot use it" }
        lines += (unfinishedReencodings ?? []).map(\.message)
        lines += (revealingProjections ?? [])
            .map { "\($0): reveals values of a confidential attribute, which the model does not allow" }
        if orphanedBlobs > 0 { lines.append("blobs that no object refers to: \(orphanedBlobs)") }
        return (lines + ["\(objects.counted("object")), \(blobs.counted("external blob")): \(state)"])
            .map(\.onOneLine).joined(separator: "\n")
    }

    private var state: String {
        guard faultCount == 0 else { return faultCount.counted("fault") }
        return unreadable.isEmpty ? "sound" : "no faults in what could be checked"
    }
}

/// The JSON description of an unfinished re-encoding.
private struct UnfinishedReport: Encodable {
    let entity: String
    let attribute: String
    let waiting: Int
    let isExposed: Bool
    let message: String

    init(_ unfinished: UnfinishedReencoding) {
        entity = unfinished.entity
        attribute = unfinished.attribute
        waiting = unfinished.waitingCount
        isExposed = unfinished.isExposed
        message = unfinished.description.onOneLine
    }
}
