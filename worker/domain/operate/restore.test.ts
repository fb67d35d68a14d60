import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clinicWorld, exported, pay, putBackAll, useObjects } from '#tests/support/operate-world';
import { findClinic } from '#worker/data/directory/clinics';
import { exportTables, notExported } from '#worker/data/operate/tables';
import { isCatchingUp } from '#worker/domain/payments/catching-up';
import { eraseClinic } from './erase.ts';
import { abandonRestoration, beginRestoration, restoreRows } from './restore.ts';
import { inspectClinic } from './view.ts';

useObjects();

const MONTHS_MS = 100 * 86_400_000;

describe('the tables of an export', () => {
  it('are all tables of a clinic, but for those that are left out with a reason', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual') AND schema = 'main'
AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations'`,
    ).all<{ name: string }>();
    const known = [...exportTables.map(({ name }) => name), ...Object.keys(notExported)];
    expect(results.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('a clinic that is exported, erased and restored', () => {
  it('has its money, its trail and its lists again, and no payments until the gateway was read', async () => {
    const world = await clinicWorld();
    await pay(world, 3);
    world.clock.now += MONTHS_MS;
    const before = await exported(world);
    const days = await world.own.db.$client.prepare('SELECT * FROM daily_totals ORDER BY day').all();
    const lists = await world.own.db.$client.prepare('SELECT * FROM list_counts ORDER BY list, status').all();

    expect(JSON.stringify(before.rows)).not.toContain(world.payId);
    const erased = await eraseClinic(world.installation, world.accountId, world.name);
    expect(erased).toMatchObject({ kind: 'erased' });

    const clinic = await putBackAll(world, before);
    expect(clinic).not.toBe(world.own.clinic);
    expect(await findClinic(world.installation.installation, world.accountId)).toBe(clinic);
    const again = await exported(world);
    const { hubs: _, audit_events: events = [], ...rows } = again.rows;
    const { hubs: __, audit_events: old = [], ...same } = before.rows;
    // A mail that was owed before is owed no more.
    expect(rows).toEqual(same);
    expect(events.slice(0, old.length)).toEqual(old);
    expect(events.slice(old.length)).toMatchObject([{ action: 'clinic.restored' }]);
    const { db } = world.deps(clinic);
    expect((await db.$client.prepare('SELECT * FROM daily_totals ORDER BY day').all()).results).toEqual(days.results);
    expect((await db.$client.prepare('SELECT * FROM list_counts ORDER BY list, status').all()).results).toEqual(
      lists.results,
    );
    const found = await db.$client
      .prepare('SELECT count(*) AS n FROM invoice_search WHERE invoice_search MATCH ?1')
      .bind(`"h${world.accountId}_marta"`)
      .first('n');
    expect(found).toBe(4);
    expect(await isCatchingUp(world.deps(clinic), world.accountId)).toBe(true);
    expect(await inspectClinic(world.installation, world.accountId)).toMatchObject({
      clinic,
      isConnected: false,
      isCatchingUp: true,
      mailsDue: 0,
      payments: { approved: 3 },
    });
    // Its triggers are back.
    await expect(db.$client.prepare('DELETE FROM ledger').run()).rejects.toThrow('only added to');
  });
});

describe('a restore', () => {
  it('leaves an account alone whose clinic holds records', async () => {
    const world = await clinicWorld();
    expect(await beginRestoration(world.installation, world.accountId, 1)).toEqual({ kind: 'there-is-one' });
  });

  it('of a newer export is refused', async () => {
    const world = await clinicWorld();
    expect((await beginRestoration(world.installation, 4711, 9999)).kind).toBe('newer');
    expect(await findClinic(world.installation.installation, 4711)).toBeUndefined();
  });

  it('that was given up leaves nothing, and takes no further rows', async () => {
    const world = await clinicWorld();
    const begun = await beginRestoration(world.installation, 4712, 1);
    if (begun.kind !== 'begun') throw new Error(begun.kind);
    expect(await abandonRestoration(world.installation, begun.clinic)).toBe(true);
    expect(await restoreRows(world.installation, begun.clinic, 'users', [])).toBe(false);
    await runInDurableObject(env.CLINICS.getByName(String(begun.clinic)), (_, { storage }) => {
      expect(
        storage.sql.exec("SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      ).toEqual([]);
    });
  });
});
