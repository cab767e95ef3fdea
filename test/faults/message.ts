/** What a viewer sends in one request, and how it has to be answered. */
import { isOfStretch, type Report, type WaitReport } from '../simulation/oracle.ts';
import type { TestAccount } from '../support/service.ts';

export interface Message {
  readonly account: TestAccount;
  readonly path: string;
  readonly init: RequestInit;
  /** How many of its beacons or events count, and how many are to be refused. */
  readonly counted: number;
  readonly refused: number;
  /** The body of the answer 200, without the words for people. */
  readonly expected: string;
  /** What its answer 200 acknowledges by itself; other reports need more than one message. */
  readonly reports: readonly Report[];
}

/** A beacon that is refused for good, and the reason. */
export interface Spoilt {
  readonly beacon: object;
  readonly code: string;
}

interface BeaconsOptions {
  readonly account: TestAccount;
  readonly headers: Readonly<Record<string, string>>;
  readonly reports: readonly (Report | WaitReport)[];
  /** What is sent of a report; default: its beacon. */
  readonly sentOf?: (report: Report | WaitReport) => object;
  /** Sent behind the good ones. */
  readonly spoilt?: readonly Spoilt[];
}

export function beaconsMessage(options: BeaconsOptions): Message {
  const { account, headers, reports, sentOf = ({ beacon }) => beacon, spoilt = [] } = options;
  const beacons = reports.map(sentOf);
  const all = [...beacons, ...spoilt.map(({ beacon }) => beacon)];
  const rejected = spoilt.map(({ code }, place) => ({ index: beacons.length + place, code }));
  return {
    account,
    path: '/collect/v1/beacons',
    init: post('text/plain', headers, JSON.stringify({ beacons: all })),
    counted: beacons.length,
    refused: spoilt.length,
    expected: JSON.stringify({ accepted: beacons.length, rejected }),
    reports: reports.filter(isOfStretch),
  };
}

interface CmcdOptions {
  readonly account: TestAccount;
  readonly headers: Readonly<Record<string, string>>;
  readonly videoKey: string;
  readonly lines: readonly string[];
}

export function cmcdMessage({ account, headers, videoKey, lines }: CmcdOptions): Message {
  return {
    account,
    path: `/collect/v1/cmcd/${videoKey}`,
    init: post('application/cmcd', headers, lines.join('\n')),
    counted: lines.length,
    refused: 0,
    expected: JSON.stringify({ accepted: lines.length, rejected: [] }),
    reports: [],
  };
}

interface LogOptions {
  readonly account: TestAccount;
  readonly headers: Readonly<Record<string, string>>;
  readonly event: object;
}

export function logMessage({ account, headers, event }: LogOptions): Message {
  return {
    account,
    path: `/play/api/videoPlays?${new URLSearchParams({ data: JSON.stringify(event) })}`,
    init: { headers },
    counted: 1,
    refused: 0,
    expected: JSON.stringify({ errorInfo: { errorCode: 'None', errorMessage: '' } }),
    reports: [],
  };
}

/** Whether the body of an answer 200 says what it has to. */
export function isRight({ expected }: Message, body: string): boolean {
  try {
    const withoutWords = (name: string, value: unknown) => (name === 'detail' ? undefined : value);
    return JSON.stringify(JSON.parse(body), withoutWords) === expected;
  } catch {
    return false;
  }
}

function post(type: string, headers: Readonly<Record<string, string>>, body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': type, ...headers }, body };
}
