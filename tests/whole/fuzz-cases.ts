import type { Random } from '#tests/support/random';
import { createApp } from '#worker/app';
import { createContentArea } from '#worker/areas/content';
import { createMerchantArea } from '#worker/areas/merchant';

/** Values from a working world that the cases may use. */
export type World = {
  host: string;
  /** Ids and tokens that exist; chance decides where they are used. */
  ids: string[];
  /** Header lines of each kind of session. */
  sessions: Record<string, string[]>;
};

export type Case = {
  name: string;
  /** The bytes to send, in these pieces. */
  pieces: Buffer[];
  /** The client hangs up after the last piece and reads no answer. */
  isAborted: boolean;
};

const noDeps = (): never => {
  throw new Error('nothing is asked here');
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Every pattern of the three route tables, with its methods; ALL means any. */
export const patterns = (): { method: string; path: string }[] => {
  const routes = [createApp(noDeps), createMerchantArea(noDeps), createContentArea(noDeps)].flatMap(
    (app) => app.routes,
  );
  const unique = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]));
  // Cases use random methods too, so a path with a named method needs no row for ALL.
  const namedPaths = new Set([...unique.values()].filter(({ method }) => method !== 'ALL').map(({ path }) => path));
  return [...unique.values()].filter(({ method, path }) => method !== 'ALL' || !namedPaths.has(path));
};

const ODD_PARTS = [
  ...['1', '0', '-1', '99999999999999999999', 'x', 'null', 'undefined', '__proto__', 'constructor', 'a b', 'a%20b'],
  ...['%00', 'a%00b', '%2e%2e', '%2f', '%5c', '%zz', '%', '%ff%fe', '%F0%9F%98%80', '%', '%27%20OR%201=1--', '.', '..'],
  ...['..%2f..%2fetc%2fpasswd', 'x'.repeat(300), 'x'.repeat(4000), 'a;b', 'a:b', 'a@b', '*', ':id', '~', '%E2%80%AE'],
  ...[`${'0'.repeat(32)}.png`, `${'0'.repeat(32)}-480.webp`, 'signature.png', 'shell', 'state', 'a.b.c', '%u0041'],
];
const NAMES = [
  ...[
    'page',
    'limit',
    'sort',
    'order',
    'q',
    'search',
    'status',
    'from',
    'to',
    'format',
    'cursor',
    'next',
    'type',
    'open',
  ],
  ...['authToken', 'code', 'state', 'error', 'login', 'id', 'period', 'method', '__proto__', 'a[]', ''],
];
const ODD_VALUES = [
  ...[
    '',
    '0',
    '1',
    '-1',
    '1e309',
    'NaN',
    '2026-02-30',
    '2026-11-22',
    'csv',
    'desc',
    'null',
    '%',
    '%zz',
    '%00',
    '%ff',
    '+',
  ],
  ...[
    '[]',
    '{}',
    'x'.repeat(2000),
    "'; DROP TABLE accounts;--",
    '%F0%9F%98%80',
    '%22',
    '*',
    '"a" OR',
    'a*',
    'NEAR(',
    '-',
  ],
];
/** Fields that cannot change data of other tests: no complete form, and no single name that changes something. */
const FIELDS = [
  ...[
    'email',
    'password',
    'name',
    'amount',
    'kind',
    'verdict',
    'signature',
    'firstName',
    'paymentDetails',
    'invoiceId',
  ],
  ...[
    'attemptId',
    'amountShown',
    'paymentType',
    'note',
    'content',
    'status',
    'slug',
    'alt',
    'role',
    'reset',
    'invitation',
  ],
  ...[
    'setupCode',
    'csp-report',
    'blocked-uri',
    'payload',
    'id',
    'state',
    'revision',
    'version',
    '__proto__',
    'toString',
  ],
];
const ODD_JSON: unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    '',
    'x',
    'a'.repeat(5000),
    '\u0000',
    '\ud800',
    '😀',
    '../..',
    '<script>',
    '1',
  ],
  ...[
    [],
    {},
    [[]],
    { a: { b: {} } },
    ['x', 1, null],
    { toString: 1 },
    { length: -1 },
    'data:image/png;base64,AAAA',
    '0.01',
  ],
];
const TYPES = [
  ...['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'text/plain', 'text/html', '', 'x'],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=b',
    'application/csp-report',
  ],
  ...[
    'multipart/form-data; boundary="b',
    'multipart/form-data; boundary=',
    'application/octet-stream',
    'image/png',
    ';;;',
  ],
];
const ODD_HEADERS = [
  ...['Accept: application/x-ndjson', 'Accept: text/html', 'Accept: */*;q=x', 'Accept-Encoding: br, gzip;q=0, *;q=0.1'],
  ...['Accept-Encoding: identity;q=0', 'Range: bytes=0-', 'Range: bytes=-0', 'Range: bytes=9-1,2-3', 'If-Range: "x"'],
  ...[
    'If-None-Match: *',
    'If-Modified-Since: yesterday',
    'Content-Encoding: gzip',
    'Content-Encoding: br',
    'Origin: null',
  ],
  ...['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-origin', 'Origin: x y'],
  ...['Authorization: Bearer', 'Authorization: Bearer a.b.c', 'Authorization: Basic eDp5', 'Authorization: \xe9\xff'],
  ...['Cookie: authToken=a.b.c; session=x', 'Cookie: authToken', 'Cookie: ;;;=;%zz=%zz', 'Cookie: session=%E0%A4%A'],
  ...['X-Forwarded-Host: evil.example', 'X-HTTP-Method-Override: DELETE', 'Forwarded: host=evil.example', 'Via: 1.1 x'],
  ...['Referer: https://evil.example/\xff', 'User-Agent: \xf0\x9f\x98\x80', 'Accept-Language: xx-YY;q=2', 'X-Empty:'],
  ...[`X-Long: ${'x'.repeat(8000)}`, 'Cache-Control: no-cache', 'Pragma: no-cache', 'CF-IPCountry: T1', 'Upgrade: h2c'],
];

