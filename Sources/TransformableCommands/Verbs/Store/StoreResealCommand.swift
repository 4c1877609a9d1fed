internal import ArgumentParser
internal import TransformableStore

/// `store reseal`: rewrites the values of attributes.
struct StoreResealCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reseal",
            abstract: "Rewrite the values of sealed attributes, or convert an attribute to a different transformer.",
            discussion: Help.lines(
                """
                After “keys rotate”, this command seals all values and rebuilds all keyed indexes with the \
                new key, and names the keys that no value uses any longer. Other programs can read and write \
                the store meanwhile. To resume after an interruption, run the same command again.

                With --to and --plain, a program that has the store open with the old model gets an error when \
                all values have been converted, and must open the store with the new expression. With --scrub, \
                the file is then rewritten and searched for samples of the old values, including their \
                projections.

                With --abort, interrupted re-encodings are aborted, and the values that they left in the \
                file are removed. With --dry-run, they are only listed.
                """,
                examples: [
                    .withKeys("store reseal clinic.sqlite --key-file clinic.keys"),
                    .withKeys(
                        "store reseal clinic.sqlite --attribute Patient.ssn --to 'text | sealed' --scrub --key-file clinic.keys"
                    ),
                    .withKeys("store reseal clinic.sqlite --attribute Patient.ssn --plain --key-file clinic.keys"),
                    .withKeys("store reseal clinic.sqlite --abort --scrub --key-file clinic.keys"),
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp("Rewrite only this attribute; can be repeated.", valueName: "entity.attribute")
    )
    var attributes: [String] = []

    @Option(
        help: ArgumentHelp("The expression to convert the attribute to.", valueName: "expression"),
        completion: .transformers
    )
    var to: String?

    @Flag(help: "Convert the attribute to plain values, without a transformer.")
    var plain = false

    @Flag(help: "Abandon interrupted re-encodings, and remove the values that they left in the file.")
    var abort = false

    @Flag(help: "Rewrite the file afterward to remove all old values, and search it for samples of them.")
    var scrub = false

    @Flag(help: "Change the transformer even if some values cannot be decoded; they keep their bytes.")
    var keepDamaged = false

    @Flag(help: "Show what would change, without changing anything.")
    var dryRun = false

    @OptionGroup var keys: Keys

    func validate() throws {
        if scrub, dryRun {
            throw ValidationError("--scrub rewrites the file, so it cannot be combined with --dry-run")
        }
        if to != nil, plain { throw ValidationError("--to and --plain cannot be combined") }
        if abort, to != nil || plain || keepDamaged {
            throw ValidationError("--abort cannot be combined with --to, --plain, or --keep-damaged")
        }
        if to != nil || plain, attributes.count != 1 {
            throw ValidationError("--to and --plain require exactly one --attribute")
        }
        for name in attributes where name.split(separator: ".", omittingEmptySubsequences: false).count != 2 {
            throw ValidationError("--attribute requires an entity and an attribute, as in Patient.ssn")
        }
    }

    private var target: Reencoding.Target {
        plain ? .plain : to.map { .transformer($0) } ?? .same
    }

    func run() throws {
        let session = Session.current
        if scrub { try file.address.requireScrubbing() }
        let work = try ResealingWork(file, keys, session, isRehearsal: dryRun)
        guard !abort else { return try work.abort(attributes, scrubs: scrub) }
        let named = attributes.map { $0.split(separator: ".").map(String.init) }
        let chosen = try named.isEmpty ? work.sealedAttributes() : named.map { ($0[0], $0[1]) }
        var canaries = Canaries()
        var failures: [StoreError] = []
        for (entity, attribute) in chosen {
            var reencoding = Reencoding(attribute, of: entity, to: target, keepsUndecodable: keepDamaged)
            reencoding.sampleCount = scrub ? 1000 : 0
            let report = try dryRun ? work.rehearse(reencoding) : work.reseal(reencoding)
            canaries.merge(report.canaries)
            failures += report.failures
        }
        if named.isEmpty { try work.tellOfUnavailable() }
        if named.isEmpty, !dryRun { try work.reauthenticateRows() }
        if scrub { try work.scrub(canaries) }
        if !dryRun { try work.tellOfKeys() }
        if let failure = failures.first { throw failure.isOfKeys ? failure : CommandError.left }
    }
}

extension StoreError {
    /// Whether a key is missing, refused, or wrong, so that the values themselves may be intact.
    fileprivate var isOfKeys: Bool { ExitStatus(for: self) == .noKey }
}

extension CommandError {
    fileprivate static let left = Self(.faultsFound, "values that cannot be decoded were left unchanged")
}
