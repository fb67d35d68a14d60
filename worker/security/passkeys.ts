import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/** A stored passkey: id and COSE key in base64url, signature counter, transports. */
export type Passkey = { id: string; publicKey: string; counter: number; transports: string[] };

/** Browsers' responses to a challenge, in WebAuthn's JSON format. */
type RegistrationResponse = Parameters<typeof verifyRegistrationResponse>[0]['response'];
type SignInResponse = Parameters<typeof verifyAuthenticationResponse>[0]['response'];

export type Passkeys = ReturnType<typeof createPasskeys>;

/** EdDSA, ES256 and RS256: supported by authenticators and by the Workers runtime. */
const ALGORITHMS = [-8, -7, -257];
/** How long the browser waits for the user (ms). */
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

type Transport = NonNullable<RegistrationResponse['response']['transports']>[number];
const descriptor = ({ id, transports }: Passkey) => ({ id, transports: transports as Transport[] });

/**
 * Passkeys of this installation, bound to the host of its URL: a browser does not offer them on any other host. Each
 * use requires user verification by fingerprint, face or PIN. The caller creates and stores the challenges.
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
    /** Options for creating a passkey. `person.id`: at most 64 bytes; `existing`: passkeys to exclude. */
    enrolment: (challenge: string, person: { id: string; name: string }, existing: Passkey[] = []) =>
      generateRegistrationOptions({
        rpName: name,
        rpID,
        userID: bytesOf(person.id),
        userName: person.name,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: existing.map(descriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      }),

    /** Returns the passkey created for this challenge. Null if the response is invalid or for another site. */
    async readEnrolment(response: RegistrationResponse, challenge: string): Promise<Passkey | null> {
      const verification = await nullIfInvalid(
        verifyRegistrationResponse({ ...expected(challenge), response, supportedAlgorithmIDs: ALGORITHMS }),
      );
      if (!verification?.verified) return null;
      const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential;
      return { id, publicKey: toBase64Url(publicKey), counter, transports };
    },

    /** Options for signing in with a passkey. Without `passkeys`, the browser offers all its passkeys for this host. */
    signIn: (challenge: string, passkeys: Passkey[] = []) =>
      generateAuthenticationOptions({
        rpID,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        allowCredentials: passkeys.map(descriptor),
      }),

    /** Returns the user id from a sign-in response. Empty if missing or not base64url text. */
    personOf({ response: { userHandle = '' } }: SignInResponse): string {
      try {
        return new TextDecoder().decode(fromBase64Url(userHandle));
      } catch {
        return '';
      }
    },

    /**
     * Returns the new signature counter. Null if the passkey did not sign this challenge for this origin, or if the
     * counter went down, which indicates a copied key.
     */
    async readSignIn(response: SignInResponse, challenge: string, passkey: Passkey): Promise<number | null> {
      const credential = {
        ...descriptor(passkey),
        publicKey: fromBase64Url(passkey.publicKey),
        counter: passkey.counter,
      };
      const verification = await nullIfInvalid(
        verifyAuthenticationResponse({ ...expected(challenge), response, credential }),
      );
      return verification?.verified ? verification.authenticationInfo.newCounter : null;
    },
  };
}

/** The library throws for every invalid response; the caller does not need the reason. */
const nullIfInvalid = <T>(read: Promise<T>): Promise<T | null> => read.catch(() => null);
