import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { type Answer, failed } from '../api/parse-response.ts';

type ShowOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type MakeOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const cancelled = (message: string) => failed<never>({ code: 'cancelled', message, fields: [], status: 0 });

/** Gets a passkey's signature from the browser. `options` and the result are in the WebAuthn JSON format. */
export async function showPasskey(options: object): Promise<Answer<object>> {
  try {
    return { ok: true, value: await startAuthentication({ optionsJSON: options as ShowOptions }) };
  } catch {
    // The user canceled, or the browser has no passkey for this site.
    return cancelled('No passkey was shown. Please try again.');
  }
}

/** Creates a passkey. `options` and the result are in the WebAuthn JSON format. */
export async function makePasskey(options: object): Promise<Answer<object>> {
  try {
    return { ok: true, value: await startRegistration({ optionsJSON: options as MakeOptions }) };
  } catch {
    return cancelled('No passkey was made. Please try again.');
  }
}
