#!/bin/sh
# Runs the tests of stores that Citus distributes. They use the coordinator at the address in TRANSFORMABLE_CITUS, whose role
# must not be a superuser and must be able to create schemas there. Without it, a coordinator and two workers are started
# in a temporary folder, which requires PostgreSQL with the extension Citus.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${TRANSFORMABLE_CITUS:-}" ]; then
    programs=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -n 1 | grep . || command -v initdb)")
    [ -x "$programs/initdb" ] || { echo "initdb was not found: install PostgreSQL" >&2; exit 1; }
    libraries=$("$programs/pg_config" --pkglibdir 2>/dev/null || echo "$programs/../lib")
    [ -f "$libraries/citus.so" ] || {
        echo "PostgreSQL does not have the extension Citus: install it, or set TRANSFORMABLE_CITUS" >&2
        exit 1
    }
    folder=$(mktemp -d /tmp/citus-XXXXXX)
    base=${TRANSFORMABLE_CITUS_PORT:-57400}
    as_server() { "$@"; }
    if [ "$(id -u)" = 0 ]; then
        # PostgreSQL refuses to run as root.
        chown nobody "$folder"
        as_server() { setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$folder" "$@"; }
    fi
    stop() {
        for port in $((base + 2)) $((base + 1)) $base; do
            as_server "$programs/pg_ctl" -D "$folder/$port" -m immediate stop >/dev/null 2>&1 || true
        done
        rm -rf "$folder"
    }
    trap stop EXIT
    trap 'exit 130' INT TERM
    for port in $base $((base + 1)) $((base + 2)); do
        as_server "$programs/initdb" -D "$folder/$port" -U tester -A trust --no-sync --locale=C -E UTF8 >/dev/null
        as_server tee -a "$folder/$port/postgresql.conf" >/dev/null <<END
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
shared_preload_libraries = 'citus'
fsync = off
max_connections = 300
citus.enable_stat_counters = on
END
        as_server "$programs/pg_ctl" -D "$folder/$port" -w -l "$folder/$port.log" start >/dev/null
        "$programs/psql" -q -h "$folder" -p "$port" -U tester -c 'CREATE EXTENSION citus' postgres
    done
    "$programs/psql" -qAt -v ON_ERROR_STOP=1 -h "$folder" -p "$base" -U tester postgres >/dev/null <<END
SELECT citus_set_coordinator_host('127.0.0.1', $base);
SELECT citus_add_node('127.0.0.1', $((base + 1)));
SELECT citus_add_node('127.0.0.1', $((base + 2)));
CREATE ROLE bound LOGIN;
GRANT CREATE ON DATABASE postgres TO bound;
ALTER ROLE bound SET citus.shard_count = 2;
END
    TRANSFORMABLE_CITUS="postgres:host=$folder port=$base user=bound dbname=postgres"
    export TRANSFORMABLE_CITUS
fi

# The suites that run on each engine: with the variable, they run only in distributed stores.
suites=$(grep -rlE --include='*.swift' '^@Suite\(.*\.eachEngine' Tests/TransformableStoreTests | xargs awk '
    /^@Suite\(.*\.eachEngine/ { isWanted = 1 }
    isWanted && /struct/ { sub(/.*struct /, ""); sub(/[^A-Za-z].*/, ""); print; isWanted = 0 }' | paste -s -d '|')
# Each session has connections to all workers.
${SWIFT_TEST:-swift test} --no-parallel --filter "CitusTests|DistributedCommandTests|TenantInsertionTests|StoreTests\\.($suites)/"
