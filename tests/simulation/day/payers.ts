import { signature } from '#tests/support/content/png';
import type { PayOutcome } from '#worker/domain/payments/pay-outcome';
import type { Plan } from './plan.ts';
import type { DayClinic, DayWorld } from './world.ts';

const [SECOND, MINUTE] = [1000, 60_000];
const FIELDS = {
  signature: signature(),
  signing: { kind: 'drawn' as const, words: '' },
  firstName: 'Ana',
  lastName: 'Pál',
  address: '1 Main St',
  address2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  paymentDetails: '',
  accountType: undefined,
  paymentType: 'card' as const,
};
/** Time that a payer reads the bill before paying (ms). */
const READING_MS = 30 * SECOND;
const MAX_TRIES = 40;
/** Polling intervals of a waiting page, which grow from the first to the last (ms). */
const FIRST_POLL_MS = 2 * SECOND;
const LAST_POLL_MS = 40 * SECOND;
const MAX_WAIT_MS = 60 * MINUTE;

/** A bill that its payer wants to pay once. `lastOutcome`: the last result shown to the payer. */
export type Bill = { clinic: DayClinic; n: number; lastOutcome: string; tries: number };

const PAID: string[] = ['approved', 'submitted', 'already-paid'] satisfies PayOutcome['kind'][];
/** Outcomes after which the payer returns later. */
const RETRY_LATER: string[] = ['crm-unavailable', 'gateway-unavailable', 'not-started', 'paused', 'too-many'];

/** Payers with their pages: some submit twice, some have a declined card, and all retry until they have paid. */
export function payersOf(world: DayWorld) {
  const { engine, product, gateways, ask } = world;

  function startPaying(bill: Bill, behavior: Plan['payments'][number]['behavior']): void {
    const { clinic, n } = bill;
    const invoiceId = clinic.crm.idOf('invoices', n);
    ask(
      (baseDeps) => product.issuePayLink(world.deps.of(baseDeps, clinic), clinic.accountId, invoiceId),
      (link) => {
        if (link instanceof Error || link === null) return retry(bill, 10 * MINUTE, () => startPaying(bill, behavior));
        engine.later(READING_MS, () => submit(bill, link.payId, behavior));
      },
    );
  }

  function retry(bill: Bill, afterMs: number, run: () => void): void {
    bill.tries += 1;
    if (bill.tries < MAX_TRIES) engine.later(afterMs, run);
  }

  function submit(bill: Bill, payId: string, behavior: Plan['payments'][number]['behavior']): void {
    const { clinic, n } = bill;
    const card = behavior === 'declined-first' && bill.tries === 0 ? 'declines' : 'approves';
    const paymentDetails = gateways.modelOf(clinic.at).issueToken(clinic.terminalId, card);
    const body = { ...FIELDS, paymentDetails, attemptId: `form-${clinic.at}-${n}-${bill.tries}` };
    const clientIp = `203.0.${clinic.at >> 8}.${clinic.at & 255}`;
    const submitOnce = (onAnswer?: (outcome: PayOutcome | Error) => void) =>
      ask((baseDeps, waitUntil) => product.pay(baseDeps, waitUntil, payId, body, clientIp), onAnswer);
    submitOnce((outcome) => {
      const kind = outcome instanceof Error ? 'no answer' : outcome.kind;
      bill.lastOutcome = kind;
      if (PAID.includes(kind)) return;
      if (kind === 'no answer' || kind === 'pending')
        return wait(bill, payId, FIRST_POLL_MS, engine.now() + MAX_WAIT_MS);
      // The page has the next token at once.
      if (kind === 'declined' || kind === 'token-refused')
        return retry(bill, 20 * SECOND, () => submit(bill, payId, behavior));
      if (RETRY_LATER.includes(kind)) retry(bill, 5 * MINUTE, () => submit(bill, payId, behavior));
    });
    if (behavior === 'twice') engine.later(50, () => submitOnce());
  }

  /** The page polls until a status ends its wait. A payer who was not charged pays again. */
  function wait(bill: Bill, payId: string, pauseMs: number, until: number, emptyStatuses = 0): void {
    engine.later(pauseMs, () => {
      if (engine.now() > until) return;
      ask(
        (baseDeps, waitUntil) => product.poll(baseDeps, waitUntil, payId),
        (status) => {
          const state = status instanceof Error || status === null ? 'no answer' : status.state;
          if (state === 'paid' || state === 'submitted') {
            bill.lastOutcome = state;
            return;
          }
          const isNotCharged =
            status instanceof Error || status === null ? false : 'notCharged' in status && status.notCharged;
          const isOver = state === 'declined' || isNotCharged || (state === 'none' && emptyStatuses > 2);
          if (isOver) return retry(bill, MINUTE, () => submit(bill, payId, 'once'));
          wait(bill, payId, Math.min(pauseMs * 1.7, LAST_POLL_MS), until, emptyStatuses + (state === 'none' ? 1 : 0));
        },
      );
    });
  }

  return { startPaying };
}
