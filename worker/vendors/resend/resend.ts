import * as z from 'zod/mini';
import { callVendor, parseJson } from '../http.ts';
import type { Mailer } from './port.ts';

const Refusal = z.object({ name: z.string() });

export type ResendOptions = { baseUrl: string; apiKey: string; from: string; timeoutMs: number };

/**
 * Sends mail through Resend's API. It takes JSON, so a name from the CRM can never become a header; the idempotency key
 * prevents a second mail when a call is repeated.
 */
export function createResend({ baseUrl, apiKey, from, timeoutMs }: ResendOptions): Mailer {
  return {
    async send(mail) {
      const reply = await callVendor(
        `${baseUrl}/emails`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': mail.idempotencyKey,
          },
          // [documented] `headers` of the mail; JSON leaves out what is not there.
          body: JSON.stringify({
            from,
            to: [mail.to],
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
            headers: mail.headers,
          }),
        },
        timeoutMs,
      );
      if (reply.status >= 200 && reply.status < 300) return 'sent';
      // An earlier mail with this key was accepted; its content has changed since, but that needs no second mail.
      const refusal = Refusal.safeParse(parseJson(reply.text)).data;
      if (reply.status === 409 && refusal?.name === 'invalid_idempotent_request') return 'sent';
      if (reply.status === 422 || reply.status === 400) return 'refused';
      throw new Error(`mail HTTP ${reply.status}`);
    },
  };
}
