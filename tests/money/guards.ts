import type { Edit } from './cluster/bundle.ts';

/** Another protection behind a guard. Without an edit it is the gateway's, which the experiment itself turns off. */
export type SecondLayer = { name: string; edit?: Edit };

/** The removal of a guard: its name in printed tables, and the change to the product's source. */
export type Mutation = { name: string; edit: Edit; secondLayer: SecondLayer | null };

const PAYMENTS_SQL = 'migrations/clinic/0103_payments.sql';
const LOCK = `ON payment_attempts (account_id, invoice_id, collection, part)
  WHERE state IN ('sent', 'unknown', 'pending', 'approved');\n`;
const PRICE_OF_A_PART = 'worker/domain/payments/price.ts';
const PAYMENTS = 'worker/data/payments/attempts.ts';
const CHARGE = 'worker/vendors/clearent/charge.ts';
const LOOK_UP = 'worker/vendors/clearent/look-up.ts';
const SIGHT = 'worker/domain/payments/look-up-charge.ts';
const DECIDE = 'worker/domain/payments/resolve-automatically.ts';
const BEFORE_A_PERSON = 'worker/data/payments/attempt-checks.ts';
const RECONCILE = 'worker/domain/payments/inquire-status.ts';
const TAKE = 'worker/domain/payments/take-payment.ts';

