public import Logging

extension Store {
    /// Options for opening a store.
    public struct Options: Sendable, Hashable {
        /// Whether a store file is created or must exist.
        public enum Opening: Sendable, Hashable {
            /// Opens the file, or creates it if it does not exist.
            case createIfMissing
            /// Creates the file.
            ///
            /// It is an error if the file exists.
            case create
            /// Opens the file.
            ///
            /// It is an error if the file does not exist.
            case mustExist
            /// Opens the file and never writes to it.
            ///
            /// Nothing is migrated, recomputed, or updated.
            ///
            /// SQLite's own files next to it are created if they are missing and if the folder is writable. They are
            /// removed when the store is closed.
            case readOnly
        }

        /// The treatment of attributes whose transformer is not available in this program.
        public enum Unresolved: Sendable, Hashable {
            /// Opening fails, and the error names all of them.
            case refuse
            /// The cells of these attributes keep their bytes.
            ///
            /// Reading or writing such an attribute is an error.
            case keepBytes
        }

        /// The way in which a failure to decode a value is reported.
        ///
        /// The bytes are left unchanged in any case.
        public enum Quarantine: Sendable, Hashable {
            /// The `read` or `write` in which the failure occurred throws at its end, so that nothing is saved that may
            /// have been computed from the accessor's stand-in value.
            ///
            /// In a context for editing, the next save throws, even if there is nothing to write. The save after that
            /// proceeds.
            case fail
            /// The failure is not thrown, but you can find it with ``ManagedObject/failure(of:)``.
            ///
            /// Everything else is read and saved as usual.
            ///
            /// The bytes that cannot be decoded are left unchanged. However, the accessor's stand-in value is a value
            /// like any other: if your program copies it, or something computed from it, to another attribute or
            /// object, it is saved there. To copy a value, read it with a method that throws, such as `try
            /// ward.$beds.value()` or `try object.value("beds", as: Int.self)`.
            case report
        }

        /// Whether a commit to a file waits until it is on the disk.
        ///
        /// In a PostgreSQL database, the server's setting `synchronous_commit` decides instead.
        public enum Synchronous: Sendable, Hashable {
            /// A commit does not wait for the disk.
            ///
            /// Nothing that was committed is lost if the program is killed. If the power fails, the store is still
            /// consistent, but the last commits may be missing.
            case normal
            /// A commit waits until it is on the disk, together with all earlier ones.
            ///
            /// Nothing that was committed is lost if the power fails, as long as the disk has really written what it
            /// says it has. Each commit takes longer, depending on the disk: for example, half a millisecond on an SSD,
            /// or ten milliseconds on a hard disk. It costs less to change many objects in one `write`.
            ///
            /// Each program that writes to the file needs this option, because it applies to the program's own commits.
            case full
        }

        /// The treatment of columns that were written by a transformer other than the one in the model.
        public enum ChangedTransformers: Sendable, Hashable {
            /// Opening fails, and the error names both transformers.
            case refuse
            /// The column is re-encoded while the store is opened.
            ///
            /// See `Store.reencode(_:progress:)`.
            case reencode
        }

        /// Whether the store file is created or must exist.
        public var opening: Opening
        /// The treatment of attributes whose transformer is not available in this program.
        public var unresolved: Unresolved
        /// The way in which a failure to decode in an accessor that cannot throw is reported.
        public var quarantine: Quarantine
        /// The maximum time that a writer waits for another process.
        public var busyTimeout: Duration
        /// Whether a commit to a file waits until it is on the disk, so that it survives a power failure.
        ///
        /// This option has no effect on a store in memory or in a PostgreSQL database.
        public var synchronous: Synchronous
        /// The treatment of columns that were written by a transformer other than the one in the model.
        public var changedTransformers: ChangedTransformers
        /// Whether to accept the file's model and tables even if their seal is missing or does not match.
        ///
        /// To accept a seal whose key is lost, also set ``acceptsLostKey``.
        ///
        /// A store that is opened for writing with a secret key is then sealed in its current state. Set this option
        /// once, for a file that you trust: one that was created without a key, for example before the program had one,
        /// or that you changed yourself.
        public var acceptsUnauthenticatedModel: Bool
        /// Whether ``acceptsUnauthenticatedModel`` also accepts a file whose seal was made with a key that this program
        /// does not have.
        ///
        /// After that, no one who has only that key can open the store. If rows of a keyed projection may have been written
        /// with a key that this program does not have, its own keys become the newest ones, so that it can write rows and
        /// re-encode the attribute. Set this option only if the key is lost.
        public var acceptsLostKey: Bool
        /// Whether to accept rows even if their tags are missing or do not match.
        ///
        /// All authenticated rows get new tags when the store is opened for writing. Set this option once, for a file that
        /// you trust.
        public var acceptsUnauthenticatedRows: Bool
        /// Whether the program's model must be equal to the file's model, which is not migrated to a newer version.
        package var pinsModel = false
        /// Whether a read-only store will be closed within moments, as it is by a command.
        package var isBrief = false
        /// The folder of stores in memory.
        package var memoryFolder = "/dev/shm"
        /// The number of bytes that must be free in that folder.
        ///
        /// Containers often have next to none.
        package var memoryRoom = 256 << 20
        /// Logs migrations, what failed re-encodings leave behind, quarantined values, and sweeps, by names and numbers and
        /// never by values.
        public var logger: Logger?
        /// Whether the model comes from the file.
        ///
        /// Its projections may be older than the rule that they must be keyed.
        var acceptsRevealing = false
        /// What calls without a tenant see and change, so that tests of models without tenants can also run with them.
        package var implicitScope: TenantScope?
        /// Whether the metadata stays as it is, because whatever is written is reverted.
        package var isRehearsal = false
        /// Whether the store is opened only to re-encode columns before a migration.
        ///
        /// The migration may fail, so versions of stages that programs with the present model lack are not recorded yet.
        var precedesMigration = false
        /// The functions with which connections compute and check the tags of rows.
        package var rowSealing: (any RowTagFunctions)?

