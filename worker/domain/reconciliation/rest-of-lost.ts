import { findTokens } from '#worker/data/crm-sync/tokens';
import { findInvoice } from '#worker/data/invoices/invoices';
import { sumBeside } from '#worker/data/payments/attempts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { askCrm, withCrm } from '#worker/domain/crm-sync/access';
import { freezeRest } from '#worker/domain/invoices/changed-amount';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import type { Merchant } from '#worker/domain/merchants/session';
import { WRITE_SCOPE } from '#worker/domain/write-back/scopes';

/** A charge that a restore lost, and the gateway's id of it, by which the CRM may have recorded it. */
type Lost = Pick<Attempt, 'id' | 'accountId' | 'invoiceId' | 'collection' | 'amountCents'> & { txnId: string };

/**
 * A charge that a restore lost may be one of several, while our books say that the invoice is paid whole. It must not pay
 * more than it is: the rest waits, frozen, until a person says what is owed. `crm-unavailable`: nobody can tell how much that
 * is.
 */
export async function keepRestOwed(deps: Deps, lost: Lost, { userId }: Merchant): Promise<'crm-unavailable' | 'done'> {
  const { db } = deps;
  const { accountId, invoiceId, amountCents } = lost;
  const invoice = await findInvoice(db, accountId, invoiceId);
  if (!invoice) return 'done';
  const { owedCents, isSettledHere, installments } = invoiceBalance(invoice);
  if (isSettledHere || installments) return 'done';
  const shown = await shownByCrm(deps, lost, owedCents);
  if (shown === 'crm-unavailable') return shown;
  if (shown.owedCents === null) return 'done';
  const balanceCents = shown.owedCents + shown.recordedCents;
  if (balanceCents <= amountCents) return 'done';
  await freezeRest(deps, invoice, { balanceCents, shownCents: shown.owedCents, openedBy: userId });
  return 'done';
}

/** `recordedCents`: of our payments that are not booked yet, what the CRM has taken off its balance, or may have. */
type Shown = { owedCents: number | null; recordedCents: number };

/**
 * What the CRM shows as owed. Where payments are recorded in it, a record of the hours that a restore lost has lowered that:
 * before it, it was more by what was recorded, as it has to be when a collection is opened whose payments are yet to be booked.
 */
async function shownByCrm(deps: Deps, lost: Lost, owedCents: number | null): Promise<Shown | 'crm-unavailable'> {
  const { db, crm } = deps;
  const tokens = await findTokens(db, lost.accountId);
  if (!tokens || tokens.revokedAt !== null || !tokens.scopes.split(' ').includes(WRITE_SCOPE))
    return { owedCents, recordedCents: 0 };
  return askCrm(deps, lost.accountId, () =>
    withCrm(deps, tokens, async (accessToken) => {
      const calls = crm.paymentRecords;
      const records = await calls.listRecords(accessToken, lost.invoiceId);
      const balance = await calls.readBalance(accessToken, lost.invoiceId);
      if (!balance || records.length === 0) return { owedCents, recordedCents: 0 };
      const owed = balance.isPaid ? 0 : balance.balanceCents;
      const hasMoved = balance.billedCents === null || owed === null || owed < balance.billedCents;
      if (!hasMoved) return { owedCents: owed, recordedCents: 0 };
      const { undecidedCents } = await sumBeside(db, lost);
      const isRecorded = records.some(({ reference }) => reference === lost.txnId);
      return { owedCents: owed, recordedCents: undecidedCents + (isRecorded ? lost.amountCents : 0) };
    }),
  );
}
