import { localDay } from '#shared/text/local-day';
import {
  type FoundAttempt,
  findOwners,
  insertFoundAttempts,
  type Owner,
  type Owners,
} from '#worker/data/reconciliation/lost-attempts';
import { findRestoredAt } from '#worker/data/reconciliation/restored';
import type { GatewayRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';
import { isRefund } from '#worker/domain/batches/net-amount';
import { restoredAtOf } from '#worker/domain/merchants/restored-at';

/** Our order ids are attempts' ids, and an attempt has a row before anything is sent. */
const ORDER_ID = /^[0-9a-f]{32}$/;
/** The CRM's id of the invoice and the collection, and from the second part of a collection on, which one. */
const DEDUPE_KEY = /^(.+)-(\d{1,6})(?:\.(\d{1,2}))?$/;

/**
 * Put charges of ours before a person whose attempts our books have lost, as after a restore of an older state. Each
 * gets its attempt again, under its own order id and in `needs_human`: that closes the invoice to further payments, and
 * one person's word that it was charged books it. A charge is left alone that names no one invoice of the account. Its
 * collection is the one in its key, which may be later than ours: the restore may have lost a reopening too.
 */
export async function bringBackLost(deps: Deps, accountId: number, rows: readonly GatewayRow[]): Promise<void> {
  const suspects = rows.filter(mayBeLost);
  if (suspects.length === 0) return;
  const books = await findOwners(deps.db, accountId, suspects.flatMap(namedIn));
  const restoredAt = restoredAtOf(deps.settings, await findRestoredAt(deps.db, accountId));
  const found = suspects.flatMap((row) => {
    const owner = ownerOf(row, books.owners);
    return owner ? [foundAttempt(deps, row, owner, books, restoredAt)] : [];
  });
  const told = found.map((attempt) => ({ attempt, event: foundEvent(deps, attempt) }));
  for (const attemptId of await insertFoundAttempts(deps.db, told))
    deps.log.info('lost-payment-found', { accountId, attemptId });
}

const foundEvent = (deps: Deps, { id, accountId, amountCents }: FoundAttempt) =>
  auditEvent(bySystem(deps), {
    accountId,
    action: 'payment.found',
    subject: ['payment', id],
    after: { state: 'needs_human', amountCents },
  });

/** A charge under an order id of ours that our ledger does not have: booked nowhere, or undecided, as a bank debit is. */
function mayBeLost(row: GatewayRow): boolean {
  const isOpen = row.verdict === 'only-gateway' || (row.verdict === 'none' && row.netAmountCents === null);
  return isOpen && !isRefund(row) && ORDER_ID.test(row.orderId) && (row.amountCents ?? 0) > 0;
}

/** The name of an invoice in a dedupe key. */
const namedIn = ({ dedupeKey }: GatewayRow): string[] => DEDUPE_KEY.exec(dedupeKey)?.slice(1, 2) ?? [];

/** A CRM's id has digits alone. A number may have so, too, but then the key cannot mean it. */
const IS_ID = /^\d+$/;

/** The invoice that a charge is of. Keys of earlier versions have its number, which counts where one invoice alone bears it. */
function ownerOf(row: GatewayRow, owners: Owner[]): Owner | undefined {
  const [name] = namedIn(row);
  const byId = owners.find(({ invoiceId }) => invoiceId === name);
  const byNumber = IS_ID.test(name ?? '') ? [] : owners.filter(({ number }) => number !== '' && number === name);
  return byId ?? (byNumber.length === 1 ? byNumber[0] : undefined);
}

function foundAttempt(
  { now, newCapability }: Deps,
  { accountId, orderId, terminalId, method, amountCents, dedupeKey, payer, at }: GatewayRow,
  { invoiceId, collection, currency, number, contactEmail }: Owner,
  { channels, timeZone }: Owners,
  restoredAt: number,
): FoundAttempt {
  const createdAt = at ?? now();
  const [, , ofCollection, part] = DEDUPE_KEY.exec(dedupeKey) ?? [];
  return {
    id: orderId,
    accountId,
    invoiceId,
    collection: Number(ofCollection ?? collection),
    terminalId,
    method,
    currency,
    dedupeKey,
    payer,
    channel: channels.get(terminalId) ?? 'link',
    amountCents: amountCents ?? 0,
    part: Number(part ?? 1),
    invoiceNumber: number,
    receiptId: newCapability(),
    // The payer has a receipt of what was paid before the clinic was put back.
    receiptTo: createdAt <= restoredAt ? '' : contactEmail,
    ...{ createdAt, timeZone, day: localDay(createdAt, timeZone) },
  };
}
