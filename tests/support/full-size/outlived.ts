import type { Deps } from '#worker/deps';
import { createSealer } from '#worker/security/token-cipher';

const numbered = (rows: number) => `WITH RECURSIVE g (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${rows})`;

/** More rows of each kind than one retention run handles, all past their retention period; ?1 is the account. */
const EXPIRED_ROWS = [
  `INSERT OR IGNORE INTO merchants (account_id, name, claimed_at) VALUES (?1, 'Clinic', 1)`,
  `UPDATE payment_attempts SET settled_at = 1, created_at = 1, payer_last_name = 'Núñez', ip_key = 'f00', signature_key = id
  WHERE account_id = ?1 AND state IN ('approved', 'declined')`,
  'UPDATE gateway_transactions SET at = 1 WHERE account_id = ?1',
  `UPDATE gateway_transactions SET payer = '' WHERE account_id = ?1 AND rowid % 2 = 0`,
  `UPDATE contacts SET deleted_at = 1 WHERE account_id = ?1 AND rowid % 2 = 0`,
  `UPDATE invoices SET deleted_at = 1 WHERE account_id = ?1 AND rowid % 2 = 0`,
  `UPDATE outbox SET state = 'sent', created_at = 1, sent_at = 1, details = '{"a":"b"}'`,
  'UPDATE pay_links SET ends_at = 1 WHERE account_id = ?1',
  'UPDATE sessions SET ends_at = 1 WHERE account_id = ?1',
  `${numbered(250)} INSERT INTO outbox (id, kind, recipient, state, next_try_at, created_at, sent_at, details)
  SELECT 'x' || n, 'receipt', 'c@clinic.example', 'sent', 1, iif(n > 220, 9e15, 1), 1, '{"a":"b"}' FROM g`,
  `${numbered(250)} INSERT INTO pay_links (pay_id, account_id, invoice_id, state, issued_at, ends_at)
  SELECT 'x' || n, ?1, (SELECT invoice_id FROM invoices WHERE account_id = ?1 LIMIT 1), 'ended', 1, 1 FROM g`,
  `${numbered(250)} INSERT INTO companies (account_id, company_id, read_at, deleted_at) SELECT ?1, 'x' || n, 1, 1 FROM g`,
  `${numbered(250)} INSERT INTO users (account_id, user_id, email, last_login_at) SELECT ?1, 900000 + n, 'x', 1 FROM g`,
  `${numbered(250)} INSERT INTO sessions (id, account_id, user_id, companion_hash, created_at, seen_at, ends_at)
  SELECT 'x' || n, ?1, 900001, 'x' || n, 1, 1, 1 FROM g`,
  `${numbered(250)} INSERT INTO merchant_logs (account_id, message_hash, event, at) SELECT ?1, 'x' || n, 'updated', 1 FROM g`,
  `${numbered(250)} INSERT INTO resolutions (id, account_id, attempt_id, verdict, note, resolved_by, at)
  SELECT 'x' || n, ?1, (SELECT id FROM payment_attempts LIMIT 1), 'charged', '', 1, 1 FROM g`,
  `${numbered(60)} INSERT INTO invoice_signatures (account_id, invoice_id, image_key, saved_at, saved_by)
  SELECT ?1, invoice_id, 'x' || invoice_id, 1, 1 FROM invoices WHERE account_id = ?1 AND deleted_at IS NULL
    AND invoice_id NOT IN (SELECT invoice_id FROM invoice_signatures) LIMIT 60`,
];

/** Fills a clinic with many rows past their retention period. */
export async function outliveAll({ db: { $client: d1 } }: Deps, accountId: number): Promise<void> {
  await d1.batch(EXPIRED_ROWS.map((sql) => (sql.includes('?1') ? d1.prepare(sql).bind(accountId) : d1.prepare(sql))));
}

const EXPIRED_INSTALLATION_ROWS = [
  `${numbered(250)} INSERT INTO login_states (state_hash, verifier, ends_at) SELECT 'x' || n, 'v', 1 FROM g`,
  `${numbered(250)} INSERT INTO content_throttles (key, tries, open_at, ends_at) SELECT 'x' || n, 1, 1, 1 FROM g`,
  `${numbered(250)} INSERT INTO declines (ip_key, at) SELECT 'x' || n, 1 FROM g`,
  `${numbered(250)} INSERT INTO outbox (id, kind, recipient, state, next_try_at, created_at, sent_at, details)
  SELECT 'x' || n, 'content-reset', 'c@clinic.example', 'sent', 1, 1, 1, '{"a":"b"}' FROM g`,
];

/** The same for the installation, which all clinics share. */
export async function outliveInstallation({ db: { $client: d1 } }: Deps): Promise<void> {
  await d1.batch(EXPIRED_INSTALLATION_ROWS.map((sql) => d1.prepare(sql)));
}

/** Deps with an unused newest key; the previous key has sealed more values of each kind than one run renews. */
export async function withOldKey(deps: Deps): Promise<Deps> {
  const { sealer } = deps;
  const { newest } = sealer.keys;
  const ring = `newer:${btoa('a newer key of the ring'.padEnd(32, '.'))},${deps.settings.TOKEN_KEYS}`;
  const rows = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => ({
      // Sorts after the full-size account, whose values are sealed anew first.
      id: 80_000_000 + n,
      access: await sealer.seal('a', `crm_tokens/${80_000_000 + n}/access_token`),
      refresh: await sealer.seal('r', `crm_tokens/${80_000_000 + n}/refresh_token`),
      key: await sealer.seal('k', `terminals/${80_000_000 + n}/T/api_key`),
    })),
  );
  const json = JSON.stringify(rows);
  if (!rows[0]?.access.startsWith(`${newest}.`)) throw new Error('the old key sealed nothing');
  // These terminals are copies with keys that were sealed for the first account.
  await deps.db.$client.prepare('DELETE FROM terminals WHERE account_id BETWEEN 1 AND 4').run();
  await deps.db.$client.batch(
    [
      `INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) SELECT value ->> 'id', '', '', 'UTC', 0 FROM json_each(?1)`,
      `INSERT INTO crm_tokens (account_id, access_token, refresh_token, expires_at, scopes, revoked_at)
      SELECT value ->> 'id', value ->> 'access', value ->> 'refresh', 0, '', 1 FROM json_each(?1)`,
      `INSERT INTO terminals (account_id, terminal_id, name, channel, public_key, api_key, created_at)
      SELECT value ->> 'id', 'T', '', 'ecommerce', '', value ->> 'key', 0 FROM json_each(?1)`,
    ].map((sql) => deps.db.$client.prepare(sql).bind(json)),
  );
  return { ...deps, sealer: createSealer(ring) };
}
