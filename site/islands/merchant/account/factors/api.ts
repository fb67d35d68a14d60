import { OwnFactors, OwnPasskey, StaffPasskeyOptions } from '#shared/contracts/proof';
import type { NewPinBody } from '#shared/contracts/proof-request';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { readNothing } from '#site/islands/ui/api/read-nothing.ts';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { makePasskey } from '#site/islands/ui/passkey/passkey.ts';

const readFactors = readWith(OwnFactors);
const readOptions = readWith(StaffPasskeyOptions);
const readPasskey = readWith(OwnPasskey);

export const fetchFactors = () => api.call('/api/session/factors', readFactors);
export const mailFactorCode = () => api.call('/api/session/factors/code', readNothing, sendJson('POST', {}));

/** The mailed code goes with the first factor, and with no other. */
const withCode = (code: string) => (code === '' ? {} : { code });

export async function addPasskey(label: string, code: string): Promise<Answer<OwnPasskey>> {
  const asked = await api.call('/api/session/passkeys/options', readOptions, sendJson('POST', {}));
  if (!asked.ok) return asked;
  const made = await makePasskey(asked.value.options);
  if (!made.ok) return made;
  const body = { label, response: made.value, ...withCode(code) };
  return api.call('/api/session/passkeys', readPasskey, sendJson('POST', body));
}

export const removePasskey = (id: string) =>
  api.call(`/api/session/passkeys/${encodeURIComponent(id)}`, readNothing, { method: 'DELETE' });
export const setPin = (pin: string, code: string) =>
  api.call('/api/session/pin', readNothing, sendJson<NewPinBody>('PUT', { pin, ...withCode(code) }));
export const removePin = () => api.call('/api/session/pin', readNothing, { method: 'DELETE' });
