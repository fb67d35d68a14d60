import { bearer } from './consent.ts';
import type { TestApp } from './login.ts';
import { control } from './wire.ts';

type Mail = { to: string[]; subject: string; text: string; html: string };
/** The mails to an address. */
export const mailTo = (email: string) => control<Mail[]>(`mail?to=${encodeURIComponent(email)}`);

type Kind = 'sendPaymentLink' | 'sendPaymentSuccessEmail';
type Said = { status?: string; to?: string; sent_at?: string; error?: { code: string; message: string } };
/** Presses one of the two buttons that mail an invoice. */
export const mail = async (app: TestApp, token: string, kind: Kind, id: string) => {
  const answer = await app.request(`/api/invoices/${kind}/${id}`, { method: 'POST', headers: bearer(token) });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: (await answer.json()) as Said };
};
export const refusal = ({ status, body }: Awaited<ReturnType<typeof mail>>) => [status, body.error?.message];
