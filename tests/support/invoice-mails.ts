import { bearer } from './consent.ts';
import type { TestApp } from './login.ts';
import { control } from './wire.ts';

type Mail = { to: string[]; subject: string; text: string; html: string };
/** Reads the mails to an address. */
export const readMailsTo = (email: string) => control<Mail[]>(`mail?to=${encodeURIComponent(email)}`);

type Kind = 'sendPaymentLink' | 'sendPaymentSuccessEmail';
type Reply = { status?: string; to?: string; sent_at?: string; error?: { code: string; message: string } };
/** Sends one of the two invoice mails. Returns status, Retry-After and body of the answer. */
export const sendInvoiceMail = async (app: TestApp, token: string, kind: Kind, id: string) => {
  const answer = await app.request(`/api/invoices/${kind}/${id}`, { method: 'POST', headers: bearer(token) });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: (await answer.json()) as Reply };
};
/** Status and message of a refusal. */
export const refusalOf = ({ status, body }: Awaited<ReturnType<typeof sendInvoiceMail>>) => [
  status,
  body.error?.message,
];
