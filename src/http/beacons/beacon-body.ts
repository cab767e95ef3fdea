/** Reads the body of POST /collect/v1/beacons: the same for both ways in. */
import { readJson } from '../../lib/values/json-text.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { maxBeaconsPerRequest } from '../../wire/beacons/beacon.ts';
import { bodyFault } from '../server/fault-answers.ts';

/** The beacons in a body, each still to be checked; throws INVALID_PARAMETER. */
export function readBeacons(body: Buffer): readonly unknown[] {
  const read = readJson(body);
  if (!read.ok) throw bodyFault(read.reason);
  const message = read.value;
  if (typeof message !== 'object' || message === null || !('beacons' in message)) {
    throw bodyFault('must be an object with the member beacons');
  }
  const { beacons } = message;
  if (!Array.isArray(beacons)) throw beaconsFault('must be a list');
  if (beacons.length > maxBeaconsPerRequest) {
    throw beaconsFault(`must not contain more than ${maxBeaconsPerRequest}`);
  }
  return beacons;
}

function beaconsFault(detail: string): Fault {
  const errors = [{ parameter: 'beacons', detail }];
  return new Fault('INVALID_PARAMETER', `beacons ${detail}`, { errors });
}
