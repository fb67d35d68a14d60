import { expect } from 'vitest';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { bearer } from './consent.ts';
import type { TestApp } from './login.ts';

/** Requests an invoice by record id or pay id, as the dashboard does. */
export const requestInvoice = (app: TestApp, token: string, id: string) =>
  app.request(`/api/invoices/${id}`, { headers: bearer(token) });

/** Requests an invoice and expects it to be found. */
export async function preview(app: TestApp, token: string, id: string): Promise<InvoicePreviewReply> {
  const answer = await requestInvoice(app, token, id);
  expect(answer.status).toBe(200);
  return answer.json();
}
