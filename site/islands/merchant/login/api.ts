import { StaffPasskeyOptions } from '#shared/contracts/staff/proof';
import { ChooseClinic, JoinOffer } from '#shared/contracts/staff/team';
import type { CodeLoginBody, LoginCodeBody } from '#shared/contracts/staff/team-request';
import { sendJson, sendRequest } from '#site/islands/ui/api/api-client.ts';
import { type Answer, type Reader, readWith } from '#site/islands/ui/api/parse-response.ts';
import { readEmptyBody } from '#site/islands/ui/api/read-nothing.ts';
import { requestPasskey } from '#site/islands/ui/passkey/passkey.ts';

/** These API calls need no session. The Worker's reply sets the session cookies. */

const browserFetch = (path: string, init: RequestInit) => fetch(path, init);
const callApi = <T>(path: string, read: Reader<T>, init: RequestInit) =>
  sendRequest({ fetch: browserFetch }, path, read, init);
const post = <T>(path: string, read: Reader<T>, body: object) => callApi(path, read, sendJson('POST', body));

const readOptions = readWith(StaffPasskeyOptions);
const readChoice = readWith(ChooseClinic);
const readOffer = readWith(JoinOffer);

export async function logInByPasskey(): Promise<Answer<true>> {
  const options = await post('/api/session/passkey/options', readOptions, {});
  if (!options.ok) return options;
  const passkey = await requestPasskey(options.value.options);
  return passkey.ok ? post('/api/session/passkey', readEmptyBody, { response: passkey.value }) : passkey;
}

/** Requests a login code. The reply does not reveal whether any clinic has the address. */
export const requestCode = (email: string) =>
  post('/api/session/code', readEmptyBody, { email } satisfies LoginCodeBody);

/** Returns true after the login, or a choice of clinics. The same code is then sent again with the chosen clinic. */
export const logInByCode = (body: CodeLoginBody) =>
  post<true | ChooseClinic['clinics']>(
    '/api/session',
    (answer, headers) => readEmptyBody(answer, headers) ?? readChoice(answer)?.clinics ?? null,
    body,
  );

const joinPath = (secret: string) => `/api/join/${encodeURIComponent(secret)}`;
export const readJoinOffer = (secret: string) => callApi(joinPath(secret), readOffer, {});
export const acceptJoinOffer = (secret: string) => callApi(joinPath(secret), readEmptyBody, { method: 'POST' });
