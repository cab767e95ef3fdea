import { mostRows } from '../../wire/audience-messages.ts';
import { Fault } from '../../wire/faults.ts';

export function tooManyRows(rows: number): Fault {
  const detail = `would have ${rows} rows; an answer has ${mostRows} at most`;
  return new Fault('TOO_MANY_ROWS', `The answer ${detail}`, {
    errors: [{ parameter: 'dimensions', detail }],
  });
}
