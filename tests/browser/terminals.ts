import type { Page } from 'playwright-core';
import { terminals } from '#sandbox/credentials';
import { type InvoiceFields, until, type useProduct } from '../support/product/product.ts';

/** Helpers for sales at the counter: the card readers, the invoices and the screen. */

type Product = ReturnType<typeof useProduct>;

export const FRONT = 'Front desk 1';
export const BACK = 'Front desk 2';

/** Texts of the full-window screen about a sale. */
export const WAITING = 'Please tap, insert or swipe';
export const PAID = 'Paid. Thank you';

export const idOf = (name: string): string => {
  const terminal = terminals.find((candidate) => candidate.name === name);
  if (!terminal) throw new Error(`the sandbox has no ${name}`);
  return terminal.terminalId;
};

/** Operates the device as a person would. */
export const touch = (product: Product, action: string, name = FRONT) =>
  product.sandbox(`terminals/${idOf(name)}`, { do: action });

/** Cancels all pending sales and turns each device on. */
export async function clearDevices(product: Product): Promise<void> {
  for (const name of [FRONT, BACK]) {
    // Without a pending sale there is nothing to cancel.
    await touch(product, 'cancel', name).catch(() => undefined);
    await touch(product, 'online', name);
  }
}

/** Sends requests as the user who is logged in on the page. */
export const callAs =
  (page: Page, appUrl: string) =>
  async (path: string, body?: unknown, method = 'POST') => {
    const cookie = (await page.context().cookies(appUrl)).find(({ name }) => name === 'authToken');
    return fetch(`${appUrl}${path}`, {
      headers: { authorization: `Bearer ${cookie?.value}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
    });
  };

/** Starts a sale on the same terminal from another session. */
export const startInOtherSession = async (page: Page, product: Product, invoiceId: string, name = FRONT) =>
  (await callAs(page, product.appUrl)(`/api/terminals/${idOf(name)}/sales`, { invoiceId })).status;

/** Closes the batch that other tests left open on a device, so that the next sale opens a new one. */
export async function closeOpenBatch(page: Page, product: Product, name: string): Promise<void> {
  const call = callAs(page, product.appUrl);
  const terminal = `/api/terminals/${idOf(name)}`;
  await until(
    async () => {
      const { batch } = (await (await call(`${terminal}/closing`)).json()) as { batch?: { id: string } | null };
      if (batch) await call(`${terminal}/batches/close?batch=${batch.id}`, {}, 'PUT');
      return batch;
    },
    (batch) => batch === null,
    60_000,
  );
}

/** Opens a batch by a paid sale from another session, unless one is open. Other tests may have closed the batch. */
export async function openBatch(page: Page, product: Product, name: string): Promise<void> {
  const closing = await callAs(page, product.appUrl)(`/api/terminals/${idOf(name)}/closing`);
  const { batch } = (await closing.json()) as { batch?: { id: string } | null };
  if (batch) return;
  const { invoiceId, number } = await counterInvoice(page, product);
  const status = await startInOtherSession(page, product, invoiceId, name);
  if (status !== 202) throw new Error(`the sale was not started: ${status}`);
  const isTapped = () =>
    touch(product, 'tap', name).then(
      () => true,
      () => false,
    );
  // The device receives the sale a moment later.
  await until(isTapped, Boolean);
  await until(
    () => product.charges(number),
    ([charge]) => charge?.result === 'APPROVED',
  );
}

export async function payIdOf(page: Page, product: Product, invoiceId: string): Promise<string> {
  const answer = await callAs(page, product.appUrl)(`/api/invoices/${invoiceId}/link`, {});
  return ((await answer.json()) as { id: string }).id;
}

export type CounterInvoice = { invoiceId: string; number: string; email: string; customer: string };

/** Creates an open invoice with its own customer; waits until the product has read it. The page must be logged in. */
export async function counterInvoice(
  page: Page,
  product: Product,
  fields: InvoiceFields = {},
): Promise<CounterInvoice> {
  const lastname = `Desk${crypto.randomUUID().slice(0, 8)}`;
  const email = `${lastname.toLowerCase()}@payer.example`;
  const contact = { firstname: 'Marta', ...fields.contact, lastname, email };
  const invoice = await product.makeInvoice({ ...fields, contact });
  const call = callAs(page, product.appUrl);
  await until(
    async () => (await (await call(`/api/customers?open=1&q=${lastname}`)).json()) as { data?: { results: unknown[] } },
    ({ data }) => data?.results.length === 1,
    60_000,
  );
  return { ...invoice, email, customer: `${contact.firstname} ${lastname}` };
}

/** Opens the terminal screen. The page must be logged in. */
export async function showDesk(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.appUrl}/payments`);
  await page.getByRole('heading', { name: 'Take Payment' }).waitFor();
}

export const device = (page: Page) => page.getByLabel('Device', { exact: true });
export const customerBox = (page: Page) => page.getByRole('combobox', { name: 'Customer' });
export const invoiceSelect = (page: Page) => page.getByLabel('Invoice', { exact: true });
export const proceed = (page: Page) => page.getByRole('button', { name: 'Proceed to Payment' });

/** Chooses device, customer and invoice. */
export async function choose(page: Page, { customer, invoiceId }: CounterInvoice, name = FRONT): Promise<void> {
  await device(page).selectOption({ label: name });
  await customerBox(page).fill(customer);
  await page.getByRole('option', { name: customer }).click();
  await invoiceSelect(page).selectOption(invoiceId);
}

/** Chooses and starts the sale, until it waits for a card. */
export async function sell(page: Page, invoice: CounterInvoice, name = FRONT): Promise<void> {
  await choose(page, invoice, name);
  await proceed(page).click();
  await waitForSaleText(page, WAITING);
}

/** Waits for the screen's text about the sale, because card reader and gateway take a moment. */
export const waitForSaleText = (page: Page, words: string) =>
  page.locator('.counter-state', { hasText: words }).waitFor({ timeout: 30_000 });