/** The product's guards by a short name, each as the edit that removes it. */
export const guards = {
  liveIndex: {
    file: PAYMENTS_SQL,
    // Removes both locks, since for a whole payment either one hides the loss of the other.
    from: `CREATE UNIQUE INDEX payment_attempts_one_live ${LOCK}CREATE UNIQUE INDEX payment_attempts_in_flight`,
    to: `CREATE INDEX payment_attempts_one_live ${LOCK}CREATE INDEX payment_attempts_in_flight`,
  },
  partLive: {
    file: PAYMENTS_SQL,
    from: 'CREATE UNIQUE INDEX payment_attempts_one_live',
    to: 'CREATE INDEX payment_attempts_one_live',
  },
  partInFlight: {
    file: PAYMENTS_SQL,
    from: 'CREATE UNIQUE INDEX payment_attempts_in_flight',
    to: 'CREATE INDEX payment_attempts_in_flight',
  },
  partInIndex: {
    file: PAYMENTS_SQL,
    from: '(account_id, invoice_id, collection, part)',
    to: '(account_id, invoice_id, collection)',
  },
  restInClaim: { file: PAYMENTS_SQL, from: '(c.rest_cents = 0 OR (', to: '(1 = 1 OR (' },
  restInPrice: {
    file: PRICE_OF_A_PART,
    from: 'amountCents === remainingOf(collectionState) ||',
    to: 'amountCents > 0 ||',
  },
  partKey: { file: 'worker/domain/payments/attempts.ts', from: 'part > 1 ?', to: 'part > 99 ?' },
  sameAmountInClaim: { file: PAYMENTS_SQL, from: 'a.amount_cents <> NEW.amount_cents', to: '0' },
  sameAmountInPrice: {
    file: PRICE_OF_A_PART,
    from: 'if (releasedCents !== null && releasedCents !== amountCents)',
    to: 'if (releasedCents === 0)',
  },
  expectedState: {
    file: PAYMENTS,
    from: 'and(eq(attemptTable.id, attempt.id), inArray(attemptTable.state, from), hasNoReportedCharge, guard)',
    to: 'and(eq(attemptTable.id, attempt.id), hasNoReportedCharge, guard)',
  },
  movesTrigger: {
    file: PAYMENTS_SQL,
    from: 'BEFORE UPDATE OF state ON payment_attempts\nWHEN NOT (',
    to: 'BEFORE UPDATE OF state ON payment_attempts\nWHEN 0 AND NOT (',
  },
  changesGuard: { file: PAYMENTS, from: 'hasJustChanged = sql`changes() = 1`', to: 'hasJustChanged = sql`1 = 1`' },
  ledgerKey: {
    file: PAYMENTS_SQL,
    from: 'IN (0, 1)),\n  PRIMARY KEY (account_id, provider_txn_id, method)\n',
    to: 'IN (0, 1))\n',
  },
  orderCheck: {
    file: CHARGE,
    from: "request.method);\n    if (txn.attemptId !== request.attemptId) return unknownOutcome('the answer is about another attempt');",
    to: 'request.method);',
  },
  claimOfHuman: { file: PAYMENTS, from: "AND state = 'needs_human')", to: "AND state = 'nothing')" },
  liveHuman: { file: PAYMENTS, from: "'approved', 'needs_human'];", to: "'approved'];" },
  underWay: {
    file: RECONCILE,
    from: "if (attempt.state !== 'unknown' ||",
    to: `if (attempt.state === 'sent' && verdict.kind === 'empty')
    return { to: 'not_charged', from, at, nextCheckAt: at + FINAL_CHECK_MS };
  if (attempt.state !== 'unknown' ||`,
  },
  hold: { file: RECONCILE, from: ' || at < attempt.holdUntil) return null;', to: ') return null;' },
  lease: {
    file: 'worker/domain/crm-sync/access.ts',
    from: 'if (await leaseTokens(deps.db, row, deps.now(), LEASE_MS)) return',
    to: 'if (row) return',
  },
  unreachable: {
    file: LOOK_UP,
    from: "if (!records) return 'unavailable';",
    to: 'if (!found) return { transactions: [], isLast: true };',
  },
  answeredAmount: {
    file: CHARGE,
    from: `if (txn.amountCents !== request.amountCents) return unknownOutcome('the answer names another amount');
    if (txn.state === 'approved' || txn.state === 'pending')`,
    to: "if (txn.state === 'approved' || txn.state === 'pending')",
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
  bothLookUps: { file: SIGHT, from: 'ownCharges: all.filter(isOwn)', to: 'ownCharges: byOrder.filter(isOwn)' },
  tokenHash: {
    file: TAKE,
    from: 'attemptKey: body.attemptId ?? null,\n    ...payerFacts,',
    to: 'attemptKey: body.attemptId ?? null,\n    ...{ ...payerFacts, tokenHash: null },',
  },
  freshAmount: {
    file: 'worker/domain/payments/price.ts',
    from: 'const amountCents = crmInvoice.balanceCents;',
    to: 'const amountCents = stored.balanceCents;',
  },
  mailClaim: {
    file: 'worker/data/mail/outbox.ts',
    from: "and(eq(outbox.id, id), eq(outbox.state, 'due'), lte(outbox.nextTryAt, now))",
    to: "and(eq(outbox.id, id), eq(outbox.state, 'due'))",
  },
  pauseAfterRestore: {
    file: 'worker/domain/merchants/after-restore.ts',
    from: 'if (upTo === 0) return false;',
    to: 'return false;',
  },
  findOfTheLost: {
    file: 'worker/domain/reconciliation/ingest.ts',
    from: 'if (suspects.length === 0) return;',
    to: 'return;',
  },
  mailKey: { file: 'worker/vendors/resend/resend.ts', from: "'idempotency-key': idempotencyKey,", to: '' },
} satisfies Record<string, Edit>;

const gatewayDedupe: SecondLayer = { name: "the gateway's duplicate check" };

const notRefunded: Edit = {
  file: DECIDE,
  from: 'acceptedTransactions.some((other) => mayReverse(other, txn))',
  to: 'false',
};
const noRefundSeen: Edit = { file: BEFORE_A_PERSON, from: "AND parent_id <> ''", to: "AND parent_id = ''" };

/** One entry for each condition under which a payment may leave `needs_human` automatically. */
export const conditions: { name: string; edit: Edit; secondLayer?: SecondLayer }[] = [
  {
    name: 'it was never released',
    edit: {
      file: 'worker/domain/payments/inquire-status.ts',
      from: "if (state === 'needs_human') return !RESOLVABLE_FROM.includes(needsHumanFrom);",
      to: "if (state === 'needs_human') return false;",
    },
    secondLayer: {
      name: 'the same in the statement that moves it',
      edit: { file: BEFORE_A_PERSON, from: "sql`needs_human_from IN ('unknown', 'pending')`,", to: '' },
    },
  },
  {
    name: 'exactly one charge',
    edit: { file: DECIDE, from: ' || others.length > 0', to: '' },
  },
  {
    name: 'of equal amount',
    edit: { file: DECIDE, from: 'if (txn.amountCents !== attempt.amountCents) return null;', to: '' },
  },
  {
    name: 'not voided',
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
    edit: notRefunded,
    secondLayer: { name: 'no refund that the nightly run saw', edit: noRefundSeen },
  },
  {
    name: 'no refund that the nightly run saw',
    edit: noRefundSeen,
    secondLayer: { name: 'not refunded', edit: notRefunded },
  },
  {
    name: 'no foreign charge',
    edit: {
      file: DECIDE,
      from: 'return all.some((other) => mayBeForeignMoney(other, attempt)) ? null : txn;',
      to: 'return txn;',
    },
  },
  {
    name: 'no foreign charge by the other way of paying',
    edit: {
      file: DECIDE,
      from: "return foreignTransactions === 'unavailable' || foreignTransactions.length > 0 ? null : txn;",
      to: 'return txn;',
    },
  },
  {
    name: 'no other attempt is refunded',
    edit: { file: BEFORE_A_PERSON, from: "[...LIVE_ATTEMPT_STATES, 'refunded']", to: '[...LIVE]' },
  },
  {
    name: 'no other attempt is live',
    edit: { file: BEFORE_A_PERSON, from: "[...LIVE_ATTEMPT_STATES, 'refunded']", to: "['refunded']" },
  },
  {
    name: 'no person has decided',
    edit: {
      file: BEFORE_A_PERSON,
      from: 'FROM resolutions WHERE attempt_id',
      to: 'FROM resolutions WHERE note',
    },
  },
];

/** The guard name of a condition, as the tables print it. */
export const nameOfCondition = (name: string) => `before a person: ${name}`;

/** Every guard against wrong charges, once. Experiments and simulation both remove them one at a time. */
export const mutations: Mutation[] = [
  {
    name: 'our own charge is no foreign one',
    edit: guards.ownIsNotForeign,
    secondLayer: { name: 'both look-ups are judged', edit: guards.bothLookUps },
  },
  {
    name: 'both look-ups are judged',
    edit: guards.bothLookUps,
    secondLayer: { name: 'our own charge is no foreign one', edit: guards.ownIsNotForeign },
  },
  ...conditions.map(({ name, edit, secondLayer = null }) => ({ name: nameOfCondition(name), edit, secondLayer })),
  { name: 'one live attempt (unique index)', edit: guards.liveIndex, secondLayer: gatewayDedupe },
  {
    name: 'expected state (compare and set)',
    edit: guards.expectedState,
    secondLayer: { name: 'trigger on moves', edit: guards.movesTrigger },
  },
  {
    name: 'trigger on moves',
    edit: guards.movesTrigger,
    secondLayer: { name: 'expected state (compare and set)', edit: guards.expectedState },
  },
  {
    name: 'changes() before the ledger row',
    edit: guards.changesGuard,
    secondLayer: { name: "the ledger's key", edit: guards.ledgerKey },
  },
  {
    name: "the ledger's key",
    edit: guards.ledgerKey,
    secondLayer: { name: 'order id in the answer', edit: guards.orderCheck },
  },
  {
    name: 'no claim while a person must look',
    edit: guards.claimOfHuman,
    secondLayer: { name: 'needs_human counts as live', edit: guards.liveHuman },
  },
  { name: 'hold', edit: guards.hold, secondLayer: gatewayDedupe },
  {
    name: 'no payment under way is released',
    edit: guards.underWay,
    secondLayer: { name: 'trigger on moves', edit: guards.movesTrigger },
  },
  { name: 'unreachable is not empty', edit: guards.unreachable, secondLayer: gatewayDedupe },
  { name: 'amount in the answer', edit: guards.answeredAmount, secondLayer: null },
  { name: 'amount in the look-up', edit: guards.foundAmount, secondLayer: null },
  {
    name: 'token hash',
    edit: guards.tokenHash,
    secondLayer: { name: 'one live attempt (unique index)', edit: guards.liveIndex },
  },
  { name: 'amount read from the CRM', edit: guards.freshAmount, secondLayer: null },
  { name: 'lease on the renewal of a token', edit: guards.lease, secondLayer: null },
  {
    name: 'claim of a mail',
    edit: guards.mailClaim,
    secondLayer: { name: "the mail service's idempotency", edit: guards.mailKey },
  },
  { name: 'payments wait after a restore', edit: guards.pauseAfterRestore, secondLayer: gatewayDedupe },
  { name: 'a lost charge is found again', edit: guards.findOfTheLost, secondLayer: null },
  { name: 'the index knows the part', edit: guards.partInIndex, secondLayer: null },
  {
    name: 'one part under way (unique index)',
    edit: guards.partInFlight,
    secondLayer: { name: 'a part is live once (unique index)', edit: guards.partLive },
  },
  {
    name: 'a part is live once (unique index)',
    edit: guards.partLive,
    secondLayer: { name: 'one part under way (unique index)', edit: guards.partInFlight },
  },
  {
    name: 'no claim above what is left',
    edit: guards.restInClaim,
    secondLayer: { name: 'the price of a part', edit: guards.restInPrice },
  },
  { name: 'a part has a key of its own', edit: guards.partKey, secondLayer: null },
  {
    name: 'a released part takes the same amount alone',
    edit: guards.sameAmountInClaim,
    secondLayer: { name: 'the same in the price of a part', edit: guards.sameAmountInPrice },
  },
];
