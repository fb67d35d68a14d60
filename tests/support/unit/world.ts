import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { oneDatabase } from '#tests/support/unit/one-database';
import { testSettings } from '#tests/support/unit/settings';
import { openDb } from '#worker/data/db';
import { invoices, ledger, outbox, payLinks, paymentAttempts } from '#worker/data/schema/schema';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import type { Crm, CrmInvoice } from '#worker/vendors/hubspot/port';
import type { Mail } from '#worker/vendors/resend/port';
import { scriptedGateway } from './scripted-gateway.ts';

export { approvedOutcome, declinedOutcome, lostOutcome, transaction } from './scripted-gateway.ts';

const settings = testSettings('http://127.0.0.1:1');

let counter = 0;
/** Ids that are unique in this run. */
export const freshId = (): number => 100_000 + Math.floor(performance.now()) * 1000 + counter++;

export type World = Awaited<ReturnType<typeof makeWorld>>;

/**
 * One clinic with an open invoice and a live link, on real D1 and R2. Tests script CRM, gateway and mail. Every world
 * has its own ids, so tests do not affect each other.
 */
export async function makeWorld(overrides: Record<string, unknown> = {}) {
  const accountId = freshId();
  const invoiceId = String(freshId());
  const clock = { now: Date.UTC(2026, 2, 4, 15, 0, 0) };
  const invoice: CrmInvoice = {
    id: invoiceId,
    number: `INV-${invoiceId}`,
    status: 'open',
    currency: 'USD',
    balanceCents: 18_400,
    billedCents: 18_400,
    dueDate: '2026-03-10',
    invoiceDate: '2026-02-08',
    paidAt: null,
    createdAt: clock.now - 86_400_000,
    modifiedAt: clock.now - 3_600_000,
    contactId: String(freshId()),
    companyId: String(freshId()),
    contact: { firstName: 'Marta', lastName: 'Núñez', email: 'marta@example.test' },
    contactAddress: { address: '', city: '', state: '', zip: '' },
    contactLanguage: '',
    company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' },
  };
  const crm = { invoice: invoice as CrmInvoice | null, reads: 0, refreshes: 0 };
  const gateway = scriptedGateway();
  const mails: Mail[] = [];
  const logs: string[] = [];
  const real = createDeps({ ...env, ...settings, ...overrides } as unknown as Env);
  const installation: Deps = {
    ...real,
    clinics: oneDatabase(),
    crm: {
      ...real.crm,
      getInvoice: async () => {
        crm.reads++;
        return crm.invoice;
      },
      refreshTokens: async () => {
        crm.refreshes++;
        return { accessToken: `a${crm.refreshes}`, refreshToken: `r${crm.refreshes}`, expiresInS: 1800, scopes: [] };
      },
    } satisfies Crm,
    gateway: gateway.port,
    mailer: {
      send: async (mail) => {
        mails.push(mail);
        return 'sent';
      },
    },
    log: {
      info: (event) => logs.push(event),
      alert: (event) => logs.push(`ALERT ${event}`),
    },
    now: () => clock.now,
    pause: async () => undefined,
  };
  const deps = await findOrCreateClinic(installation, accountId);
  await connectAccount(
    deps,
    {
      accountId,
      name: 'Maple Street Dental',
      domain: 'maple.example',
      timeZone: 'America/Indiana/Indianapolis',
      phone: '317-555-0100',
    },
    { accessToken: 'a0', refreshToken: 'r0', expiresInS: 1800, scopes: ['oauth'] },
  );
  await boardTerminal(deps, {
    accountId,
    terminalId: `T${accountId}`,
    name: 'Web',
    channel: 'ecommerce',
    publicKey: 'abc',
    apiKey: 'secret-key',
  });
  const db = openDb(env.DB);
  const { issuePayLink } = await import('#worker/domain/pay-links/pay-link');
  const link = await issuePayLink(deps, accountId, invoiceId);
  if (!link) throw new Error('the link was not issued');
  return {
    accountId,
    invoiceId,
    payId: link.payId,
    clock,
    crm,
    gateway,
    mails,
    logs,
    deps,
    installation,
    db,
    attempts: () => db.select().from(paymentAttempts).where(eq(paymentAttempts.invoiceId, invoiceId)),
    ledger: () => db.select().from(ledger).where(eq(ledger.invoiceId, invoiceId)),
    outbox: async () => (await db.select().from(outbox)).filter(({ attemptId }) => attemptId !== null),
    invoiceRow: async () => (await db.select().from(invoices).where(eq(invoices.invoiceId, invoiceId)))[0],
    links: () => db.select().from(payLinks).where(eq(payLinks.invoiceId, invoiceId)),
  };
}
