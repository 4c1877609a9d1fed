internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// `store reseal`: an attribute's values, written anew.
struct StoreResealCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reseal",
            abstract: "Write the values of sealed attributes anew, or those of one attribute by another transformer.",
            discussion: Help.lines(
                """
                After “keys rotate” it seals and indexes everything under the new key, and says which keys nothing \
                needs any more. Others may read and write meanwhile. What is interrupted goes on where it was when \
                the same is asked for again. With --to, programs that have the store open by the old model are told \
                that it has changed when all values are there. With --scrub the file is then rewritten, and searched \
                for samples of the old values, also as projections show them.

                With --abort, re-encodings that were interrupted are given up, and the values that they have left in the \
                file are removed; with --dry-run these are only named.
                """,
                examples: [
                    "store reseal clinic.sqlite --key-file clinic.keys",
                    "store reseal clinic.sqlite --attribute Patient.ssn --to 'text | sealed' --scrub",
                    "store reseal clinic.sqlite --attribute Patient.ssn --plain",
                    "store reseal clinic.sqlite --abort --scrub --key-file clinic.keys",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp("Only this attribute; may be given several times.", valueName: "entity.attribute")
    )
    var attributes: [String] = []

    @Option(
        help: ArgumentHelp("The transformer that writes the attribute from now on.", valueName: "expression"),
        completion: .transformers
    )
    var to: String?

    @Flag(help: "Write the attribute without any transformer from now on.")
    var plain = false

    @Flag(help: "Give up what was interrupted, and remove the values that it has left.")
    var abort = false

    @Flag(help: "Rewrite the file afterwards so that no old value is left in it, and search it for some.")
    var scrub = false

    @Flag(help: "Exchange the transformer although some values cannot be decoded; they keep their bytes.")
    var keepDamaged = false

    @OptionGroup var change: DryRunOption
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if scrub, change.dryRun { throw ValidationError("--scrub rewrites the file, so leave out --dry-run") }
        if to != nil, plain { throw ValidationError("--to and --plain cannot be given together") }
        if abort, to != nil || plain || keepDamaged {
            throw ValidationError("--abort goes with none of --to, --plain and --keep-damaged")
        }
        if to != nil || plain, attributes.count != 1 {
            throw ValidationError("--to and --plain need one --attribute")
        }
        for name in attributes where name.split(separator: ".", omittingEmptySubsequences: false).count != 2 {
            throw ValidationError("--attribute is an entity and an attribute, as in Patient.ssn")
        }
    }

    private var target: Reencoding.Target {
        plain ? .plain : to.map { .transformer($0) } ?? .same
    }

    func run() throws {
        let session = Session.current
        guard access(file.store, R_OK) == 0 else { throw CommandError.cannotRead(file.store, errno) }
        let work = try ResealingWork(file, keys, session)
        guard !abort else { return try work.abort(attributes, isRehearsal: change.dryRun, scrubs: scrub) }
        let named = attributes.map { $0.split(separator: ".").map(String.init) }
        let chosen = try named.isEmpty ? work.sealedAttributes() : named.map { ($0[0], $0[1]) }
        var canaries = Canaries()
        var failures: [StoreError] = []
        for (entity, attribute) in chosen {
            var reencoding = Reencoding(attribute, of: entity, to: target, keepsUndecodable: keepDamaged)
            reencoding.sampleCount = scrub ? 1000 : 0
            let report = try change.dryRun ? work.rehearse(reencoding) : work.reseal(reencoding)
            canaries.merge(report.canaries)
            failures += report.failures
        }
        if scrub { try work.scrub(canaries) }
        if !change.dryRun { try work.tellOfKeys() }
        if let failure = failures.first { throw failure.isOfKeys ? failure : CommandError.left }
    }
}

extension StoreError {
    /// Whether a key is missing, refused or wrong, so that not the values are at fault.
    fileprivate var isOfKeys: Bool { ExitStatus(for: self) == .noKey }
}

extension CommandError {
    fileprivate static let left = Self(.faultsFound, "values that cannot be decoded are left as they were")
}
