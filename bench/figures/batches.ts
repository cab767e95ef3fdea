/** Beacons per second in batches of a hundred, against the bare engine and the rivals. */
import { atLeast, type Figure } from '../figure.ts';
import { inTurn, load, startContenders } from '../stage/contenders.ts';
import { createLimitTable, insertRate } from '../stage/fact-rows.ts';

const beaconsPerRequest = 100;
const connections = 256;
const rowsPerBareInsert = 25_000;

export const batches: Figure = {
  name: 'batches',
  async measure({ repetitions, loadSeconds: seconds }) {
    const contenders = await startContenders();
    try {
      const { ports, service: underTest } = contenders;
      const engine = await underTest.engine();
      await createLimitTable(engine);
      const run = async (port: number) => {
        const of = { beaconsPerRequest, connections, seconds };
        return (await load(contenders, port, of)).beaconsPerSecond;
      };
      const rates = await inTurn(repetitions, {
        service: () => run(ports.service),
        engine: () => insertRate(engine, seconds, rowsPerBareInsert),
        PostgreSQL: () => run(ports.PostgreSQL),
        SQLite: () => run(ports.SQLite),
      });
      const { service = 0, engine: bare = 0, PostgreSQL = 0, SQLite = 0 } = rates;
      const unit = 'beacons/s';
      return {
        measured: [
          { what: 'beacons acknowledged in batches of 100', value: service, unit },
          {
            what: 'rows inserted by the bare engine',
            value: bare,
            unit,
            note: `encoded beforehand, ${rowsPerBareInsert} rows an insert, two at a time, durable`,
          },
          { what: 'the same at the PostgreSQL rival', value: PostgreSQL, unit },
          { what: 'the same at the SQLite rival', value: SQLite, unit },
          {
            what: 'share of the bare engine',
            value: service / bare,
            unit: 'x',
            target: atLeast(0.5),
          },
          {
            what: 'times the PostgreSQL rival',
            value: service / PostgreSQL,
            unit: 'x',
            target: atLeast(10),
          },
          { what: 'times the SQLite rival', value: service / SQLite, unit: 'x' },
        ],
      };
    } finally {
      await contenders.stop();
    }
  },
};
