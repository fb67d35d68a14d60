import { hubs } from '#sandbox/credentials';
import type { TestApp } from '#tests/support/login';
import { sealTrails } from '#worker/domain/audit/seal';
import type { Ask } from './asker.ts';

const { hubId: accountId } = hubs[0];
const EVENTS = 6000;
/** Events per seal, as in the scheduled sealing. */
const PER_SEAL = 250;

/** Appends hourly events to the trail, and seals them. */
async function seedTrail({ deps }: TestApp): Promise<void> {
  await deps.db.$client
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2),
         last(seq) AS (SELECT coalesce(max(seq), 0) FROM audit_events WHERE account_id = ?1)
       INSERT INTO audit_events SELECT ?1, last.seq + i, 'seeded-' || i, ?3 - (?2 - i) * 3600000, 'user', i % 7, 's', 'ip',
         iif(i % 50 = 0, 'link.revoked', 'payment.moved'), 'payment', 'p' || i, '{"state":"sent"}',
         '{"state":"approved","amountCents":18400}', 'r' || i FROM n, last`,
    )
    .bind(accountId, EVENTS, deps.now())
    .run();
  for (let sealed = 0; sealed < EVENTS + PER_SEAL; sealed += PER_SEAL) await sealTrails(deps);
}

/** An administrator's requests to a long trail. */
export async function trailCalls(ask: Ask, { app, token }: { app: TestApp; token: string }): Promise<void> {
  await seedTrail(app);
  const from = new Date(app.deps.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  await ask('GET /api/audit', { token });
  for (const query of ['about=INV-3', 'format=csv', 'group=settings', `from=${from}`]) {
    const path = `/api/audit?${query}`;
    if (query.startsWith('from')) await ask('GET /api/audit', { path, token });
    else await ask('GET /api/audit', { query, token });
  }
  await ask('GET /api/audit/head', { token });
  await ask('PUT /api/audit/mail', { token, body: { weekly: true } });
}
