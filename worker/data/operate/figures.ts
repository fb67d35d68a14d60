import type { Db } from '../db.ts';

export type ClinicFigures = {
  payments: Record<string, number>;
  mailsDue: number;
  oldestMailAt: number | null;
  isConnected: boolean;
  restoredAt: number | null;
  readUntil: Record<string, number>;
};

/** The figures of a clinic, in one round trip. */
export async function readFigures({ $client }: Db): Promise<ClinicFigures> {
  const [states, cursors, facts] = await $client.batch<Record<string, string | number | null>>([
    $client.prepare('SELECT state AS name, count(*) AS n FROM payment_attempts GROUP BY state'),
    $client.prepare('SELECT method AS name, read_until AS n FROM reconciliation_cursors'),
    $client.prepare(
      `SELECT (SELECT count(*) FROM outbox WHERE state = 'due') AS mailsDue,
(SELECT min(created_at) FROM outbox WHERE state = 'due') AS oldestMailAt,
EXISTS (SELECT 1 FROM crm_tokens WHERE revoked_at IS NULL) AS isConnected,
(SELECT restored_at FROM accounts) AS restoredAt`,
    ),
  ]);
  const valuesByName = (rows: Record<string, string | number | null>[] = []) =>
    Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
  const { mailsDue, oldestMailAt, isConnected, restoredAt } = facts?.results[0] ?? {};
  return {
    payments: valuesByName(states?.results),
    readUntil: valuesByName(cursors?.results),
    mailsDue: Number(mailsDue),
    oldestMailAt: oldestMailAt as number | null,
    isConnected: isConnected === 1,
    restoredAt: restoredAt as number | null,
  };
}
