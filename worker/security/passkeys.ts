import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/** A passkey as it is stored: id and COSE key in base64url, how often it has signed, how a browser reaches it. */
export type Passkey = { id: string; publicKey: string; counter: number; transports: string[] };

/** A browser's answer to a challenge, in the form of the standard's JSON. */
type Enrolled = Parameters<typeof verifyRegistrationResponse>[0]['response'];
type Shown = Parameters<typeof verifyAuthenticationResponse>[0]['response'];

export type Passkeys = ReturnType<typeof createPasskeys>;

/** EdDSA, ES256 and RS256: what authenticators have and the Workers runtime verifies. */
const ALGORITHMS = [-8, -7, -257];
/** How long a browser lets its person take (ms). */
const TIMEOUT_MS = 120_000;

type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);
const fromBase64Url = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

type Transport = NonNullable<Enrolled['response']['transports']>[number];
const descriptor = ({ id, transports }: Passkey) => ({ id, transports: transports as Transport[] });

/**
 * Passkeys of this installation, which belong to the host of its address: a browser offers and signs them nowhere else.
 * Each use needs the person, by finger, face or PIN. Challenges are made and kept by the caller.
 */
export function createPasskeys({ appUrl, name }: { appUrl: string; name: string }) {
  const { hostname: rpID, origin } = new URL(appUrl);
  const expected = (challenge: string) => ({
    expectedChallenge: toBase64Url(bytesOf(challenge)),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  });
  return {
    /** What a browser needs to make a passkey. `person.id`: at most 64 bytes; `known`: those that it must not make again. */
    enrolment: (challenge: string, person: { id: string; name: string }, known: Passkey[] = []) =>
      generateRegistrationOptions({
        rpName: name,
        rpID,
        userID: bytesOf(person.id),
        userName: person.name,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: known.map(descriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      }),

    /** The passkey that a browser made for this challenge; null: the answer is not for us, or is none. */
    async readEnrolment(response: Enrolled, challenge: string): Promise<Passkey | null> {
      const read = await orNull(
        verifyRegistrationResponse({ ...expected(challenge), response, supportedAlgorithmIDs: ALGORITHMS }),
      );
      if (!read?.verified) return null;
      const { id, publicKey, counter, transports = [] } = read.registrationInfo.credential;
      return { id, publicKey: toBase64Url(publicKey), counter, transports };
    },

    /** What a browser needs to show a passkey; without `of` it offers each that it has for this host. */
    signIn: (challenge: string, of: Passkey[] = []) =>
      generateAuthenticationOptions({
        rpID,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        allowCredentials: of.map(descriptor),
      }),

    /** What a passkey that was shown names its person by; empty: nothing, or no text. */
    personOf({ response: { userHandle = '' } }: Shown): string {
      try {
        return new TextDecoder().decode(fromBase64Url(userHandle));
      } catch {
        return '';
      }
    },

    /**
     * How often the passkey has signed by now; null: it did not sign this challenge for this origin, or its count went
     * back, as that of a copied key does.
     */
    async readSignIn(response: Shown, challenge: string, passkey: Passkey): Promise<number | null> {
      const credential = {
        ...descriptor(passkey),
        publicKey: fromBase64Url(passkey.publicKey),
        counter: passkey.counter,
      };
      const read = await orNull(verifyAuthenticationResponse({ ...expected(challenge), response, credential }));
      return read?.verified ? read.authenticationInfo.newCounter : null;
    },
  };
}

/** The library throws for each thing that is wrong with an answer; a caller needs to know no more than that it is. */
const orNull = <T>(read: Promise<T>): Promise<T | null> => read.catch(() => null);
