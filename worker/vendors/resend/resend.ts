import * as z from 'zod/mini';
import { callVendor, parseJson } from '../http.ts';
import type { Mailer } from './port.ts';

const Refusal = z.object({ name: z.string() });
const Taken = z.object({ id: z.string().check(z.regex(/^[\w-]{1,64}$/)) });

/** What the service takes as a tag; it refuses a mail with any other. */
const TAG = /^[\w-]{1,256}$/;

export type ResendOptions = { baseUrl: string; apiKey: string; from: string; timeoutMs: number };

/**
 * Sends mail through Resend's API. It takes JSON, so a name from the CRM can never become a header; the idempotency key
 * prevents a second mail when a call is repeated. The tags come back with each event of the mail, so that an event finds
 * its mail even when the answer to this call was lost.
 */
export function createResend({ baseUrl, apiKey, from, timeoutMs }: ResendOptions): Mailer {
  return {
    async send({ to, subject, text, html, idempotencyKey, clinic, headers }) {
      const names = { mail: idempotencyKey, clinic: String(clinic) };
      const tags = Object.entries(names).map(([name, value]) => ({ name, value }));
      const reply = await callVendor(
        `${baseUrl}/emails`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': idempotencyKey,
          },
          // [documented] `headers` are those of the mail; what is not there JSON leaves out.
          body: JSON.stringify({
            from,
            to: [to],
            subject,
            text,
            html,
            headers,
            ...(TAG.test(idempotencyKey) && { tags }),
          }),
        },
        timeoutMs,
      );
      if (reply.status >= 200 && reply.status < 300) return Taken.safeParse(parseJson(reply.text)).data ?? 'sent';
      // An earlier mail with this key was accepted; its content has changed since, but that needs no second mail.
      const refusal = Refusal.safeParse(parseJson(reply.text)).data;
      if (reply.status === 409 && refusal?.name === 'invalid_idempotent_request') return 'sent';
      if (reply.status === 422 || reply.status === 400) return 'refused';
      throw new Error(`mail HTTP ${reply.status}`);
    },
  };
}
