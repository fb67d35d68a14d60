import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { NewPasskeyOptions, RecoveryCodes, SecondFactors } from '#shared/contracts/content/second-factor-reply';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { type Answer, type ClientError, failedAnswer, readWith } from '#site/islands/ui/api/parse-response.ts';
import { call, post, readDone, readLogin } from '../api.ts';

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const readOptions = readWith(NewPasskeyOptions);
const readCodes = readWith(RecoveryCodes);
const readFactors = readWith(SecondFactors);

const cancelledError = (message: string): ClientError => ({ code: 'cancelled', message, fields: [], status: 0 });

/** Gets a passkey's signature from the browser for the second step of a login. */
export async function showPasskey(options: object) {
  try {
    const credential = await startAuthentication({ optionsJSON: options as AuthenticationOptions });
    return await post('/api/auth/second', { credential }, readLogin);
  } catch {
    return failedAnswer<never>(cancelledError('No passkey was shown. Log in again, or use a recovery code.'));
  }
}

export const sendRecoveryCode = (code: string) => post('/api/auth/second', { code }, readLogin);

export const listPasskeys = () => call('/api/auth/passkeys', readFactors);

/** Creates a passkey; returns recovery codes with the first one. */
export async function makePasskey(label: string, password: string): Promise<Answer<RecoveryCodes>> {
  const options = await call('/api/auth/passkeys/options', readOptions, sendJson('POST', { password }));
  if (!options.ok) return options;
  try {
    const credential = await startRegistration({
      optionsJSON: options.value.options as unknown as RegistrationOptions,
    });
    return await call('/api/auth/passkeys', readCodes, sendJson('POST', { label, credential }));
  } catch {
    return failedAnswer(cancelledError('No passkey was made. Please try again.'));
  }
}

export const removePasskey = (id: string) =>
  call(`/api/auth/passkeys/${encodeURIComponent(id)}`, readDone, { method: 'DELETE' });
export const makeRecoveryCodes = () => call('/api/auth/recovery-codes', readCodes, { method: 'POST' });