        /// Creates options.
        ///
        /// - Parameters:
        ///   - opening: Whether the store file is created or must exist.
        ///   - unresolved: The treatment of attributes whose transformer is not available in this program.
        ///   - quarantine: The way in which a failure to decode in an accessor that cannot throw is reported.
        ///   - busyTimeout: The maximum time that a writer waits for another process.
        ///   - synchronous: Whether a commit to a file waits until it is on the disk, so that it survives a power
        ///     failure.
        ///   - changedTransformers: The treatment of columns that were written by a transformer other than the one in
        ///     the model.
        ///   - acceptsUnauthenticatedModel: Whether to accept the file's model and tables even if their seal is missing
        ///     or does not match.
        ///   - acceptsLostKey: Whether to also accept a file whose seal was made with a key that this program does not
        ///     have.
        ///   - acceptsUnauthenticatedRows: Whether to accept rows even if their tags are missing or do not match.
        ///   - logger: Logs migrations, what failed re-encodings leave behind, quarantined values, and sweeps.
        public init(
            opening: Opening = .createIfMissing,
            unresolved: Unresolved = .refuse,
            quarantine: Quarantine = .fail,
            busyTimeout: Duration = .seconds(5),
            synchronous: Synchronous = .normal,
            changedTransformers: ChangedTransformers = .refuse,
            acceptsUnauthenticatedModel: Bool = false,
            acceptsLostKey: Bool = false,
            acceptsUnauthenticatedRows: Bool = false,
            logger: Logger? = nil
        ) {
            self.opening = opening
            self.unresolved = unresolved
            self.quarantine = quarantine
            self.busyTimeout = busyTimeout
            self.synchronous = synchronous
            self.changedTransformers = changedTransformers
            self.acceptsUnauthenticatedModel = acceptsUnauthenticatedModel
            self.acceptsLostKey = acceptsLostKey
            self.acceptsUnauthenticatedRows = acceptsUnauthenticatedRows
            self.logger = logger
        }

        /// Returns a Boolean value that indicates whether two sets of options are equal, regardless of their
        /// loggers.
        public static func == (left: Self, right: Self) -> Bool {
            left.opening == right.opening && left.unresolved == right.unresolved
                && left.quarantine == right.quarantine && left.busyTimeout == right.busyTimeout
                && left.synchronous == right.synchronous && left.changedTransformers == right.changedTransformers
                && left.acceptsUnauthenticatedModel == right.acceptsUnauthenticatedModel
                && left.acceptsLostKey == right.acceptsLostKey
                && left.acceptsUnauthenticatedRows == right.acceptsUnauthenticatedRows
                && left.pinsModel == right.pinsModel
        }

        /// Hashes the same properties that ``==(_:_:)`` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(opening)
            hasher.combine(unresolved)
            hasher.combine(quarantine)
            hasher.combine(busyTimeout)
            hasher.combine(synchronous)
            hasher.combine(changedTransformers)
            hasher.combine(acceptsUnauthenticatedModel)
            hasher.combine(acceptsLostKey)
            hasher.combine(acceptsUnauthenticatedRows)
        }

        /// Opens the file, or creates it if it does not exist.
        public static let createIfMissing = Self()
        /// Creates the file.
        ///
        /// It is an error if the file exists.
        public static let create = Self(opening: .create)
        /// Opens the file.
        ///
        /// It is an error if the file does not exist.
        public static let mustExist = Self(opening: .mustExist)
        /// Opens the file and never writes to it.
        public static let readOnly = Self(opening: .readOnly)
    }
}
