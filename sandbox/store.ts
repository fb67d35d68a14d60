import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

export type Row = Record<string, SQLInputValue>;

/** The `type` columns contain HubSpot's numeric object type ids (53 for 0-53). */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (
  hub_id INTEGER NOT NULL, type INTEGER NOT NULL, id INTEGER NOT NULL,
  properties TEXT NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, archived_ms INTEGER,
  PRIMARY KEY (hub_id, type, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS records_updated ON records (hub_id, type, updated_ms);
CREATE INDEX IF NOT EXISTS records_due ON records (hub_id, json_extract(properties, '$.hs_due_date')) WHERE type = 53;
CREATE INDEX IF NOT EXISTS records_number ON records (hub_id, json_extract(properties, '$.hs_number')) WHERE type = 53;
CREATE TABLE IF NOT EXISTS associations (
  hub_id INTEGER NOT NULL, from_type INTEGER NOT NULL, from_id INTEGER NOT NULL,
  to_type INTEGER NOT NULL, to_id INTEGER NOT NULL, type_id INTEGER NOT NULL,
  PRIMARY KEY (hub_id, from_type, from_id, to_type, to_id, type_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refresh_tokens (
  token TEXT PRIMARY KEY, hub_id INTEGER NOT NULL, user_id INTEGER NOT NULL, scopes TEXT NOT NULL, revoked INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS access_tokens (
  token TEXT PRIMARY KEY, hub_id INTEGER NOT NULL, user_id INTEGER NOT NULL, scopes TEXT NOT NULL, expires_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS auth_codes (
  code TEXT PRIMARY KEY, hub_id INTEGER NOT NULL, user_id INTEGER NOT NULL, scopes TEXT NOT NULL, redirect_uri TEXT NOT NULL,
  code_challenge TEXT, expires_ms INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS terminals (
  terminal_id TEXT PRIMARY KEY, hub_id INTEGER NOT NULL, merchant_id TEXT NOT NULL, name TEXT NOT NULL, channel TEXT NOT NULL,
  api_key TEXT NOT NULL UNIQUE, public_key TEXT NOT NULL UNIQUE, online INTEGER NOT NULL DEFAULT 1, duplicates TEXT
);
CREATE TABLE IF NOT EXISTS card_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, merchant_id TEXT NOT NULL,
  last_four TEXT NOT NULL, card_type TEXT NOT NULL, exp_date TEXT NOT NULL, behaviour TEXT NOT NULL,
  expires_ms INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS apple_domains (merchant_id TEXT NOT NULL, domain TEXT NOT NULL, PRIMARY KEY (merchant_id, domain)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT, terminal_id TEXT NOT NULL, status TEXT NOT NULL, opened_ms INTEGER NOT NULL,
  settled_ms INTEGER, confirmation_code TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS batches_open ON batches (terminal_id) WHERE status = 'OPEN';
CREATE TABLE IF NOT EXISTS transactions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, terminal_id TEXT NOT NULL, merchant_id TEXT NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL,
  result TEXT NOT NULL, result_code TEXT NOT NULL, display_message TEXT NOT NULL, amount_cents INTEGER NOT NULL,
  order_id TEXT NOT NULL, invoice TEXT NOT NULL, batch_id INTEGER, ref_seq INTEGER, authorization_code TEXT NOT NULL,
  last_four TEXT NOT NULL, card_type TEXT NOT NULL, exp_date TEXT NOT NULL, return_code TEXT, created_ms INTEGER NOT NULL,
  voided INTEGER NOT NULL DEFAULT 0, captured INTEGER NOT NULL DEFAULT 0, extra TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS transactions_order ON transactions (order_id);
CREATE INDEX IF NOT EXISTS transactions_invoice ON transactions (invoice);
CREATE INDEX IF NOT EXISTS transactions_batch ON transactions (batch_id);
CREATE INDEX IF NOT EXISTS transactions_ref ON transactions (ref_seq);
CREATE INDEX IF NOT EXISTS transactions_ach ON transactions (seq) WHERE kind = 'ach';
CREATE INDEX IF NOT EXISTS transactions_merchant ON transactions (merchant_id, seq);
-- The sale for which a counter terminal awaits a card. It stays when the caller disconnects.
CREATE TABLE IF NOT EXISTS terminal_sales (
  id INTEGER PRIMARY KEY AUTOINCREMENT, terminal_id TEXT NOT NULL UNIQUE, request TEXT NOT NULL, arrival_seq INTEGER NOT NULL,
  started_ms INTEGER NOT NULL, ends_ms INTEGER NOT NULL
);
-- The latest status of a bank debit. A debit without a row is pending.
CREATE TABLE IF NOT EXISTS ach_moves (
  seq INTEGER PRIMARY KEY, status TEXT NOT NULL, at_ms INTEGER NOT NULL, return_code TEXT
);
CREATE TABLE IF NOT EXISTS operator_alerts (seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL,
  subject TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, idempotency_key TEXT, body_hash TEXT NOT NULL,
  reply_to TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS mails_key ON mails (idempotency_key);
CREATE TABLE IF NOT EXISTS mail_news (mail_id TEXT PRIMARY KEY, tags TEXT NOT NULL, last_event TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS suppressions (address TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS applications (
  merchant_number TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, hub_id INTEGER, dba_name TEXT NOT NULL, email TEXT NOT NULL,
  mcc_code TEXT NOT NULL, status TEXT NOT NULL, created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS terminal_keys (terminal_id TEXT PRIMARY KEY, private_key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS webhooks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, about TEXT NOT NULL, event TEXT NOT NULL, at_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS webhooks_about ON webhooks (about, seq);
CREATE TABLE IF NOT EXISTS webhook_attempts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, webhook_seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, outcome TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS webhook_attempts_of ON webhook_attempts (webhook_seq, seq);
`;

export type Store = ReturnType<typeof openStore>;

/** Opens the SQLite file (or ':memory:') that holds all state of the sandbox. */
export function openStore(file: string) {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  // Set the timeout before the first statement, because a killed sandbox may still lock the file.
  const db = new DatabaseSync(file, { timeout: 10_000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;');
  db.exec(SCHEMA);
  const preparedStatements = new Map<string, StatementSync>();

  /** Prepares each SQL text once. Values are passed only as parameters. */
  function statement(sql: string): StatementSync {
    const cached = preparedStatements.get(sql);
    if (cached) return cached;
    const newStatement = db.prepare(sql);
    if (preparedStatements.size > 500) preparedStatements.clear();
    preparedStatements.set(sql, newStatement);
    return newStatement;
  }

  let depth = 0;
  const store = {
    /** `T` lists the selected columns. It is not checked, because SQLite has no static types. */
    all<T>(sql: string, ...values: SQLInputValue[]): T[] {
      return statement(sql).all(...values) as T[];
    },
    get<T>(sql: string, ...values: SQLInputValue[]): T | undefined {
      return statement(sql).get(...values) as T | undefined;
    },
    run(sql: string, ...values: SQLInputValue[]) {
      return statement(sql).run(...values);
    },
    transaction<T>(work: () => T): T {
      if (depth > 0) return work();
      db.exec('BEGIN IMMEDIATE');
      depth += 1;
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (cause) {
        db.exec('ROLLBACK');
        throw cause;
      } finally {
        depth -= 1;
      }
    },
    meta(name: string): string | undefined {
      return store.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
    },
    setMeta(name: string, value: string) {
      store.run(
        'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        name,
        value,
      );
    },
    close() {
      preparedStatements.clear();
      db.close();
    },
  };
  return store;
}
