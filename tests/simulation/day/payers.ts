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
/** A payer reads the bill before paying it (ms). */
const READS_MS = 30 * SECOND;
const TRIES = 40;
/** A page that waits asks soon, then ever more seldom (ms). */
const FIRST_POLL_MS = 2 * SECOND;
const LAST_POLL_MS = 40 * SECOND;
const PATIENCE_MS = 60 * MINUTE;

/** One bill that its payer means to pay once. `told`: the last word that the payer heard. */
export type Bill = { clinic: DayClinic; n: number; told: string; tries: number };

const PAID: string[] = ['approved', 'submitted', 'already-paid'] satisfies PayOutcome['kind'][];
/** Then the payer comes back later. */
const LATER: string[] = ['crm-unavailable', 'gateway-unavailable', 'not-started', 'paused', 'too-many'];

/** Payers with their pages: some press twice, some have a card that is declined, all come back until they have paid. */
export function payersOf(world: DayWorld) {
  const { engine, product, gateways, ask } = world;

  function come(bill: Bill, means: Plan['payments'][number]['means']): void {
    const { clinic, n } = bill;
    const invoiceId = clinic.crm.idOf('invoices', n);
    ask(
      (any) => product.issuePayLink(world.deps.of(any, clinic), clinic.accountId, invoiceId),
      (link) => {
        if (link instanceof Error || link === null) return again(bill, 10 * MINUTE, () => come(bill, means));
        engine.later(READS_MS, () => submit(bill, link.payId, means));
      },
    );
  }

  function again(bill: Bill, afterMs: number, then: () => void): void {
    bill.tries += 1;
    if (bill.tries < TRIES) engine.later(afterMs, then);
  }

  function submit(bill: Bill, payId: string, means: Plan['payments'][number]['means']): void {
    const { clinic, n } = bill;
    const card = means === 'declined-first' && bill.tries === 0 ? 'declines' : 'approves';
    const paymentDetails = gateways.modelOf(clinic.at).issueToken(clinic.terminalId, card);
    const body = { ...FIELDS, paymentDetails, attemptId: `form-${clinic.at}-${n}-${bill.tries}` };
    const press = (answered?: (outcome: PayOutcome | Error) => void) =>
      ask((any, goOn) => product.pay(any, goOn, payId, body, `203.0.${clinic.at >> 8}.${clinic.at & 255}`), answered);
    press((outcome) => {
      const kind = outcome instanceof Error ? 'no answer' : outcome.kind;
      bill.told = kind;
      if (PAID.includes(kind)) return;
      if (kind === 'no answer' || kind === 'pending')
        return wait(bill, payId, FIRST_POLL_MS, engine.now() + PATIENCE_MS);
      // Its page has the next token at once.
      if (kind === 'declined' || kind === 'token-refused')
        return again(bill, 20 * SECOND, () => submit(bill, payId, means));
      if (LATER.includes(kind)) again(bill, 5 * MINUTE, () => submit(bill, payId, means));
    });
    if (means === 'twice') engine.later(50, () => press());
  }

  /** The page asks until it hears a word that ends its wait; a payer who hears that nothing was taken pays again. */
  function wait(bill: Bill, payId: string, pauseMs: number, until: number, silences = 0): void {
    engine.later(pauseMs, () => {
      if (engine.now() > until) return;
      ask(
        (any, goOn) => product.poll(any, goOn, payId),
        (status) => {
          const state = status instanceof Error || status === null ? 'no answer' : status.state;
          if (state === 'paid' || state === 'submitted') {
            bill.told = state;
            return;
          }
          const isFree =
            status instanceof Error || status === null ? false : 'notCharged' in status && status.notCharged;
          const isOver = state === 'declined' || isFree || (state === 'none' && silences > 2);
          if (isOver) return again(bill, MINUTE, () => submit(bill, payId, 'once'));
          wait(bill, payId, Math.min(pauseMs * 1.7, LAST_POLL_MS), until, silences + (state === 'none' ? 1 : 0));
        },
      );
    });
  }

  return { come };
}
