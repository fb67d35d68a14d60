import { env } from 'cloudflare:workers';
import { terminals } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp, type TestApp } from '#tests/support/login';
import { bankToken, cardToken, makeForOneAccount, newInvoice } from '#tests/support/wire';
import type { Deps } from '#worker/deps';
import { boardTerminal } from '#worker/domain/merchants/connect';
import { payerFields } from '../pay-form.ts';

/** The app, an account that accepts payments, its administrator's token, and a test clock. */
export async function makeClinic(settings: Record<string, unknown> = {}, overrides: Partial<Deps> = {}) {
  const clock = { now: Date.now() };
  const longSessions = { SESSION_MS: '864000000', ACCESS_TOKEN_MS: '864000000' };
  const app = makeApp({ now: () => clock.now, ...overrides }, { ...longSessions, ...settings });
  const { token, jar } = await logIn(app, 0);
  for (const { hubId, ...terminal } of terminals) await boardTerminal(app.deps, { ...terminal, accountId: hubId });
  await env.DB.prepare("UPDATE accounts SET name = 'Maple Street Dental', phone = '(317) 555-0188'").run();
  return { app, token, jar, clock };
}

/** Makes an invoice of that account with its own number and recipient. */
export async function makeBill(fields: Record<string, unknown> = {}) {
  const tag = crypto.randomUUID().slice(0, 8);
  const email = `${tag}@payer.example`;
  const number = `T-${tag}`;
  const contact = { firstname: 'Marta', lastname: 'Núñez', email };
  const id = await newInvoice({ number, due_date: '2027-12-24', contact, ...fields });
  return { id, number, email };
}

/** Makes an invoice whose id the second account does not use. */
export const makeBillOfOneAccount = () => makeForOneAccount(makeBill, ({ id }) => id);

/** Issues a pay link and returns its pay id. */
export async function payIdOf(app: TestApp, token: string, id: string): Promise<string> {
  const answer = await app.request(`/api/invoices/${id}/link`, { method: 'POST', headers: bearer(token) });
  return ((await answer.json()) as { id: string }).id;
}

/** Pays by the link, waits for background work such as the receipt, and returns the status. */
export async function payBill(app: TestApp, payId: string, paymentType: 'card' | 'ach' = 'card'): Promise<number> {
  const body = {
    ...payerFields(),
    paymentType,
    paymentDetails: { jwt: paymentType === 'card' ? await cardToken() : await bankToken() },
  };
  const answer = await app.request(`/api/invoices/takePaymentSDK/${payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await app.settled();
  return answer.status;
}
