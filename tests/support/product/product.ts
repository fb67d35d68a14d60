import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, inject } from 'vitest';
import { hubs, terminals as sandboxTerminals } from '#sandbox/credentials';
import { merchantLogs, merchants, terminals } from '#worker/data/schema/schema';
import { type Bindings, createDeps, type Deps } from '#worker/deps';
import { clinicOfAccount } from '#worker/domain/merchants/clinic-of-account';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { payerFields } from '../pay-form.ts';
import type { Product } from './product-process.ts';
import { remoteClinics, ringClinics, withClocksHeld } from './remote-clinics.ts';
import { remoteDatabase } from './remote-database.ts';

export type InvoiceFields = {
  number?: string;
  amount?: string;
  balance?: string | null;
  currency?: string;
  status?: string;
  due_date?: string;
  contact?: Record<string, string> | null;
  company?: { name?: string } | null;
  line_items?: { name: string; price: string; quantity: string }[];
};

export type Charge = {
  id: string;
  type: string;
  result: string;
  amount: string;
  order_id: string;
  invoice: string;
};
export type MailRow = { id: string; to: string; subject: string; text: string; html: string };

/** The product of this runner worker. */
export function ownProduct(): Product {
  const products = inject('products');
  const own = products[(Number(process.env.VITEST_POOL_ID) - 1) % products.length];
  if (!own) throw new Error('no product was started for this worker');
  return own;
}

/** The installation's deps of a running product, as its configuration has them. */
export function installationOf(product: Product): Deps {
  const config = JSON.parse(readFileSync(path.join(product.state, 'site/server/wrangler.local.json'), 'utf8')) as {
    vars: Record<string, string>;
  };
  // Tests use neither the buckets nor the built files from here.
  const bindings = { INSTALLATION: remoteDatabase(product), CLINICS: remoteClinics(product), MEDIA: {} } as Bindings;
  return createDeps({ ...bindings, ...config.vars });
}

/**
 * The running product from a test's side: its own invoices in the simulated CRM, links to them, and the records of
 * gateway and mailbox. Call it once at the top of a test file.
 */
export function useProduct(product = ownProduct()) {
  const [account] = hubs;
  const online = sandboxTerminals.find(({ channel }) => channel === 'ecommerce');
  if (!online) throw new Error('the sandbox has no online terminal');
  let installation: Deps;
  let deps: Deps;

  /** The deps of an account's clinic. */
  const clinic = async (accountId: number): Promise<Deps> => {
    const found = await clinicOfAccount(installation, accountId);
    if (!found) throw new Error(`account ${accountId} has no clinic`);
    return found;
  };

  beforeAll(async () => {
    installation = installationOf(product);
    deps = await clinic(account.hubId);
  });

  const sandbox = async <T>(call: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<T> => {
    const response = await fetch(`${product.sandboxUrl}/_sandbox/${call}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };

  /** Sets a vendor's fault, for this account only. */
  const fault = (on: string, kind: string, more: { times?: number; ms?: number } = {}) =>
    sandbox('faults', { on, do: kind, account: account.hubId, ...more });
  /** Does this while the clinics' clocks stand still, so that a fault meets the test's own call and no other. */
  const alone = <T>(work: () => Promise<T>) => withClocksHeld(product, work);
  const clearFaults = () => sandbox(`faults?account=${account.hubId}`, undefined, 'DELETE');
  /** The simulated vendors' settings, for this account only. */
  const set = (settings: Record<string, unknown>) => sandbox(`hubs/${account.hubId}/settings`, settings);

  /** The CRM's ids of the invoices that were made here. */
  const idsByNumber = new Map<string, string>();
  /** A new open invoice of account 1 in the CRM, with its own number and recipient. */
  const makeInvoice = async (fields: InvoiceFields = {}) => {
    const tag = crypto.randomUUID().slice(0, 8);
    const number = `T-${tag}`;
    const email = `${tag}@payer.example`;
    const { ids } = await sandbox<{ ids: string[] }>(`hubs/${account.hubId}/invoices`, {
      number,
      amount: '184.00',
      due_date: '2099-12-24',
      contact: { firstname: 'Marta', lastname: 'Núñez', email },
      company: { name: 'Núñez Studio LLC' },
      ...fields,
    });
    const [invoiceId] = ids;
    if (!invoiceId) throw new Error('the sandbox made no invoice');
    idsByNumber.set(String(fields.number ?? number), String(invoiceId));
    return { invoiceId: String(invoiceId), number: fields.number ?? number, email };
  };

  /** A new invoice with a live pay link. */
  const makeLink = async (fields: InvoiceFields = {}) => {
    const invoice = await makeInvoice(fields);
    const link = await issuePayLink(deps, account.hubId, invoice.invoiceId);
    if (!link) throw new Error('no link was issued');
    return { ...invoice, payId: link.payId, address: `${product.appUrl}/make/payment/${link.payId}` };
  };

  /** A card token, as the provider's frame gets it. */
  const cardToken = async (card = '4111111111111111') => {
    const response = await fetch(`${product.sandboxUrl}/rest/v2/mobilejwt/manual`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'public-key': online.publicKey },
      body: JSON.stringify({
        card,
        'exp-date': '1249',
        csc: '999',
        'software-type': 't',
        'software-type-version': '1',
      }),
    });
    const { payload } = (await response.json()) as { payload: { 'mobile-jwt': { jwt: string } } };
    return payload['mobile-jwt'];
  };

  const form = async (more: Record<string, unknown> = {}) => ({
    ...payerFields(),
    paymentDetails: await cardToken(),
    ...more,
  });

  /** POSTs the pay call; a string body is sent unchanged. */
  const pay = (payId: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${product.appUrl}/api/invoices/takePaymentSDK/${payId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  /** Makes an account one that never applied at the card provider, so that a test can do that. */
  const forgetMerchant = async (accountId: number) => {
    const own = await clinicOfAccount(installation, accountId);
    if (!own) return;
    const { db } = own;
    await db.batch([
      db.delete(merchantLogs).where(eq(merchantLogs.accountId, accountId)),
      db.delete(merchants).where(eq(merchants.accountId, accountId)),
      db.delete(terminals).where(eq(terminals.accountId, accountId)),
    ]);
  };

  /** The gateway's transactions of an invoice that this file has made, by its number. */
  const charges = (number: string) =>
    sandbox<Charge[]>('charges').then((all) =>
      all.filter(({ invoice }) => invoice.startsWith(`${idsByNumber.get(number) ?? number}-`)),
    );
  const mailTo = (email: string) => sandbox<MailRow[]>(`mail?to=${encodeURIComponent(email)}`);
  /** Runs the product's cron now, and then what the clinics' clocks run. */
  const runSchedule = async () => {
    await fetch(`${product.appUrl}/cdn-cgi/local/scheduled`);
    await ringClinics(product);
  };

  return {
    ...product,
    account,
    /** Those of account 1's clinic. */
    deps: () => deps,
    installation: () => installation,
    clinic,
    sandbox,
    fault,
    alone,
    clearFaults,
    set,
    makeInvoice,
    makeLink,
    cardToken,
    form,
    pay,
    charges,
    forgetMerchant,
    mailTo,
    runSchedule,
  };
}

/** Repeats a read until the result is as wanted: waits for a condition, never for a fixed time. */
export async function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean, withinMs = 20_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (Date.now() > end) throw new Error(`not reached: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
