import { Buffer } from 'node:buffer';

/** A software authenticator: creates passkeys (ES256) and signs with them, in the JSON form that browsers send. */

const b64 = (bytes: Uint8Array | ArrayBuffer): string => Buffer.from(bytes as Uint8Array).toString('base64url');
const utf8 = (text: string) => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.concat(parts));
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** Encodes an attestation's values as CBOR: small integers, byte strings, texts and maps. */
function cbor(value: number | string | Uint8Array | [unknown, unknown][]): Uint8Array {
  const head = (major: number, n: number) =>
    n < 24 ? [(major << 5) | n] : n < 256 ? [(major << 5) | 24, n] : [(major << 5) | 25, n >> 8, n & 255];
  if (typeof value === 'number') return Uint8Array.from(value >= 0 ? head(0, value) : head(1, -1 - value));
  if (typeof value === 'string') return join(Uint8Array.from(head(3, utf8(value).length)), utf8(value));
  if (value instanceof Uint8Array) return join(Uint8Array.from(head(2, value.length)), value);
  type Item = Parameters<typeof cbor>[0];
  return join(
    Uint8Array.from(head(5, value.length)),
    ...value.flatMap(([key, item]) => [cbor(key as Item), cbor(item as Item)]),
  );
}

/** Converts a Web Crypto signature, two concatenated numbers, to the DER form of authenticators. */
function derOf(raw: Uint8Array): Uint8Array {
  const number = (bytes: Uint8Array) => {
    let from = 0;
    while (from < bytes.length - 1 && bytes[from] === 0) from += 1;
    const significant = bytes.slice(from);
    const padded = (significant[0] ?? 0) > 127 ? join(Uint8Array.of(0), significant) : significant;
    return join(Uint8Array.of(2, padded.length), padded);
  };
  const sequence = join(number(raw.slice(0, 32)), number(raw.slice(32)));
  return join(Uint8Array.of(0x30, sequence.length), sequence);
}

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } };
/** Deviations from a correct response. */
export type Deviations = {
  origin?: string;
  host?: string;
  /** The signature counter; by default one more than before. */
  counter?: number;
  /** Skips user verification: no fingerprint, face or PIN. */
  isUnverified?: boolean;
  /** Overrides the client data's type. */
  type?: string;
};

export async function makeAuthenticator(appUrl = 'http://localhost:8787') {
  const id = crypto.getRandomValues(new Uint8Array(16));
  const keys = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  let counter = 0;
  let userHandle: string | undefined;

  const clientData = (type: string, { challenge }: Options, changes: Deviations) =>
    utf8(
      JSON.stringify({ type: changes.type ?? type, challenge, origin: changes.origin ?? appUrl, crossOrigin: false }),
    );

  const authData = async (changes: Deviations, attested = new Uint8Array()) => {
    counter = changes.counter ?? counter + 1;
    const flags = 1 | (changes.isUnverified ? 0 : 4) | (attested.length > 0 ? 64 : 0);
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, counter);
    return join(await sha256(utf8(changes.host ?? new URL(appUrl).hostname)), Uint8Array.of(flags), count, attested);
  };

  const base = { id: b64(id), rawId: b64(id), type: 'public-key' as const, clientExtensionResults: {} };
  return {
    id: base.id,
    /** Creates a passkey: a browser's response to enrolment options. */
    async make(options: Options, changes: Deviations = {}) {
      userHandle = options.user?.id;
      const { x = '', y = '' } = (await crypto.subtle.exportKey('jwk', keys.publicKey)) as JsonWebKey;
      const point = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'));
      const cose = cbor([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ]);
      const attested = join(new Uint8Array(16), Uint8Array.of(0, id.length), id, cose);
      const attestation = cbor([
        ['fmt', 'none'],
        ['attStmt', []],
        ['authData', await authData(changes, attested)],
      ]);
      const clientDataJSON = b64(clientData('webauthn.create', options, changes));
      return { ...base, response: { clientDataJSON, attestationObject: b64(attestation), transports: ['internal'] } };
    },
    /** Signs with the passkey: a browser's response to sign-in options. */
    async show(options: Options, changes: Deviations = {}) {
      const data = clientData('webauthn.get', options, changes);
      const authenticatorData = await authData(changes);
      const signed = join(authenticatorData, await sha256(data));
      const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, keys.privateKey, signed);
      return {
        ...base,
        response: {
          clientDataJSON: b64(data),
          authenticatorData: b64(authenticatorData),
          signature: b64(derOf(new Uint8Array(raw))),
          ...(userHandle ? { userHandle } : {}),
        },
      };
    },
  };
}

export type Authenticator = Awaited<ReturnType<typeof makeAuthenticator>>;
