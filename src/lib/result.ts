/** The result of an operation that may refuse. A refusal is a value, never an exception. */
export type Result<Value, Reason> = Accepted<Value> | Refused<Reason>;

export interface Accepted<Value> {
  readonly ok: true;
  readonly value: Value;
}

export interface Refused<Reason> {
  readonly ok: false;
  readonly reason: Reason;
}

export function accept<Value>(value: Value): Accepted<Value> {
  return { ok: true, value };
}

export function refuse<Reason>(reason: Reason): Refused<Reason> {
  return { ok: false, reason };
}
