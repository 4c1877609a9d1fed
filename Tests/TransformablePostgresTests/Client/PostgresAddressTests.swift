import Testing
import TransformableModel
import TransformablePostgres

@Suite struct PostgresAddressTests {
    @Test(arguments: [
        ("postgres:service=clinic", "service=clinic"),
        ("service=clinic", "service=clinic"),
        ("postgres:", ""),
        ("postgres://reader@db.example.org/clinic", "postgres://reader@db.example.org/clinic"),
        ("postgresql://%2Frun%2Fpostgresql/clinic", "postgresql://%2Frun%2Fpostgresql/clinic"),
    ])
    func readsKeywordsAndURIs(text: String, connectionString: String) throws {
        #expect(try PostgresAddress(text).connectionString == connectionString)
    }

    @Test(arguments: [
        "postgres:host=db password=secret", "postgres://me:secret@db/clinic", "postgres:sslpassword=secret",
        "postgresql://db/clinic?password=secret",
    ])
    func refusesAPassword(text: String) throws {
        let error = try #require(throws: StoreError.self) { try PostgresAddress(text) }
        #expect(error.code == .invalidAddress)
        #expect(error.description.contains("must not contain"))
        #expect(!error.description.contains("secret"))
    }

    @Test(arguments: [
        "postgres:clinic", "postgres:host='db", "postgres://me:sec%zzret@db", "postgres://[::1/clinic",
        "postgres:host=db\0 dbname=clinic",
    ])
    func refusesWhatLibpqCannotReadWithoutQuotingIt(text: String) throws {
        let error = try #require(throws: StoreError.self) { try PostgresAddress(text) }
        #expect(error.code == .invalidAddress)
        #expect(!error.description.contains("sec"))
    }

    @Test(arguments: ["postgres:hots=db", "postgres://db/clinic?hots=1"])
    func namesAnUnknownKeyword(text: String) throws {
        let error = try #require(throws: StoreError.self) { try PostgresAddress(text) }
        #expect(error.description.contains("“hots” is not a keyword of libpq"))
    }

    @Test(arguments: [
        ("postgres:service=clinic", true), ("postgres://db/clinic", true), ("postgresql://db/clinic", true),
        ("clinic.sqlite", false), ("./postgres:x", false), ("postgresql.sqlite", false),
    ])
    func tellsAddressesFromPaths(text: String, isAddress: Bool) {
        #expect(PostgresAddress.isAddress(text) == isAddress)
    }

    @Test(arguments: ["postgres:service=clinic", "postgres://reader@db/clinic"])
    func describesItselfAsWritten(text: String) throws {
        #expect(try PostgresAddress(text).description == text)
    }
}
