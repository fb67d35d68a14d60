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
export function productOfWorker(): Product {
  const products = inject('products');
  const product = products[(Number(process.env.VITEST_POOL_ID) - 1) % products.length];
  if (!product) throw new Error('no product was started for this worker');
  return product;
}

/** The installation's deps of a running product, from its configuration. */
export function installationOf(product: Product): Deps {
  const config = JSON.parse(readFileSync(path.join(product.state, 'site/server/wrangler.local.json'), 'utf8')) as {
    vars: Record<string, string>;
  };
  // Tests use neither the buckets nor the built files through these deps.
  const bindings = { INSTALLATION: remoteDatabase(product), CLINICS: remoteClinics(product), MEDIA: {} } as Bindings;
  return createDeps({ ...bindings, ...config.vars });
}

/**
 * The running product as tests use it: makes invoices in the simulated CRM and links to them, and reads the records of
 * gateway and mailbox. Call it once at the top of a test file.
 */
export function useProduct(product = productOfWorker()) {
  const [account] = hubs;
  const online = sandboxTerminals.find(({ channel }) => channel === 'ecommerce');
  if (!online) throw new Error('the sandbox has no online terminal');
  let installation: Deps;
  let deps: Deps;

  /** The deps of an account's clinic. */
  const clinic = async (accountId: number): Promise<Deps> => {
    const clinicDeps = await clinicOfAccount(installation, accountId);
    if (!clinicDeps) throw new Error(`account ${accountId} has no clinic`);
    return clinicDeps;
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
  const fault = (on: string, kind: string, options: { times?: number; ms?: number } = {}) =>
    sandbox('faults', { on, do: kind, account: account.hubId, ...options });
  /** Runs the work while the clinics' alarms are held, so that a fault hits only the test's own call. */
  const withAlarmsHeld = <T>(work: () => Promise<T>) => withClocksHeld(product, work);
  const clearFaults = () => sandbox(`faults?account=${account.hubId}`, undefined, 'DELETE');
  /** Changes the simulated vendors' settings, for this account only. */
  const set = (settings: Record<string, unknown>) => sandbox(`hubs/${account.hubId}/settings`, settings);

  /** The CRM ids of the invoices made here, by number. */
  const idsByNumber = new Map<string, string>();
  /** Makes an open invoice of account 1 in the CRM, with its own number and recipient. */
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

  /** Makes an invoice with a live pay link. */
  const makeLink = async (fields: InvoiceFields = {}) => {
    const invoice = await makeInvoice(fields);
    const link = await issuePayLink(deps, account.hubId, invoice.invoiceId);
    if (!link) throw new Error('no link was issued');
    return { ...invoice, payId: link.payId, address: `${product.appUrl}/make/payment/${link.payId}` };
  };

  /** Gets a card token the way the provider's frame does. */
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

  const form = async (fields: Record<string, unknown> = {}) => ({
    ...payerFields(),
    paymentDetails: await cardToken(),
    ...fields,
  });

  /** POSTs the pay call; a string body is sent unchanged. */
  const pay = (payId: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${product.appUrl}/api/invoices/takePaymentSDK/${payId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  /** Removes an account's application at the card provider, so that a test can apply anew. */
  const forgetMerchant = async (accountId: number) => {
    const clinicDeps = await clinicOfAccount(installation, accountId);
    if (!clinicDeps) return;
    const { db } = clinicDeps;
    await db.batch([
      db.delete(merchantLogs).where(eq(merchantLogs.accountId, accountId)),
      db.delete(merchants).where(eq(merchants.accountId, accountId)),
      db.delete(terminals).where(eq(terminals.accountId, accountId)),
    ]);
  };

  /** The gateway's transactions of an invoice of this file, by its number. */
  const charges = (number: string) =>
    sandbox<Charge[]>('charges').then((all) =>
      all.filter(({ invoice }) => invoice.startsWith(`${idsByNumber.get(number) ?? number}-`)),
    );
  const mailTo = (email: string) => sandbox<MailRow[]>(`mail?to=${encodeURIComponent(email)}`);
  /** Runs the product's cron and then the clinics' alarms. */
  const runSchedule = async () => {
    await fetch(`${product.appUrl}/cdn-cgi/local/scheduled`);
    await ringClinics(product);
  };

  return {
    ...product,
    account,
    /** The deps of account 1's clinic. */
    deps: () => deps,
    installation: () => installation,
    clinic,
    sandbox,
    fault,
    withAlarmsHeld,
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

/** Repeats a read until its result meets the condition, and returns it. Throws after `withinMs`. */
export async function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean, withinMs = 20_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (Date.now() > end) throw new Error(`the condition was not met: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
