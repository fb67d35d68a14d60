import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { type Answer, failed } from '../api/parse-response.ts';

type ShowOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type MakeOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const cancelled = (message: string) => failed<never>({ code: 'cancelled', message, fields: [], status: 0 });

/** Has the browser show a passkey. `options`: the Worker's, in the standard's JSON, as is the answer. */
export async function showPasskey(options: object): Promise<Answer<object>> {
  try {
    return { ok: true, value: await startAuthentication({ optionsJSON: options as ShowOptions }) };
  } catch {
    // The person pressed cancel, or the browser has no passkey for this place.
    return cancelled('No passkey was shown. Please try again.');
  }
}

/** Has the browser make a passkey, likewise. */
export async function makePasskey(options: object): Promise<Answer<object>> {
  try {
    return { ok: true, value: await startRegistration({ optionsJSON: options as MakeOptions }) };
  } catch {
    return cancelled('No passkey was made. Please try again.');
  }
}
