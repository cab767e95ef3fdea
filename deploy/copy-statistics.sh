#!/bin/sh
# Copies all statistics of the bundled engine in DATA_DIR to the servers of CLICKHOUSE_URL, whose
# tables `playmeter migrate` has made; see docs/scaling.md. Nobody may use the service meanwhile: it
# is started here, where nobody reaches it. May be run again: rows only grow.
set -eu

data=${DATA_DIR:-./data}
database=${CLICKHOUSE_DATABASE:-playmeter}
: "${CLICKHOUSE_URL:?is the server, or the servers, that the statistics are copied to}"
server=${CLICKHOUSE_URL%%,*}

work=$(mktemp -d)
service=
end() {
  if [ -n "$service" ]; then kill "$service" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

(
  unset CLICKHOUSE_URL CLICKHOUSE_CLUSTER CLICKHOUSE_USER CLICKHOUSE_PASSWORD
  HOST=127.0.0.1 PORT=0 exec ${PLAYMETER:-npm run --silent playmeter --} serve
) >"$work/said" 2>"$work/log" &
service=$!
until grep -q 'is ready' "$work/said"; do
  if ! kill -0 "$service" 2>/dev/null; then
    tail -n 5 "$work/log" >&2
    exit 1
  fi
  sleep 1
done

# Passwords in files that others cannot read, and not in the list of processes.
of_engine() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$data/engine/access.json"; }
engine=$(of_engine url)
umask 077
printf 'user = "%s:%s"\n' "$(of_engine username)" "$(of_engine password)" >"$work/engine"
printf 'user = "%s:%s"\n' "${CLICKHOUSE_USER:-default}" "${CLICKHOUSE_PASSWORD:-}" >"$work/server"
ask_engine() { curl -sS --fail-with-body -K "$work/engine" "$engine/" --data-binary "$1"; }
ask_server() { curl -sS --fail-with-body -K "$work/server" "$server/" --data-binary "$1"; }

insert="$server/?distributed_foreground_insert=1&max_partitions_per_insert_block=0&query=INSERT+INTO"
# The rows of a question to the engine, into a table, whose columns may be named.
copy() {
  {
    ask_engine "$1 FORMAT Native" || touch "$work/failed"
  } | curl -sS --fail-with-body -g -K "$work/server" -T - -X POST "$insert+$database.$2+FORMAT+Native"
  if [ -e "$work/failed" ]; then
    echo "The engine did not give all of $2" >&2
    exit 1
  fi
}

for table in stretch event ledger playback_sum peak migration; do
  copy "SELECT * FROM $database.$table" "$table"
done
copy "SELECT accountId, slot, any(batch) AS batch FROM $database.touched GROUP BY accountId, slot" \
  'touched+(accountId,slot,batch)'

for table in stretch event; do
  rows="SELECT count() FROM $database.$table FINAL"
  found=$(ask_engine "$rows")
  copied=$(ask_server "$rows")
  echo "$table: $found rows, $copied copied"
  if [ "$found" != "$copied" ]; then exit 1; fi
done
