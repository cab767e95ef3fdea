/** Requests of one fixed length, whose view numbers are written in place: nearly free to make. */
export interface LoadTarget {
  readonly port: number;
  readonly path: string;
  readonly videoKeys: readonly string[];
  readonly beaconsPerRequest: number;
}

const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/147.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 ' +
    '(KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/147.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/17.4 Safari/605.1.15',
];
const digits = 12;
const playMs = 10_000;

export interface Template {
  /** The request with view numbers from `first` on; the same bytes are used again for the next. */
  fill(first: number): Buffer;
}

export function createTemplate(target: LoadTarget, run: string, connection: number): Template {
  const { videoKeys, beaconsPerRequest } = target;
  const at = new Date(Date.now() - 2 * playMs).toISOString();
  const beacons = Array.from({ length: beaconsPerRequest }, (_, index) => ({
    view: `${'#'.repeat(digits)}-${run}`,
    stretch: 0,
    at,
    playMs,
    videoKey: videoKeys[(connection + index) % videoKeys.length],
  }));
  const body = JSON.stringify({ beacons });
  const head = [
    `POST ${target.path} HTTP/1.1`,
    `host: 127.0.0.1:${target.port}`,
    'content-type: application/json',
    `user-agent: ${userAgents[connection % userAgents.length]}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  const places = placesOf(request, '#'.repeat(digits));
  return {
    fill(first) {
      places.forEach((place, index) => {
        writeDigits(request, place, first + index);
      });
      return request;
    },
  };
}

function placesOf(request: Buffer, mark: string): number[] {
  const places: number[] = [];
  for (let at = request.indexOf(mark); at !== -1; at = request.indexOf(mark, at + 1)) {
    places.push(at);
  }
  return places;
}

/** The last digit first: names that follow one another lie far apart, as random ones do. */
function writeDigits(request: Buffer, place: number, number: number): void {
  let rest = number;
  for (let at = place; at < place + digits; at += 1) {
    request[at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