/** One request, valid on the wire and odd otherwise. */
export function drawCase(random: Random, world: World, routes: { method: string; path: string }[]): Case {
  const { chance, pick, below } = random;
  const pattern = pick(routes);
  const method = pattern.method === 'ALL' || chance(0.25) ? pick(METHODS) : pattern.method;
  const part = () => (chance(0.4) ? pick(world.ids) : pick(ODD_PARTS));
  let target = pattern.path
    .replace(/:\w+/g, part)
    .replace(/\*/g, () => Array.from({ length: below(3) }, part).join('/'));
  if (chance(0.1)) target += pick(['/', '//', '/..', '/%2e', '.html', '/x']);
  target = target.replaceAll(' ', '%20');
  if (chance(0.4)) {
    const pairs = Array.from(
      { length: 1 + below(4) },
      () => `${pick(NAMES)}=${chance(0.1) ? part() : pick(ODD_VALUES)}`,
    );
    target += `?${pairs.join('&').replaceAll(' ', '%20').replaceAll('"', '%22')}`;
  }

  const kind = pick(Object.keys(world.sessions));
  // A logout would end the session for later cases, also of a person who is removed; a build uses the full machine.
  const session = /log-?out|publish|api\/sessions|api\/team\/\d/i.test(target) ? [] : (world.sessions[kind] ?? []);
  const address = `2001:db8:${below(65_536).toString(16)}::${below(65_536).toString(16)}`;
  const headers = [`Host: ${world.host}`, `CF-Connecting-IP: ${address}`, 'Connection: close', ...session];
  for (let count = below(3); count > 0; count--) headers.push(pick(ODD_HEADERS));

  const hasBody = chance(method === 'GET' || method === 'HEAD' ? 0.4 : 0.8);
  const isAborted = hasBody && chance(0.1);
  const bytes = hasBody ? drawBody(random) : Buffer.alloc(0);
  if (hasBody) {
    const type = chance(0.5) ? 'application/json' : pick(TYPES);
    if (type) headers.push(`Content-Type: ${type}`);
  }
  const name = `${method} ${target.slice(0, 200)} (${kind}, ${hasBody ? bytes.length : 'no'} bytes, ${headers.slice(3).join(', ').slice(0, 300)})`;
  return {
    name,
    pieces: encodeRequest(random, `${method} ${target} HTTP/1.1`, headers, hasBody, bytes, isAborted),
    isAborted,
  };
}

function drawBody({ chance, pick, below }: Random): Buffer {
  const object = () => Object.fromEntries(Array.from({ length: below(6) }, () => [pick(FIELDS), pick(ODD_JSON)]));
  const json = () => JSON.stringify(chance(0.8) ? object() : pick(ODD_JSON));
  switch (below(8)) {
    case 0:
      return Buffer.alloc(0);
    case 1:
      return Buffer.from(json().slice(0, -1));
    case 2:
      return Buffer.from(Array.from({ length: below(400) }, () => below(256)));
    case 3:
      return Buffer.from(`{"${pick(FIELDS)}":${'['.repeat(below(3000))}`);
    case 4: {
      const value = chance(0.5) ? json() : `\x89PNG\r\n\x1a\n${'x'.repeat(below(200))}`;
      const head = pick([
        `Content-Disposition: form-data; name="${pick(FIELDS)}"`,
        `Content-Disposition: form-data; name="file"; filename="${pick(['a.png', '\0.png', '%zz', ''])}"\r\nContent-Type: image/png`,
        'Content-Disposition: attachment',
        '',
      ]);
      return Buffer.from(`--b\r\n${head}\r\n\r\n${value}\r\n${pick(['--b--\r\n', '--b\r\n', ''])}`, 'latin1');
    }
    case 5:
      return Buffer.from(chance(0.2) ? `{"x":"${'x'.repeat(300_000)}"}` : 'a=1&b=%zz&__proto__=x');
    default:
      return Buffer.from(json());
  }
}

/** With a length, or in chunks; an aborted request sends less than it promised. */
function encodeRequest(
  { chance, below }: Random,
  start: string,
  headers: string[],
  hasBody: boolean,
  bytes: Buffer,
  isAborted: boolean,
): Buffer[] {
  const head = (extraHeaders: string[]) =>
    Buffer.from(`${[start, ...headers, ...extraHeaders].join('\r\n')}\r\n\r\n`, 'latin1');
  if (!hasBody) return [head([])];
  if (chance(0.6)) {
    const length = bytes.length + (isAborted ? 1 + below(1000) : 0);
    return [head([`Content-Length: ${length}`]), bytes];
  }
  const pieces = [head(['Transfer-Encoding: chunked'])];
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + 1 + below(20_000));
    pieces.push(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
    at += piece.length;
  }
  return isAborted ? pieces : [...pieces, Buffer.from('0\r\n\r\n')];
}
