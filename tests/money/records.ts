import { parseCents } from '#shared/money';
import type { ClusterWorld } from './cluster/cluster-world.ts';
import type { Bill, TestWorker } from './test-worker.ts';

/** Records about an experiment's invoices in the Worker's D1, at the gateway and in the mailbox. */

export type AttemptRow = {
  id: string;
  invoice_id: string;
  collection: number;
  state: string;
  amount_cents: number;
  dedupe_key: string;
  token_hash: string | null;
  provider_txn_id: string | null;
  hold_until: number;
};
export type LedgerRow = {
  provider_txn_id: string;
  attempt_id: string;
  invoice_id: string;
  amount_cents: number;
  kind: string;
};
export type OutboxRow = { attempt_id: string; recipient: string; state: string };
export type Move = { attempt_id: string; was: string; became: string };
type LocalStatus = { invoice_id: string; localStatus: string };
export type Charge = {
  id: string;
  type: string;
  result: string;
  amountCents: number;
  order_id: string;
  invoice: string;
};

export type Records = {
  bills: Bill[];
  attempts: AttemptRow[];
  ledger: LedgerRow[];
  outbox: OutboxRow[];
  moves: Move[];
  localStatuses: Map<string, string>;
  /** Approved sales only. */
  charges: Charge[];
  mails: { to: string }[];
};

/** Reads the records of a test worker's own invoices only, because another test worker may share its world. */
export async function readRecords({ clusterWorld, bills }: TestWorker): Promise<Records> {
  const queries = [
    'SELECT * FROM payment_attempts ORDER BY created_at',
    'SELECT * FROM ledger',
    'SELECT * FROM outbox',
    'SELECT attempt_id, was, became FROM money_moves ORDER BY seq',
    'SELECT invoice_id, local_status AS localStatus FROM invoices',
  ];
  const [rows, charges, mails] = await Promise.all([
    clusterWorld.steer<[AttemptRow[], LedgerRow[], OutboxRow[], Move[], LocalStatus[]]>(
      'sql',
      queries.map((sql) => ({ sql, params: [] })),
    ),
    readCharges(clusterWorld, bills),
    clusterWorld.sandbox<{ to: string }[]>('GET', 'mail'),
  ]);
  const [attempts, ledger, outbox, moves, statuses] = rows;
  const ids = new Set(bills.map(({ id }) => id));
  const emails = new Set(bills.map(({ email }) => email));
  const ownAttempts = attempts.filter(({ invoice_id }) => ids.has(invoice_id));
  const attemptIds = new Set(ownAttempts.map(({ id }) => id));
  const charged = new Set(charges.map(({ id }) => id));
  return {
    bills,
    attempts: ownAttempts,
    ledger: ledger.filter((row) => ids.has(row.invoice_id) || charged.has(row.provider_txn_id)),
    outbox: outbox.filter(({ attempt_id }) => attemptIds.has(attempt_id)),
    moves: moves.filter(({ attempt_id }) => attemptIds.has(attempt_id)),
    localStatuses: new Map(statuses.map((row) => [row.invoice_id, row.localStatus])),
    charges,
    mails: mails.filter(({ to }) => emails.has(to)),
  };
}

/** The gateway's approved sales for these invoices; the seeded world has others. */
export async function readCharges(
  clusterWorld: ClusterWorld,
  bills: Bill[],
  keyOf: (bill: Bill) => string = (bill) => dedupeKey(bill),
): Promise<Charge[]> {
  const all = await clusterWorld.sandbox<(Omit<Charge, 'amountCents'> & { amount: string })[]>('GET', 'charges');
  const keys = new Set(bills.map(keyOf));
  return all
    .filter(({ invoice, result, type }) => keys.has(collectionKey(invoice)) && result === 'APPROVED' && type === 'SALE')
    .map(({ amount, ...charge }) => ({ ...charge, amountCents: parseCents(amount) ?? 0 }));
}

/** The gateway key of the controls' unguarded payment. */
export const naiveKey = ({ payId }: Bill) => `naive-${payId}`;

/** Converts the key of any part of a collection to the key of its first part. */
export const collectionKey = (key: string) => key.replace(/(-\d+)\.\d+$/, '$1');

/** The gateway key of a bill's whole payment, or of one of its parts. */
export const dedupeKey = ({ id }: Bill, part = 1) => (part > 1 ? `${id}-1.${part}` : `${id}-1`);

/** The number of approved sales beyond one for each invoice. */
export function extraCharges(charges: Charge[]): number {
  return charges.length - new Set(charges.map(({ invoice }) => invoice)).size;
}

/** The number of approved sales without a row in the ledger. */
export function lostCharges({ charges, ledger }: Records): number {
  const booked = new Set(ledger.map((row) => row.provider_txn_id));
  return charges.filter(({ id }) => !booked.has(id)).length;
}

/** The number of sale calls that the gateway has logged. */
export const saleCalls = async (clusterWorld: ClusterWorld): Promise<number> => {
  const requests = await clusterWorld.sandbox<{ path: string }[]>('GET', 'requests');
  return requests.filter(({ path }) => path === '/rest/v2/mobile/transactions/sale').length;
};
