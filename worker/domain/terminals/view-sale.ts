import type { SaleState, TerminalSale, TerminalsReply } from '#shared/contracts/payments/terminals';
import { decimalFromCents } from '#shared/money';
import { receiptPath } from '#shared/paths';
import { findSessionUser } from '#worker/data/merchants/sessions';
import type { Attempt } from '#worker/data/schema/schema';
import {
  type CounterTerminal,
  findSale,
  listCounterTerminals,
  type Sale,
  type SaleKey,
} from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { hasReceipt } from '#worker/domain/mail/receipt';
import type { Merchant } from '#worker/domain/merchants/session';
import { ABANDONED_CALL_MS } from '#worker/domain/payments/inquire-status';
import { paidTransaction } from '#worker/domain/payments/pay-outcome';

/** The shortest time between lookups of a sale at the gateway (ms), even if several screens watch it. */
const MIN_CHECK_PAUSE_MS = 3_000;

/** `dueCheck`: the attempt, if its status inquiry is due now. */
export type WatchedSale = { sale: TerminalSale; dueCheck: Attempt | null };

/**
 * A sale as its viewer sees it. Null if this account has no such sale; one that is identified by its attempt key may
 * not have arrived yet.
 */
export async function watchSale(deps: Deps, merchant: Merchant, saleKey: SaleKey): Promise<WatchedSale | null> {
  const counter = await findSale(deps.db, merchant.accountId, saleKey);
  if (!counter) return null;
  const { attempt } = counter.sale;
  return {
    sale: presentSale(deps, counter, await viewerEmailOf(deps, merchant)),
    dueCheck: isInquiryDue(deps, attempt) ? attempt : null,
  };
}

/** An account's counter terminals, each with its newest sale. */
export async function viewTerminals(deps: Deps, merchant: Merchant): Promise<TerminalsReply> {
  const [counters, viewer] = await Promise.all([
    listCounterTerminals(deps.db, merchant.accountId),
    viewerEmailOf(deps, merchant),
  ]);
  return {
    desks: counters.map((counter) => ({
      terminal_id: counter.terminal.terminalId,
      terminal_name: counter.terminal.name,
      last_heard: instant(counter.terminal.heardAt),
      sale: counter.sale && presentSale(deps, { ...counter, sale: counter.sale }, viewer),
      is_busy: counter.sale !== null && isAtTerminal(deps, counter.sale.attempt),
    })),
  };
}

/**
 * A sale that began after this time (UTC ms) may still be running on its terminal; the terminal's own timeout is
 * shorter.
 */
export const busySince = ({ now, settings }: Deps): number =>
  now() - settings.TERMINAL_TIMEOUT_MS - settings.SENT_GRACE_MS;

/** True while the terminal may still take a card for this sale. */
export const isAtTerminal = (deps: Deps, { state, createdAt }: Attempt): boolean =>
  (state === 'sent' || state === 'unknown') && createdAt > busySince(deps);

export const viewerEmailOf = async (deps: Deps, merchant: Merchant): Promise<string> =>
  (await findSessionUser(deps.db, merchant))?.email ?? '';

/**
 * True if the gateway should be queried now. A sale that was just sent is not queried while its own call may still be
 * answered.
 */
function isInquiryDue({ now }: Deps, { state, createdAt, checkedAt }: Attempt): boolean {
  if (state !== 'unknown' && !(state === 'sent' && now() - createdAt >= ABANDONED_CALL_MS)) return false;
  return now() - (checkedAt ?? 0) >= MIN_CHECK_PAUSE_MS;
}

export function presentSale(
  { settings, gateway }: Pick<Deps, 'settings' | 'gateway'>,
  { terminal, sale: { attempt, customer } }: CounterTerminal & { sale: Sale },
  viewer: string,
): TerminalSale {
  const isPaid = attempt.state === 'approved';
  return {
    id: attempt.id,
    terminal_id: terminal.terminalId,
    terminal_name: terminal.name,
    invoice_id: attempt.invoiceId,
    invoice_number: attempt.invoiceNumber,
    customer,
    amount: decimalFromCents(attempt.amountCents),
    currency: attempt.currency,
    state: stateOf(attempt),
    started_by: attempt.startedBy,
    is_own: attempt.startedBy !== '' && attempt.startedBy === viewer,
    started_at: new Date(attempt.createdAt).toISOString(),
    ends_by: new Date(attempt.createdAt + settings.TERMINAL_TIMEOUT_MS).toISOString(),
    ended_at: instant(attempt.settledAt),
    asked_at: instant(attempt.checkedAt),
    message: attempt.state === 'declined' || attempt.state === 'rejected' ? attempt.message : '',
    last_heard: instant(terminal.heardAt),
    transaction: isPaid ? paidTransaction(attempt) : null,
    receipt_url: hasReceipt(attempt) ? receiptPath(attempt.receiptId) : null,
    receipt_to: attempt.receiptTo,
    provider: gateway.displayName,
  };
}

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function stateOf({ state, refusal }: Attempt): SaleState {
  switch (state) {
    case 'sent':
      return 'waiting';
    case 'timed_out':
      return 'timed-out';
    case 'not_charged':
      return 'not-charged';
    case 'needs_human':
      return 'needs-a-person';
    case 'rejected':
      return refusal === 'offline' || refusal === 'busy' ? refusal : 'refused';
    // Only bank debits have these states, and a counter terminal takes none.
    case 'pending':
    case 'returned':
      return 'unknown';
    default:
      return state;
  }
}
