import { Fault } from '../../vocabulary/faults.ts';
import { mostRows } from '../../wire/questions/audience-messages.ts';

export function tooManyRows(rows: number): Fault {
  const detail = `would have ${rows} rows; an answer has ${mostRows} at most`;
  return new Fault('TOO_MANY_ROWS', `The answer ${detail}`, {
    errors: [{ parameter: 'dimensions', detail }],
  });
}
