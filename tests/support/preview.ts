import { expect } from 'vitest';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { bearer } from './consent.ts';
import type { TestApp } from './login.ts';

/** Requests one invoice by record id or pay id, as the dashboard does. */
export const ask = (app: TestApp, token: string, id: string) =>
  app.request(`/api/invoices/${id}`, { headers: bearer(token) });

export async function preview(app: TestApp, token: string, id: string): Promise<InvoicePreviewReply> {
  const answer = await ask(app, token, id);
  expect(answer.status).toBe(200);
  return answer.json();
}
