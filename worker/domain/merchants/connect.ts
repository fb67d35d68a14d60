import { ONLINE_CURRENCY } from '#shared/money';
import {
  type CrmPerson,
  findAccount,
  findLoginFacts,
  type LoginFacts,
  type NewAccount,
  saveAccount,
  saveLogin,
} from '#worker/data/merchants/accounts';
import {
  insertMissingRows,
  listErasedClinics,
  readEvidenceRows,
  updateInvoiceLabels,
} from '#worker/data/operate/erase';
import type { ExportRow } from '#worker/data/operate/export';
import { type NewTerminalRow, upsertTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { boundTo } from '#worker/security/token-cipher';
import type { CrmGrant, CrmTokens } from '#worker/vendors/hubspot/port';
import { reportKeys } from './clinic-of-account.ts';

/** Tables that show which invoices were paid, without personal data. Each follows the tables that it refers to. */
const EVIDENCE_TABLES = ['payment_attempts', 'collections', 'ledger', 'reversals', 'crm_writes'] as const;

/**
 * Restores the payments of an account that returns after its clinic was erased: its invoices may be open in the CRM
 * although they were paid here. The retained payments are copied into the new clinic before it can charge anything. Can
 * be repeated.
 */
export async function recoverPayments(deps: Deps, account: NewAccount): Promise<void> {
  const { accountId, domain, timeZone } = account;
  for (const clinic of await listErasedClinics(deps.media, accountId)) {
    const rows = () => readEvidenceRows(deps.media, `kept/${clinic}/`, EVIDENCE_TABLES);
    const bookedAttempts = new Set<unknown>();
    /** Invoices with a ledger entry or in installments. */
    const movedInvoices = new Set<unknown>();
    const newestCollections = new Map<unknown, number>();
    for await (const { table, rows: kept } of rows())
      for (const row of kept) {
        if (table === 'ledger') bookedAttempts.add(row.attempt_id);
        if (table === 'ledger' || table === 'collections') movedInvoices.add(row.invoice_id);
        newestCollections.set(
          row.invoice_id,
          Math.max(newestCollections.get(row.invoice_id) ?? 1, Number(row.collection ?? row.n ?? 1)),
        );
      }
    if (bookedAttempts.size === 0) continue;
    const unnamedAccount = { account_id: accountId, name: '', domain, time_zone: timeZone, connected_at: deps.now() };
    await insertMissingRows(deps.db, 'accounts', [unnamedAccount]);
    await insertMissingRows(
      deps.db,
      'invoices',
      [...newestCollections].filter(([id]) => movedInvoices.has(id)).map(placeholderInvoice(deps, accountId)),
    );
    for await (const { table, rows: kept } of rows())
      await insertMissingRows(
        deps.db,
        table,
        kept.filter((row) => isRecoverable(table, row, bookedAttempts)).map(completeRow(deps, table)),
      );
    await updateInvoiceLabels(deps.db, accountId);
    deps.log.info('payments-recovered', { accountId, clinic, payments: bookedAttempts.size });
  }
}

function isRecoverable(table: string, row: ExportRow, bookedAttempts: Set<unknown>): boolean {
  if (table === 'payment_attempts') return bookedAttempts.has(row.id);
  if (table === 'collections') return true;
  // Pending writes to the CRM are dropped.
  return bookedAttempts.has(row.attempt_id) && (table !== 'crm_writes' || row.state === 'written');
}

/**
 * No further checks are needed: an erasure waits until nothing is pending. A receipt's address is a capability, which
 * the evidence does not include, so a new one is created.
 */
const completeRow =
  ({ newCapability }: Deps, table: string) =>
  (row: ExportRow): ExportRow => {
    if (table === 'payment_attempts') return { ...row, receipt_id: newCapability(), next_check_at: null };
    if (table === 'reversals') return { ...row, reason: '', request_key: String(row.id), next_check_at: null };
    return row;
  };

/** A placeholder invoice that the CRM sync has yet to fill; until then it counts as deleted. */
const placeholderInvoice =
  ({ now }: Deps, accountId: number) =>
  ([invoiceId, collection]: [unknown, number]): ExportRow => ({
    account_id: accountId,
    invoice_id: String(invoiceId),
    collection,
    number: '',
    status: 'open',
    currency: ONLINE_CURRENCY,
    read_at: 0,
    deleted_at: now(),
  });

/**
 * Saves a CRM account with its grant and the person who granted it. Returns our user id, or null without a person. A
 * reconnect keeps the account's history, and replaces the grant unless the current one is wider. `isKnown`: the account
 * already exists here.
 */
export async function connectAccount(
  deps: Deps,
  account: NewAccount,
  tokens: CrmTokens,
  person?: Omit<CrmPerson, 'accountId'> & { invitation?: LoginFacts['invitation'] },
  isKnown = false,
): Promise<number | null> {
  const { sealer, db, now } = deps;
  const { accountId, name, domain } = account;
  // On failure the account stays without a name, and the next login repeats this; no charge is possible before that.
  if (!isKnown && !(await findAccount(db, accountId))?.name) await recoverPayments(deps, account);
  const grant = {
    accessToken: await sealer.seal(tokens.accessToken, boundTo.accessToken(accountId)),
    refreshToken: await sealer.seal(tokens.refreshToken, boundTo.refreshToken(accountId)),
    expiresAt: now() + tokens.expiresInS * 1000,
    scopes: tokens.scopes.join(' '),
  };
  const event = auditEvent(deps, {
    accountId,
    action: 'account.connected',
    subject: ['account', String(accountId)],
    after: { name, domain, scopes: grant.scopes },
  });
  if (person) {
    const { crmUserId, email, invitation } = person;
    const joinedEvent = auditEvent(deps, {
      accountId,
      action: 'staff.joined',
      subject: ['staff-invitation', invitation?.id ?? ''],
      after: { role: invitation?.role },
    });
    return saveLogin(db, account, grant, now(), event, { accountId, crmUserId, email }, joinedEvent);
  }
  await saveAccount(db, account, grant, now(), event);
  return null;
}

/**
 * Connects the account of a login. Null if the person was removed; the grant is then not used. An existing business
 * name is not replaced by its domain.
 */
export async function connectGrantedAccount(
  deps: Deps,
  { accountId, accountDomain, timeZone, tokens, userId, email }: CrmGrant,
): Promise<number | null> {
  const person = { crmUserId: userId, email };
  const loginFacts = await findLoginFacts(deps.db, { accountId, ...person }, deps.now());
  if (loginFacts.isExcluded) return null;
  const account = { accountId, name: loginFacts.name || accountDomain, domain: accountDomain, timeZone };
  return connectAccount(
    deps,
    account,
    tokens,
    { ...person, invitation: loginFacts.invitation },
    Boolean(loginFacts.name),
  );
}

export type NewTerminal = {
  accountId: number;
  terminalId: string;
  name: string;
  channel: 'ecommerce' | 'counter';
  publicKey: string;
  apiKey: string;
};

/** Returns a terminal as stored, with its secret key sealed. */
export async function sealTerminal({ sealer }: Deps, { apiKey, ...terminal }: NewTerminal): Promise<NewTerminalRow> {
  return { ...terminal, apiKey: await sealer.seal(apiKey, boundTo.apiKey(terminal.accountId, terminal.terminalId)) };
}

/** Saves a terminal of a boarded merchant. */
export async function boardTerminal(deps: Deps, terminal: NewTerminal): Promise<void> {
  await upsertTerminal(deps.db, await sealTerminal(deps, terminal), deps.now());
  await reportKeys(deps);
}
