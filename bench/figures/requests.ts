/** Single-beacon requests acknowledged per second, against the bare server and the rivals. */
import { atLeast, type Figure } from '../figure.ts';
import { inTurn, load, startContenders } from '../stage/contenders.ts';

const connections = 256;

export const requests: Figure = {
  name: 'requests',
  async measure({ repetitions, loadSeconds: seconds }) {
    const contenders = await startContenders();
    try {
      const { ports } = contenders;
      const run = async (port: number) => {
        const of = { beaconsPerRequest: 1, connections, seconds };
        return (await load(contenders, port, of)).requestsPerSecond;
      };
      const rates = await inTurn(repetitions, {
        service: () => run(ports.service),
        'node:http': () => run(ports['node:http']),
        PostgreSQL: () => run(ports.PostgreSQL),
        SQLite: () => run(ports.SQLite),
      });
      const { service = 0, 'node:http': bare = 0, PostgreSQL = 0, SQLite = 0 } = rates;
      const unit = 'requests/s';
      return {
        measured: [
          { what: 'single-beacon requests acknowledged', value: service, unit },
          { what: 'the same at a bare node:http server', value: bare, unit },
          { what: 'the same at the PostgreSQL rival', value: PostgreSQL, unit },
          { what: 'the same at the SQLite rival', value: SQLite, unit },
          of('share of the bare node:http server', service / bare, 0.6),
          of('times the PostgreSQL rival', service / PostgreSQL, 5),
          { what: 'times the SQLite rival', value: service / SQLite, unit: 'x' },
        ],
      };
    } finally {
      await contenders.stop();
    }
  },
};

function of(what: string, value: number, least: number) {
  return { what, value, unit: 'x', target: atLeast(least) };
}
