import Testing
import TransformablePostgres

@Suite struct PostgresSampleTests {
    @Test func addresses() throws {
        let byService = try PostgresAddress("postgres:service=clinic")
        let byKeywords = try PostgresAddress("postgres:host=/run/postgresql dbname=clinic")
        let byURI = try PostgresAddress("postgres://reader@db.example.org/clinic")
        #expect(Set([byService, byKeywords, byURI]).count == 3)
    }

    @Test func options() throws {
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        options.notificationAddress = try PostgresAddress("postgres:service=clinic-direct")
        #expect(options != PostgresOptions())
    }
}
