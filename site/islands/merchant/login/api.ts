import { StaffPasskeyOptions } from '#shared/contracts/staff/proof';
import { ChooseClinic, JoinOffer } from '#shared/contracts/staff/team';
import type { CodeLoginBody, LoginCodeBody } from '#shared/contracts/staff/team-request';
import { sendJson, sendRequest } from '#site/islands/ui/api/api-client.ts';
import { type Answer, type Reader, readWith } from '#site/islands/ui/api/parse-response.ts';
import { readNothing } from '#site/islands/ui/api/read-nothing.ts';
import { showPasskey } from '#site/islands/ui/passkey/passkey.ts';

/** API calls without a session; the Worker's reply sets the session cookies. */

const browserFetch = (path: string, init: RequestInit) => fetch(path, init);
const send = <T>(path: string, read: Reader<T>, init: RequestInit) =>
  sendRequest({ fetch: browserFetch }, path, read, init);
const post = <T>(path: string, read: Reader<T>, body: object) => send(path, read, sendJson('POST', body));

const readOptions = readWith(StaffPasskeyOptions);
const readChoice = readWith(ChooseClinic);
const readOffer = readWith(JoinOffer);

export async function logInByPasskey(): Promise<Answer<true>> {
  const options = await post('/api/session/passkey/options', readOptions, {});
  if (!options.ok) return options;
  const passkey = await showPasskey(options.value.options);
  return passkey.ok ? post('/api/session/passkey', readNothing, { response: passkey.value }) : passkey;
}

/** The reply does not reveal whether any clinic has the address. */
export const requestCode = (email: string) => post('/api/session/code', readNothing, { email } satisfies LoginCodeBody);

/** True once logged in, otherwise the clinics to choose from; the same code is then sent again with the chosen one. */
export const logInByCode = (body: CodeLoginBody) =>
  post<true | ChooseClinic['clinics']>(
    '/api/session',
    (answer, headers) => readNothing(answer, headers) ?? readChoice(answer)?.clinics ?? null,
    body,
  );

const joinApi = (secret: string) => `/api/join/${encodeURIComponent(secret)}`;
export const readJoinOffer = (secret: string) => send(joinApi(secret), readOffer, {});
export const acceptJoinOffer = (secret: string) => send(joinApi(secret), readNothing, { method: 'POST' });
