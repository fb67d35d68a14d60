import { StaffPasskeyOptions } from '#shared/contracts/proof';
import type { ProofBody } from '#shared/contracts/proof-request';
import { TokenStatus } from '#shared/contracts/session';
import { type ApiClient, sendJson } from '#site/islands/ui/api/api-client.ts';
import type { Answer, Reader } from '#site/islands/ui/api/parse-response.ts';
import { readNothing } from '#site/islands/ui/api/read-nothing.ts';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { showPasskey } from '#site/islands/ui/passkey/passkey.ts';

const readOptions = readWith(StaffPasskeyOptions);
const readEmail = readWith(TokenStatus, ({ data }) => data.user);

export type ProofCalls = {
  passkey(): Promise<Answer<true>>;
  pin(pin: string): Promise<Answer<true>>;
  /** The person's address. */
  email(): Promise<Answer<string>>;
};

export function proofCalls(client: ApiClient): ProofCalls {
  const post = <T>(path: string, read: Reader<T>, body: object) => client.call(path, read, sendJson('POST', body));
  const prove = (body: { kind: 'passkey'; response: object } | Extract<ProofBody, { kind: 'pin' }>) =>
    post('/api/session/proof', readNothing, body);
  return {
    passkey: async () => {
      const asked = await post('/api/session/proof/options', readOptions, {});
      if (!asked.ok) return asked;
      const shown = await showPasskey(asked.value.options);
      return shown.ok ? prove({ kind: 'passkey', response: shown.value }) : shown;
    },
    pin: (pin) => prove({ kind: 'pin', pin }),
    email: () => client.call('/api/token/status/current', readEmail),
  };
}
