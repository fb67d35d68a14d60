import type { Charge, Truth } from '../gateway/truth.ts';
import type { SentMail } from '../mail/mail.ts';
import type { ShownMessage } from '../world/story.ts';
import type { World } from '../world/world.ts';
import { ATTEMPTS, type AttemptRow } from './attempts.ts';

export type LedgerRow = { provider_txn_id: string; attempt_id: string; kind: string; amount_cents: number };
export type ReversalRow = {
  id: string;
  attempt_id: string;
  kind: string;
  amount_cents: number;
  state: string;
  provider_txn_id: string | null;
  hold_until: number;
  settled_at: number | null;
};
export type OutboxRow = { id: string; attempt_id: string | null; state: string };
export type InvoiceRow = { invoice_id: string; collection: number; local_status: string };
/** A collection in parts. */
export type CollectionRow = { invoice_id: string; n: number; base_cents: number; paid_before_cents: number };
export type MoveRow = { seq: number; what: string; id: string; was: string; became: string };

const REVERSALS =
  'SELECT id, attempt_id, kind, amount_cents, state, provider_txn_id, hold_until, settled_at FROM reversals';

/** All sides at one moment: the product's tables, the vendors' records and the messages shown to people. */
export type Scene = {
  now: number;
  attempts: AttemptRow[];
  ledger: LedgerRow[];
  reversals: ReversalRow[];
  outbox: OutboxRow[];
  invoices: InvoiceRow[];
  collections: CollectionRow[];
  resolved: Set<string>;
  truth: Truth;
  mails: readonly SentMail[];
  messages: ShownMessage[];
  requestedBy: World['requestedBy'];
  mailRequestedAt: World['mailRequestedAt'];
  requestedAttempts: World['requestedAttempts'];
  /** Time of the last restore of the product's records (UTC ms); null: never. */
  restoredAt: number | null;
  attemptOf(orderId: string | null): AttemptRow | undefined;
  /** The charges of an attempt at the gateway, including declined ones. */
  chargesOf(attempt: AttemptRow): Charge[];
};

export function readScene(world: World): Scene {
  const { database, gateway, mail, story, engine } = world;
  const attempts = database.read<AttemptRow>(`${ATTEMPTS} ORDER BY created_at, id`);
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const truth = gateway.truth();
  const resolved = database.read<{ attempt_id: string }>('SELECT attempt_id FROM resolutions');
  return {
    now: engine.now(),
    attempts,
    ledger: database.read('SELECT provider_txn_id, attempt_id, kind, amount_cents FROM ledger'),
    reversals: database.read(REVERSALS),
    outbox: database.read('SELECT id, attempt_id, state FROM outbox'),
    invoices: database.read('SELECT invoice_id, collection, local_status FROM invoices'),
    collections: database.read('SELECT invoice_id, n, base_cents, paid_before_cents FROM collections'),
    resolved: new Set(resolved.map(({ attempt_id }) => attempt_id)),
    truth,
    mails: mail.truth(),
    messages: story.messages,
    requestedBy: world.requestedBy,
    mailRequestedAt: world.mailRequestedAt,
    requestedAttempts: world.requestedAttempts,
    restoredAt: world.restoredAt,
    attemptOf: (orderId) => byId.get(orderId ?? ''),
    chargesOf: ({ id }) => truth.charges.filter(({ orderId }) => orderId === id),
  };
}

/**
 * True if the gateway charged after the hold was over, or if by then no look-up by order or invoice showed the charge
 * and its webhook came before the charge was readable by id. No look-up can prevent that, so a person must review it.
 */
export const isBeyondHold = ({ at, visibleAt }: Charge, { hold_until }: AttemptRow): boolean =>
  at >= hold_until || (Math.min(visibleAt.order, visibleAt.invoice) >= hold_until && visibleAt.id > at);
