import type { Edit } from './cluster/bundle.ts';
import { beforeAPerson, type CaseName } from './experiments/automatic-resolution.ts';
import { manyAtOnce, sameToken } from './experiments/concurrency.ts';
import { changedBalance } from './experiments/crm-drift.ts';
import { sameNumber, shortChange, unreachable } from './experiments/gateway-faults.ts';
import { lateSighting } from './experiments/late-sighting.ts';
import { IMPATIENT, lateSuccess } from './experiments/late-success.ts';
import { cronIsFaster, manyReconcilers } from './experiments/races.ts';
import { tokenExpiry } from './experiments/token-expiry.ts';
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

const MIGRATION = 'migrations/0001_money.sql';
const PAYMENTS = 'worker/data/payments/attempts.ts';
const CHARGE = 'worker/vendors/clearent/charge.ts';
const LOOK_UP = 'worker/vendors/clearent/look-up.ts';
const SIGHT = 'worker/domain/payments/look-up-charge.ts';
const DECIDE = 'worker/domain/payments/resolve-automatically.ts';
const BEFORE_A_PERSON = 'worker/data/payments/automatic-resolution.ts';
const RECONCILE = 'worker/domain/payments/inquire-status.ts';
const TAKE = 'worker/domain/payments/take-payment.ts';

