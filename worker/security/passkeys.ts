import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/** A stored passkey. `id` and `publicKey` (a COSE key) are in base64url; `counter` is the signature counter. */
export type Passkey = { id: string; publicKey: string; counter: number; transports: string[] };

/** Browsers' responses to a challenge, in WebAuthn's JSON format. */
type RegistrationResponse = Parameters<typeof verifyRegistrationResponse>[0]['response'];
type SignInResponse = Parameters<typeof verifyAuthenticationResponse>[0]['response'];

export type Passkeys = ReturnType<typeof createPasskeys>;

/** EdDSA, ES256 and RS256, which authenticators and the Workers runtime support. */
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
const toDescriptor = ({ id, transports }: Passkey) => ({ id, transports: transports as Transport[] });

/**
 * Handles the passkeys of this installation, which are bound to the host of its URL, so that a browser does not offer
 * them on any other host. Each use requires user verification by fingerprint, face or PIN. The caller creates and
 * stores the challenges.
 */
export function createPasskeys({ appUrl, name }: { appUrl: string; name: string }) {
  const { hostname: rpID, origin } = new URL(appUrl);
  const expectationsFor = (challenge: string) => ({
    expectedChallenge: toBase64Url(bytesOf(challenge)),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  });
  return {
    /** Returns the options for creating a passkey. `person.id`: at most 64 bytes; `existing`: passkeys to exclude. */
    enrolment: (challenge: string, person: { id: string; name: string }, existing: Passkey[] = []) =>
      generateRegistrationOptions({
        rpName: name,
        rpID,
        userID: bytesOf(person.id),
        userName: person.name,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: existing.map(toDescriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      }),

    /** Returns the passkey created for this challenge, or null if the response is invalid or for another site. */
    async readEnrolment(response: RegistrationResponse, challenge: string): Promise<Passkey | null> {
      const verification = await nullIfInvalid(
        verifyRegistrationResponse({ ...expectationsFor(challenge), response, supportedAlgorithmIDs: ALGORITHMS }),
      );
      if (!verification?.verified) return null;
      const { id, publicKey, counter, transports = [] } = verification.registrationInfo.credential;
      return { id, publicKey: toBase64Url(publicKey), counter, transports };
    },

    /**
     * Returns the options for signing in with a passkey. Without `passkeys`, the browser offers all its passkeys for
     * this host.
     */
    signIn: (challenge: string, passkeys: Passkey[] = []) =>
      generateAuthenticationOptions({
        rpID,
        challenge: bytesOf(challenge),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        allowCredentials: passkeys.map(toDescriptor),
      }),

    /** Returns the user id from a sign-in response, or an empty string if it is missing or not base64url text. */
    personOf({ response: { userHandle = '' } }: SignInResponse): string {
      try {
        return new TextDecoder().decode(fromBase64Url(userHandle));
      } catch {
        return '';
      }
    },

    /**
     * Returns the new signature counter, or null if the passkey did not sign this challenge for this origin, or if the
     * counter went down, which indicates a copied key.
     */
    async readSignIn(response: SignInResponse, challenge: string, passkey: Passkey): Promise<number | null> {
      const credential = {
        ...toDescriptor(passkey),
        publicKey: fromBase64Url(passkey.publicKey),
        counter: passkey.counter,
      };
      const verification = await nullIfInvalid(
        verifyAuthenticationResponse({ ...expectationsFor(challenge), response, credential }),
      );
      return verification?.verified ? verification.authenticationInfo.newCounter : null;
    },
  };
}

/** Returns null for an invalid response, for which the library throws. The caller does not need the reason. */
const nullIfInvalid = <T>(read: Promise<T>): Promise<T | null> => read.catch(() => null);
