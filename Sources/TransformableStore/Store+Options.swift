public import Logging

extension Store {
    /// How a store is opened.
    public struct Options: Sendable, Hashable {
        /// What becomes of a file that is or is not there.
        public enum Opening: Sendable, Hashable {
            /// Opens the file, or makes it.
            case createIfMissing
            /// Makes the file; one that is there is an error.
            case create
            /// Opens the file; none is an error.
            case mustExist
            /// Opens the file and never writes: nothing is migrated, computed again, or noted as current.
            ///
            /// SQLite's own files beside it are made if they are missing and their folder allows that. They are removed
            /// when the store is closed.
            case readOnly
        }

        /// What becomes of attributes whose transformer cannot be used in this program.
        public enum Unresolved: Sendable, Hashable {
            /// Opening fails and names them all.
            case refuse
            /// Their cells keep their bytes, and reading or writing such an attribute is an error.
            case keepBytes
        }

        /// When a failed decoding, which leaves the bytes as they are, is reported.
        public enum Quarantine: Sendable, Hashable {
            /// The `read` or `write` in which it happened throws at its end, so that nothing is saved that may be made of what
            /// the accessor gave instead; in a context for editing the next save does, even if there is nothing to write, and
            /// the one after that goes ahead.
            case fail
            /// Only a program that asks, by ``ManagedObject/failure(of:)``, learns of it; all else is shown and saved as usual.
            ///
            /// The bytes that cannot be decoded stay as they are. What the accessor gave instead is a value like any other,
            /// though: a program that puts it, or something made of it, into another attribute or object saves it there.
            /// So read what is to be copied by a call that throws, `try ward.$beds.value()` or
            /// `try object.value("beds", as: Int.self)`.
            case report
        }

        /// What becomes of a column that another transformer wrote than the one that the model states.
        public enum ChangedTransformers: Sendable, Hashable {
            /// Opening fails and names both.
            case refuse
            /// Its values are re-encoded before the store is open: see `Store.reencode(_:progress:)`.
            case reencode
        }

        /// What becomes of a file that is or is not there.
        public var opening: Opening
        /// What becomes of attributes whose transformer cannot be used in this program.
        public var unresolved: Unresolved
        /// When a failed decoding in an accessor that cannot throw is reported.
        public var quarantine: Quarantine
        /// How many seconds a writer waits for another process.
        public var busyTimeout: Double
        /// What becomes of a column that another transformer wrote than the one that the model states.
        public var changedTransformers: ChangedTransformers
        /// Whether the file's model and tables are taken as they are, although their seal is missing or that of other ones.
        ///
        /// A store that is opened for writing with a secret key is sealed as it is then. Set this once, for a file that you trust:
        /// one that was made before there were seals, or that you have changed yourself.
        public var acceptingModel: Bool
        /// Whether the program's model must be that of the file, which is not brought to a newer version.
        package var pinsModel = false
        /// Whether a store that is open for reading only is closed within moments, as by a command.
        package var isBrief = false
        /// Told of migrations, quarantines and sweeps, by names and numbers and never by values.
        public var logger: Logger?
        /// Whether the model is the file's own, whose projections may be older than the rule that they need a key.
        var acceptsRevealing = false

        /// Makes options.
        ///
        /// - Parameters:
        ///   - opening: What becomes of a file that is or is not there.
        ///   - unresolved: What becomes of attributes whose transformer cannot be used in this program.
        ///   - quarantine: When a failed decoding in an accessor that cannot throw is reported.
        ///   - busyTimeout: How many seconds a writer waits for another process.
        ///   - changedTransformers: What becomes of a column that another transformer wrote than the one that the
        ///     model states.
        ///   - acceptingModel: Whether the file's model and tables are taken as they are, although their seal is missing or
        ///     that of other ones.
        ///   - logger: Told of migrations, quarantines and sweeps.
        public init(
            opening: Opening = .createIfMissing,
            unresolved: Unresolved = .refuse,
            quarantine: Quarantine = .fail,
            busyTimeout: Double = 5,
            changedTransformers: ChangedTransformers = .refuse,
            acceptingModel: Bool = false,
            logger: Logger? = nil
        ) {
            self.opening = opening
            self.unresolved = unresolved
            self.quarantine = quarantine
            self.busyTimeout = busyTimeout
            self.changedTransformers = changedTransformers
            self.acceptingModel = acceptingModel
            self.logger = logger
        }

        /// Whether both open a store alike, whoever is told of it.
        public static func == (left: Self, right: Self) -> Bool {
            left.opening == right.opening && left.unresolved == right.unresolved
                && left.quarantine == right.quarantine && left.busyTimeout == right.busyTimeout
                && left.changedTransformers == right.changedTransformers
                && left.acceptingModel == right.acceptingModel && left.pinsModel == right.pinsModel
        }

        /// Feeds in what ``==(_:_:)`` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(opening)
            hasher.combine(unresolved)
            hasher.combine(quarantine)
            hasher.combine(busyTimeout)
            hasher.combine(changedTransformers)
            hasher.combine(acceptingModel)
        }

        /// Opens the file, or makes it.
        public static let createIfMissing = Self()
        /// Makes the file; one that is there is an error.
        public static let create = Self(opening: .create)
        /// Opens the file; none is an error.
        public static let mustExist = Self(opening: .mustExist)
        /// Opens the file and never writes.
        public static let readOnly = Self(opening: .readOnly)
    }
}
