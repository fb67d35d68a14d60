/** A statement as the product sent it to the database during a test. */
export type Sent = {
  sql: string;
  values: (string | number | null)[];
  /** Where in the product it was sent: the function that is nearest to it, and its file. */
  from: string;
  /** How many rows it found or changed; of all times that it was sent, the one with most is kept. */
  found: number;
  /** What of its values, and of the JSON in them, is an id in the test's own world: in which columns it stands. */
  ids: Record<string, string[]>;
};

/** All that a run sent, one of each text; `at`: the clock of the machine that ran it. */
export type Sending = { at: number; statements: Sent[] };

/** The columns whose values are one row's own, by which a statement finds it. */
export const ID_COLUMNS = [
  'hubs.hub_id',
  'users.user_id',
  'invoices.invoice_id',
  'invoices.number',
  'contacts.contact_id',
  'companies.company_id',
  'pay_links.pay_id',
  'payment_attempts.id',
  'payment_attempts.receipt_id',
  'payment_attempts.token_hash',
  'payment_attempts.dedupe_key',
  'payment_attempts.ip_key',
  'ledger.provider_txn_id',
  'gateway_transactions.provider_txn_id',
  'gateway_transactions.batch_id',
  'batch_closes.batch_id',
  'terminals.terminal_id',
  'outbox.id',
  'reversals.id',
  'sessions.id',
  'sessions.companion_hash',
  'merchants.merchant_number',
] as const;

/** Every text and number in a value, those inside its JSON included. */
export function* leavesOf(value: unknown): Generator<string | number> {
  if (typeof value === 'number') yield value;
  if (typeof value === 'string') {
    yield value;
    const json = jsonIn(value);
    if (json !== undefined) yield* leavesOf(json);
  }
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* leavesOf(part);
}

/** What a text is the JSON of, if that is an object or a list. */
export function jsonIn(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
