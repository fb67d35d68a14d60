import type { Edit } from './cluster/bundle.ts';
import { beforeAPerson, type CaseName } from './experiments/automatic-resolution.ts';
import { manyAtOnce, sameToken } from './experiments/concurrency.ts';
import { changedBalance } from './experiments/crm-drift.ts';
import { sameNumber, shortChange, unreachable } from './experiments/gateway-faults.ts';
import { lateSighting } from './experiments/late-sighting.ts';
import { IMPATIENT, lateSuccess } from './experiments/late-success.ts';
import { cronIsFaster, manyReconcilers } from './experiments/races.ts';
import { tokenExpiry } from './experiments/token-expiry.ts';
import { guards } from './guards.ts';
import type { Figures } from './report.ts';
import type { TestWorker } from './test-worker.ts';

/**
 * The product without one of its guards. A guard is needed only if some experiment fails without it. Where a second
 * layer would hide that, the mutant removes the layer too, and the guard alone must then still hold.
 */
export type Mutant = {
  guard: string;
  edit: Edit;
  /** The other protection: another guard, or the gateway's duplicate check, which the experiment itself turns off. */
  secondLayer: { name: string; edit?: Edit } | null;
  experiment: (testWorker: TestWorker) => Promise<Figures>;
  settings?: Record<string, number>;
};

const DECIDE = 'worker/domain/payments/resolve-automatically.ts';
const BEFORE_A_PERSON = 'worker/data/payments/automatic-resolution.ts';

const gatewayDedupe = { name: "the gateway's duplicate check" };

/**
 * One for each condition under which a payment may leave `needs_human` without a person, with the case that proves
 * it.
 */
const conditions: { name: string; shownBy: CaseName; edit: Edit; secondLayer?: Mutant['secondLayer'] }[] = [
  {
    name: 'it was never released',
    shownBy: 'it was released once',
    edit: { file: DECIDE, from: "if (attempt.needsHumanFrom !== 'unknown') return attempt;", to: '' },
    secondLayer: {
      name: 'the same in the statement that moves it',
      edit: { file: BEFORE_A_PERSON, from: "sql`needs_human_from = 'unknown'`,", to: '' },
    },
  },
  {
    name: 'exactly one charge',
    shownBy: 'it was charged twice',
    edit: { file: DECIDE, from: ' || others.length > 0', to: '' },
  },
  {
    name: 'of equal amount',
    shownBy: 'the amount differs',
    edit: { file: DECIDE, from: 'if (txn.amountCents !== attempt.amountCents) return null;', to: '' },
  },
  {
    name: 'not voided',
    shownBy: 'the charge was voided',
    edit: { file: DECIDE, from: 'txn.isVoided || ', to: '' },
    secondLayer: {
      name: 'the gateway lists the void',
      edit: {
        file: DECIDE,
        from: "parentId === txn.id || (parentId === ''",
        to: "(parentId === txn.id && kind !== 'VOID') || (parentId === ''",
      },
    },
  },
  {
    name: 'not refunded',
    shownBy: 'a part was refunded',
    edit: {
      file: DECIDE,
      from: 'standing.some((other) => takesBack(other, txn))',
      to: 'false',
    },
  },
  {
    name: 'no refund that the nightly run saw',
    shownBy: 'a refund was seen by the nightly run',
    edit: {
      file: BEFORE_A_PERSON,
      from: "AND parent_id <> ''",
      to: "AND parent_id = ''",
    },
  },
  {
    name: 'no foreign charge',
    shownBy: 'another order charged the invoice',
    edit: { file: DECIDE, from: 'return foreign.length > 0 ? null : txn;', to: 'return txn;' },
  },
  {
    name: 'no other attempt is refunded',
    shownBy: 'another attempt was refunded',
    edit: { file: BEFORE_A_PERSON, from: "[...LIVE, 'refunded']", to: '[...LIVE]' },
  },
  {
    name: 'no other attempt is live',
    shownBy: 'another attempt waits as well',
    edit: { file: BEFORE_A_PERSON, from: "[...LIVE, 'refunded']", to: "['refunded']" },
  },
  {
    name: 'no person has decided',
    shownBy: 'a person has decided',
    edit: {
      file: BEFORE_A_PERSON,
      from: 'FROM resolutions WHERE attempt_id',
      to: 'FROM resolutions WHERE note',
    },
  },
];

