import type { Edit } from './cluster/bundle.ts';

const MIGRATION = 'migrations/0001_money.sql';
const PAYMENTS = 'worker/data/payments/attempts.ts';
const CHARGE = 'worker/vendors/clearent/charge.ts';
const LOOK_UP = 'worker/vendors/clearent/look-up.ts';
const SIGHT = 'worker/domain/payments/look-up-charge.ts';
const RECONCILE = 'worker/domain/payments/inquire-status.ts';
const TAKE = 'worker/domain/payments/take-payment.ts';

/** The product's guards by name, each as the edit that takes it away. */
export const guards = {
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