const without = {
  liveIndex: {
    file: MIGRATION,
    from: 'CREATE UNIQUE INDEX payment_attempts_one_live',
    to: 'CREATE INDEX payment_attempts_one_live',
  },
  expectedState: {
    file: PAYMENTS,
    from: 'and(eq(t.id, attempt.id), inArray(t.state, from), guard)',
    to: 'and(eq(t.id, attempt.id), guard)',
  },
  movesTrigger: {
    file: MIGRATION,
    from: 'BEFORE UPDATE OF state ON payment_attempts\nWHEN NOT (',
    to: 'BEFORE UPDATE OF state ON payment_attempts\nWHEN 0 AND NOT (',
  },
  changesGuard: { file: PAYMENTS, from: 'sql`changes() = 1`', to: 'sql`1 = 1`' },
  ledgerKey: {
    file: MIGRATION,
    from: "  day TEXT NOT NULL DEFAULT '',\n  PRIMARY KEY (hub_id, provider_txn_id)\n",
    to: "  day TEXT NOT NULL DEFAULT ''\n",
  },
  orderCheck: {
    file: CHARGE,
    from: "if (txn.attemptId !== request.attemptId) return unknown('the answer is about another attempt');",
    to: '',
  },
  claimOfHuman: { file: PAYMENTS, from: "AND state = 'needs_human')", to: "AND state = 'nothing')" },
  liveHuman: { file: PAYMENTS, from: "'approved', 'needs_human'];", to: "'approved'];" },
  hold: { file: RECONCILE, from: ' || at < attempt.holdUntil) return null;', to: ') return null;' },
  lease: {
    file: 'worker/domain/crm-sync/access.ts',
    from: 'if (await leaseTokens(deps.db, row, deps.now(), LEASE_MS)) return',
    to: 'if (row) return',
  },
  unreachable: {
    file: LOOK_UP,
    from: "if (!found) return 'unavailable';",
    to: 'if (!found) return { transactions: [], isLast: true };',
  },
  answeredAmount: {
    file: CHARGE,
    from: "if (txn.amountCents !== request.amountCents) return unknown('the answer names another amount');",
    to: '',
  },
  foundAmount: {
    file: RECONCILE,
    from: "first.amountCents === attempt.amountCents ? { kind: 'found', txn: first } : { kind: 'contradiction' }",
    to: "{ kind: 'found', txn: first }",
  },
  ownIsNotForeign: {
    file: SIGHT,
    from: 'txn.attemptId !== attempt.id &&',
    to: '',
  },
  bothLookUps: { file: SIGHT, from: 'own: all.filter(isOwn)', to: 'own: byOrder.filter(isOwn)' },
  tokenHash: {
    file: TAKE,
    from: 'attemptKey: body.attemptId ?? null,\n    tokenHash,',
    to: 'attemptKey: body.attemptId ?? null,\n    tokenHash: null,',
  },
  freshAmount: {
    file: 'worker/domain/payments/price.ts',
    from: 'const amountCents = fresh.balanceCents ?? 0;',
    to: 'const amountCents = kept.balanceCents ?? 0;',
  },
  mailClaim: {
    file: 'worker/data/mail/outbox.ts',
    from: "and(eq(outbox.id, id), eq(outbox.state, 'due'), lte(outbox.nextTryAt, now))",
    to: "and(eq(outbox.id, id), eq(outbox.state, 'due'))",
  },
  mailKey: { file: 'worker/vendors/resend/resend.ts', from: "'idempotency-key': mail.idempotencyKey,", to: '' },
} satisfies Record<string, Edit>;

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
    edit: without.ownIsNotForeign,
    secondLayer: { name: 'both look-ups are judged', edit: without.bothLookUps },
    experiment: (testWorker) => lateSighting(testWorker, 'one index lags', 2),
  },
  {
    guard: 'both look-ups are judged',
    edit: without.bothLookUps,
    secondLayer: { name: 'our own charge is no foreign one', edit: without.ownIsNotForeign },
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
    edit: without.liveIndex,
    secondLayer: gatewayDedupe,
    experiment: (testWorker) => manyAtOnce(testWorker, { invoices: 3, submits: 12 }),
  },
  {
    guard: 'expected state (compare and set)',
    edit: without.expectedState,
    secondLayer: { name: 'trigger on moves', edit: without.movesTrigger },
    experiment: (testWorker) => cronIsFaster(testWorker, 6),
  },
  {
    guard: 'trigger on moves',
    edit: without.movesTrigger,
    secondLayer: { name: 'expected state (compare and set)', edit: without.expectedState },
    experiment: (testWorker) => cronIsFaster(testWorker, 6),
  },
  {
    guard: 'changes() before the ledger row',
    edit: without.changesGuard,
    secondLayer: { name: "the ledger's key", edit: without.ledgerKey },
    experiment: (testWorker) => cronIsFaster(testWorker, 6),
  },
  {
    guard: "the ledger's key",
    edit: without.ledgerKey,
    secondLayer: { name: 'order id in the answer', edit: without.orderCheck },
    experiment: (testWorker) => sameNumber(testWorker, 2),
  },
  {
    guard: 'no claim while a person must look',
    edit: without.claimOfHuman,
    secondLayer: { name: 'needs_human counts as live', edit: without.liveHuman },
    experiment: (testWorker) => shortChange(testWorker, 3),
  },
  {
    guard: 'hold',
    edit: without.hold,
    secondLayer: gatewayDedupe,
    settings: IMPATIENT,
    experiment: (testWorker) => lateSuccess(testWorker, { dedupe: 'none', invoices: 3 }),
  },
  {
    guard: 'unreachable is not empty',
    edit: without.unreachable,
    secondLayer: gatewayDedupe,
    experiment: (testWorker) => unreachable(testWorker, 3),
  },
  {
    guard: 'amount in the answer',
    edit: without.answeredAmount,
    secondLayer: null,
    experiment: (testWorker) => shortChange(testWorker, 3),
  },
  {
    guard: 'amount in the look-up',
    edit: without.foundAmount,
    secondLayer: null,
    experiment: (testWorker) => shortChange(testWorker, 3),
  },
  {
    guard: 'token hash',
    edit: without.tokenHash,
    secondLayer: { name: 'one live attempt (unique index)', edit: without.liveIndex },
    experiment: (testWorker) => sameToken(testWorker, { tokens: 3, submits: 10 }),
  },
  {
    guard: 'amount read from the CRM',
    edit: without.freshAmount,
    secondLayer: null,
    experiment: (testWorker) => changedBalance(testWorker, 3),
  },
  {
    guard: 'lease on the renewal of a token',
    edit: without.lease,
    secondLayer: null,
    experiment: (testWorker) => tokenExpiry(testWorker, 1),
  },
  {
    guard: 'claim of a mail',
    edit: without.mailClaim,
    secondLayer: { name: "the mail service's idempotency", edit: without.mailKey },
    experiment: (testWorker) => manyReconcilers(testWorker, 6),
  },
];
