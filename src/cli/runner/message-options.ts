/** The fields of a message of the interface, as options of the command line. */
import { Fault } from '../../vocabulary/faults.ts';

/** The field that each option gives. */
export type FieldsByOption = Readonly<Record<string, string>>;

/** Runs, and names the options in place of the fields in what is refused. */
export async function namingOptions<Value>(
  fields: FieldsByOption,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Fault) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ parameter, detail }) => {
      const name = parameter.split(/[./]/)[0];
      const option = Object.entries(fields).find(([, field]) => field === name)?.[0];
      return { parameter: option === undefined ? parameter : `--${option}`, detail };
    });
    const message = errors.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ');
    throw new Fault(error.code, message, { errors });
  }
}