export const mutants: Mutant[] = [
  {
    guard: 'our own charge is no foreign one',
    edit: guards.ownIsNotForeign,
    secondLayer: { name: 'both look-ups are judged', edit: guards.bothLookUps },
    experiment: (testWorker) => lateSighting(testWorker, 'one index lags', 2),
  },
  {
    guard: 'both look-ups are judged',
    edit: guards.bothLookUps,
    secondLayer: { name: 'our own charge is no foreign one', edit: guards.ownIsNotForeign },
    experiment: (testWorker) => lateSighting(testWorker, 'one index lags', 2),
  },
  ...conditions.map(({ name, shownBy, edit, secondLayer = null }) => ({
    guard: `before a person: ${name}`,
    edit,
    secondLayer,
    experiment: (testWorker: TestWorker) => beforeAPerson(testWorker, ['free', shownBy]),
  })),
  {
    guard: 'one live attempt (unique index)',
    edit: guards.liveIndex,
    secondLayer: gatewayDedupe,
    experiment: (testWorker) => manyAtOnce(testWorker, { invoices: 3, submits: 12 }),
  },
  {
    guard: 'expected state (compare and set)',
    edit: guards.expectedState,
    secondLayer: { name: 'trigger on moves', edit: guards.movesTrigger },
    experiment: (testWorker) => cronIsFaster(testWorker, 6),
  },
  {
    guard: 'trigger on moves',
    edit: guards.movesTrigger,
    secondLayer: { name: 'expected state (compare and set)', edit: guards.expectedState },
    experiment: (testWorker) => cronIsFaster(testWorker, 6),
  },
  {
    guard: 'changes() before the ledger row',
    edit: guards.changesGuard,
    secondLayer: { name: "the ledger's key", edit: guards.ledgerKey },
    experiment: (testWorker) => cronIsFaster(testWorker, 6),
  },
  {
    guard: "the ledger's key",
    edit: guards.ledgerKey,
    secondLayer: { name: 'order id in the answer', edit: guards.orderCheck },
    experiment: (testWorker) => sameNumber(testWorker, 2),
  },
  {
    guard: 'no claim while a person must look',
    edit: guards.claimOfHuman,
    secondLayer: { name: 'needs_human counts as live', edit: guards.liveHuman },
    experiment: (testWorker) => shortChange(testWorker, 3),
  },
  {
    guard: 'hold',
    edit: guards.hold,
    secondLayer: gatewayDedupe,
    settings: IMPATIENT,
    experiment: (testWorker) => lateSuccess(testWorker, { dedupe: 'none', invoices: 3 }),
  },
  {
    guard: 'unreachable is not empty',
    edit: guards.unreachable,
    secondLayer: gatewayDedupe,
    experiment: (testWorker) => unreachable(testWorker, 3),
  },
  {
    guard: 'amount in the answer',
    edit: guards.answeredAmount,
    secondLayer: null,
    experiment: (testWorker) => shortChange(testWorker, 3),
  },
  {
    guard: 'amount in the look-up',
    edit: guards.foundAmount,
    secondLayer: null,
    experiment: (testWorker) => shortChange(testWorker, 3),
  },
  {
    guard: 'token hash',
    edit: guards.tokenHash,
    secondLayer: { name: 'one live attempt (unique index)', edit: guards.liveIndex },
    experiment: (testWorker) => sameToken(testWorker, { tokens: 3, submits: 10 }),
  },
  {
    guard: 'amount read from the CRM',
    edit: guards.freshAmount,
    secondLayer: null,
    experiment: (testWorker) => changedBalance(testWorker, 3),
  },
  {
    guard: 'lease on the renewal of a token',
    edit: guards.lease,
    secondLayer: null,
    experiment: (testWorker) => tokenExpiry(testWorker, 1),
  },
  {
    guard: 'claim of a mail',
    edit: guards.mailClaim,
    secondLayer: { name: "the mail service's idempotency", edit: guards.mailKey },
    experiment: (testWorker) => manyReconcilers(testWorker, 6),
  },
];
