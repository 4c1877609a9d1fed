/// Options for connections to a PostgreSQL server.
public struct PostgresOptions: Sendable, Hashable {
    /// The maximum time to wait for a connection to be established.
    public var connectionTimeout: Duration = .seconds(10)
    /// The maximum number of connections that reads and writes use at a time.
    ///
    /// A store that is observed has one more, over which the server notifies it of changes by other programs.
    public var maximumConnections = 8
    /// The maximum time to wait for a connection while all of them are in use.
    public var waitTimeout: Duration = .seconds(30)
    /// The time after which an unused connection is closed.
    public var idleTimeout: Duration = .seconds(600)
    /// Whether connections go through PgBouncer, or a similar program, that can give each transaction a different
    /// connection.
    ///
    /// Nothing is then prepared or set for longer than a transaction.
    public var usesTransactionPooling = false
    /// Whether a connection behind such a program uses transaction pooling even if ``usesTransactionPooling`` is `false`.
    ///
    /// Each connection takes one more round trip to find that out.
    package var detectsTransactionPooling = false
    /// The address of the server itself, if connections go through PgBouncer and changes by other programs are observed.
    ///
    /// PgBouncer does not pass on notifications in its transaction mode. Without this address, a store behind it reports
    /// only its own changes.
    public var notificationAddress: PostgresAddress?
    /// The distribution of a new store's tables over the servers of a Citus cluster.
    ///
    /// A store that is distributed is recognized when it is opened.
    public var distribution = PostgresDistribution.none
    /// The name that the server's statistics and log show.
    public var applicationName = "transformable"

    /// Creates the default options.
    public init() {}
}
