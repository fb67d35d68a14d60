import * as z from 'zod/mini';
import { callVendor, parseJson } from '../http.ts';
import type { Mailer } from './port.ts';

const Refusal = z.object({ name: z.string() });

export type ResendOptions = { baseUrl: string; apiKey: string; from: string; timeoutMs: number };

/** Mail by Resend's API: JSON, so a name from the CRM can never become a header; its idempotency key keeps a repeat silent. */
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
          body: JSON.stringify({ from, to: [mail.to], subject: mail.subject, text: mail.text, html: mail.html }),
        },
        timeoutMs,
      );
      if (reply.status >= 200 && reply.status < 300) return 'sent';
      // The first of two under one key was taken; what it tells of has changed since, which calls for no second mail.
      const refusal = Refusal.safeParse(parseJson(reply.text)).data;
      if (reply.status === 409 && refusal?.name === 'invalid_idempotent_request') return 'sent';
      if (reply.status === 422 || reply.status === 400) return 'refused';
      throw new Error(`mail HTTP ${reply.status}`);
    },
  };
}
