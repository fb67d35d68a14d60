import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { type Answer, failedAnswer } from '../api/parse-response.ts';

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const cancelledAnswer = (message: string) => failedAnswer<never>({ code: 'cancelled', message, fields: [], status: 0 });

/** Gets a passkey's signature from the browser. `options` and the result are in the WebAuthn JSON format. */
export async function requestPasskey(options: object): Promise<Answer<object>> {
  try {
    return { ok: true, value: await startAuthentication({ optionsJSON: options as AuthenticationOptions }) };
  } catch {
    // The user canceled, or the browser has no passkey for this site.
    return cancelledAnswer('No passkey was shown. Please try again.');
  }
}

/** Creates a passkey. `options` and the result are in the WebAuthn JSON format. */
export async function createPasskey(options: object): Promise<Answer<object>> {
  try {
    return { ok: true, value: await startRegistration({ optionsJSON: options as RegistrationOptions }) };
  } catch {
    return cancelledAnswer('No passkey was made. Please try again.');
  }
}
