import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { hubs } from '#sandbox/credentials';
import { oneDatabase } from '#tests/support/unit/one-database';
import { testSettings } from '#tests/support/unit/settings';
import { control } from '#tests/support/wire';
import { sandboxUrl } from '#tests/unit/own-sandbox';
import { companies, contacts, crmSyncs, invoices, syncCursors } from '#worker/data/schema/schema';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { syncAccount } from '#worker/domain/crm-sync/sync-accounts';
import { findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
import { connectAccount } from '#worker/domain/merchants/connect';
import type { Crm, CrmInvoiceEntry } from '#worker/vendors/hubspot/port';

export type CopyWorld = Awaited<ReturnType<typeof makeCopyWorld>>;

/**
 * A connected account with its synced records; sync calls reach the sandbox's CRM. Pauses only advance the clock.
 * `calls` describes the calls to the CRM.
 */
export async function makeCopyWorld(accountIndex: 0 | 1 | 2 = 1, settings: Record<string, unknown> = {}) {
  const account = hubs[accountIndex];
  const clock = { ahead: 0 };
  const logs: string[] = [];
  const calls: string[] = [];
  const real = createDeps({ ...env, ...testSettings(sandboxUrl()), ...settings } as unknown as Env);
  const installation: Deps = {
    ...real,
    clinics: oneDatabase(),
    crm: recordCalls(real.crm, calls),
    now: () => Date.now() + clock.ahead,
    pause: async (ms) => {
      clock.ahead += ms;
    },
    log: {
      info: (event, { cause = '' } = {}) => void logs.push(`${event} ${cause}`.trim()),
      alert: (event, { cause = '' } = {}) => void logs.push(`ALERT ${event} ${cause}`.trim()),
    },
  };
  const { hubId: accountId, name, domain, timeZone, refreshToken } = account;
  const deps = await findOrCreateClinic(installation, accountId);
  const { db } = deps;
  const connect = async () =>
    connectAccount(deps, { accountId, name, domain, timeZone }, await real.crm.refreshTokens(refreshToken));
  await connect();

  /** Makes the next sync due, as if enough time had passed since the last one. */
  const makeSyncDue = () =>
    db.update(crmSyncs).set({ requestedAt: 0, waitUntil: 0 }).where(eq(crmSyncs.accountId, accountId));
  const copy = async () => {
    const row = await db.query.crmSyncs.findFirst({ where: eq(crmSyncs.accountId, accountId) });
    if (!row) throw new Error('the account has no sync state');
    return row;
  };

  return {
    account,
    accountId,
    deps,
    db,
    clock,
    logs,
    calls,
    connect,
    makeSyncDue,
    copy,
    /** Runs a sync and its continuations, regardless of the last one; a busy machine does less in one run. */
    sync: async () => {
      for (;;) {
        await makeSyncDue();
        const outcome = await syncAccount(deps, accountId);
        if (outcome !== 'to-be-continued') return outcome;
      }
    },
    /** Makes a full scan of a kind due. */
    makePassDue: (kind: 'companies' | 'contacts' | 'invoices') =>
      db
        .update(syncCursors)
        .set({ endedAt: 0 })
        .where(and(eq(syncCursors.accountId, accountId), eq(syncCursors.kind, kind))),
    /** Makes the check for deletions due. */
    makeDeletionsDue: () => db.update(syncCursors).set({ archivedAt: 0 }).where(eq(syncCursors.accountId, accountId)),
    invoices: () => db.select().from(invoices).where(eq(invoices.accountId, accountId)),
    invoice: async (id: string) => (await invoicesOf(deps, accountId, id))[0],
    contacts: () => db.select().from(contacts).where(eq(contacts.accountId, accountId)),
    companies: () => db.select().from(companies).where(eq(companies.accountId, accountId)),
    /** Reads all invoices from the CRM. */
    invoicesInCrm: async () => {
      const { accessToken } = await real.crm.refreshTokens(refreshToken);
      const entries: CrmInvoiceEntry[] = [];
      for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
        const page: { records: CrmInvoiceEntry[]; next: string | null } = await real.crm.listRecords(
          accessToken,
          'invoices',
          after,
          timeZone,
        );
        entries.push(...page.records);
        after = page.next;
      }
      return entries;
    },
    /** The number of records of each kind in the CRM. */
    inCrm: async () => {
      type Counts = { hub_id: number; invoices: number; contacts: number; companies: number };
      const { hubs: all } = await control<{ hubs: Counts[] }>('state');
      const counts = all.find(({ hub_id }) => hub_id === accountId);
      if (!counts) throw new Error('the sandbox has no such account');
      const { invoices, contacts, companies } = counts;
      return { invoices, contacts, companies };
    },
  };
}

const invoicesOf = ({ db }: Deps, accountId: number, id: string) =>
  db
    .select()
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), eq(invoices.invoiceId, id)));

const RECORDED_CALLS = [
  'listRecords',
  'listArchived',
  'readRecords',
  'readLinks',
  'listChanged',
  'listNewest',
  'countRecords',
  'getInvoice',
  'refreshTokens',
] as const;

function recordCalls(real: Crm, calls: string[]): Crm {
  const wrapped = RECORDED_CALLS.map((name) => {
    const method: (...values: never[]) => Promise<unknown> = real[name];
    const call = async (...values: never[]) => {
      calls.push(`${name}${typeof values[1] === 'string' ? ` ${String(values[1])}` : ''}`);
      return withFreshLimit(await method(...values));
    };
    return [name, call] as const;
  });
  return { ...real, ...Object.fromEntries(wrapped) };
}

/** Resets the rate limit in an answer: a test's clock runs ahead of the CRM's, so all calls fall into one window. */
const withFreshLimit = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'limit' in answer && answer.limit !== null
    ? { ...answer, limit: { max: 110, remaining: 110, windowMs: 10_000 } }
    : answer;
