import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Anchor, RETENTION_MS, verifyTrail } from '#shared/audit-chain';
import { eventsOf, tamper, trailReader } from '#tests/support/unit/trail';
import { freshId, makeWorld, type World } from '#tests/support/unit/world';
import { measureClinics } from '#worker/data/alerts/measure';
import { eventWrite } from '#worker/data/audit/events';
import { deleteOldEvents, readNewestAnchor } from '#worker/data/audit/seals';
import { openDb } from '#worker/data/db';
import { addClinic } from '#worker/data/directory/clinics';
import { readStatusReport, saveStatusReport } from '#worker/data/directory/status-reports';
import { auditSeals } from '#worker/data/schema/audit';
import { accounts } from '#worker/data/schema/schema';
import { auditEvent } from './event.ts';
import { anchorTrails, sealTrails } from './seal.ts';

const DAY_MS = 86_400_000;

/** Writes `count` events, each with a different value. */
async function recordEvents({ deps, accountId, db, clock }: World, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    clock.now += 1000;
    const action = { accountId, action: 'footer.changed', subject: ['merchant', 'x'], after: { n } } as const;
    await eventWrite(db, auditEvent(deps, { ...action, subject: ['merchant', 'x'] }), sql`1`);
  }
}

/** A new trail sealed in three parts, with two events that are not sealed yet. */
async function makeSealedTrail(): Promise<World & { base: number }> {
  const world = await makeWorld();
  await sealTrails(world.deps);
  const base = (await eventsOf(world.accountId)).length;
  for (let part = 0; part < 3; part++) {
    await recordEvents(world, 4);
    await sealTrails(world.deps);
  }
  await recordEvents(world, 2);
  return Object.assign(world, { base });
}

async function verify(world: World, anchor?: Anchor) {
  const [row] = await world.db.select().from(accounts).where(eq(accounts.accountId, world.accountId));
  const head = anchor?.accounts.find(({ account }) => account === world.accountId);
  const account = { accountId: world.accountId, connectedAt: row?.connectedAt ?? 0 };
  return verifyTrail(trailReader, account, head, world.clock.now);
}

/** Anchors the clinic's head as last reported to the directory. */
async function writeAnchor(world: World): Promise<Anchor> {
  const { accountId, installation, clock } = world;
  const clinic = await addClinic(installation.db, accountId, clock.now);
  const statusReport = await readStatusReport(world.db);
  if (!statusReport) throw new Error('there is no clinic');
  await saveStatusReport(installation.db, clinic, statusReport, { heardAt: clock.now, schema: 1, olderKeys: '' });
  await anchorTrails(installation);
  const anchor = await readNewestAnchor(env.AUDIT_ANCHORS, world.clock.now, 2);
  if (!anchor) throw new Error('no anchor was written');
  return anchor;
}

describe('an audit trail', () => {
  it('rejects updates and deletes of events and seals', async () => {
    const { accountId } = await makeSealedTrail();
    const expectRefused = (statement: string) =>
      expect(env.DB.prepare(statement).run(), statement).rejects.toThrow(/added to/);
    await expectRefused(`UPDATE audit_events SET actor_id = 'x' WHERE account_id = ${accountId}`);
    await expectRefused(`DELETE FROM audit_events WHERE account_id = ${accountId}`);
    await expectRefused(`UPDATE audit_seals SET at = 1 WHERE account_id = ${accountId}`);
    await expectRefused(`DELETE FROM audit_seals WHERE account_id = ${accountId}`);
  });

  it('verifies up to its last seal and counts events not yet sealed or anchored', async () => {
    const world = await makeSealedTrail();
    const to = world.base + 12;
    expect(await verify(world)).toEqual({ fault: null, to, unsealed: 2, unanchored: to });
    expect(await verify(world, await writeAnchor(world))).toEqual({ fault: null, to, unsealed: 2, unanchored: 0 });
  });

  it('is sealed once by concurrent runs, each of which continues where the last one ended', async () => {
    const world = await makeWorld();
    await recordEvents(world, 300);
    await Promise.all(Array.from({ length: 4 }, () => sealTrails(world.deps)));
    await sealTrails(world.deps);
    expect(await verify(world)).toMatchObject({ fault: null, unsealed: 0 });
    const seals = await world.db.select().from(auditSeals).where(eq(auditSeals.accountId, world.accountId));
    expect(seals.length).toBeGreaterThan(1);
  });
});

describe('an audit trail that cannot be sealed', () => {
  const databaseRefusingSeals = {
    prepare: (text) => {
      if (text.startsWith('INSERT INTO audit_seals')) throw new Error('D1_ERROR: Network connection lost');
      return env.DB.prepare(text);
    },
  } as D1Database;

  it('is logged, and counts as a problem once an event has waited a quarter of an hour', async () => {
    const world = await makeWorld();
    await sealTrails(world.deps);
    await recordEvents(world, 1);
    const failToSeal = async () => {
      world.logs.splice(0);
      await sealTrails({ ...world.deps, db: openDb(databaseRefusingSeals) });
      return world.logs;
    };
    const isReported = async () => {
      const { problems: standing } = await measureClinics(world.db, world.clock.now, false);
      return standing.some(({ event }) => event === 'audit-unsealed');
    };
    expect(await failToSeal()).toEqual(['audit-not-sealed']);
    world.clock.now += 14 * 60_000;
    expect([await failToSeal(), await isReported()]).toEqual([['audit-not-sealed'], false]);
    await recordEvents(world, 1);
    world.clock.now += 60_000;
    world.clock.now += 60_000;
    expect([await failToSeal(), await isReported()]).toEqual([['audit-not-sealed'], true]);
    await sealTrails(world.deps);
    expect(await verify(world)).toMatchObject({ fault: null, unsealed: 0 });
    await recordEvents(world, 1);
    expect(await failToSeal()).toEqual(['audit-not-sealed']);
  });
});

describe('the first faulty event of a tampered trail', () => {
  const ofAccount = ({ accountId }: World) => `account_id = ${accountId}`;

  it.each([
    [
      'altered',
      (world: World, seq: number) =>
        `UPDATE audit_events SET actor_id = 'x' WHERE ${ofAccount(world)} AND seq = ${seq}`,
    ],
    ['missing', (world: World, seq: number) => `DELETE FROM audit_events WHERE ${ofAccount(world)} AND seq = ${seq}`],
  ] as const)('is named when an event is %s', async (change, statement) => {
    const world = await makeSealedTrail();
    const seq = world.base + 6;
    await tamper(statement(world, seq));
    expect((await verify(world)).fault).toMatchObject({ seq, what: change });
  });

  it('is named when an event is inserted and the later ones are renumbered', async () => {
    const world = await makeSealedTrail();
    const seq = world.base + 6;
    const columns =
      'id, at, actor_kind, actor_id, session_id, ip_hash, action, subject_kind, subject_id, before, after, request_id';
    await tamper(
      `UPDATE audit_events SET seq = -seq WHERE ${ofAccount(world)} AND seq >= ${seq}`,
      `UPDATE audit_events SET seq = 1 - seq WHERE ${ofAccount(world)} AND seq < 0`,
      `INSERT INTO audit_events (account_id, seq, ${columns}) SELECT account_id, ${seq}, ${columns.replace('id, at', "'forged', at")}
       FROM audit_events WHERE ${ofAccount(world)} AND seq = ${seq - 1}`,
    );
    expect((await verify(world)).fault).toMatchObject({ seq, what: 'inserted' });
  });

  it('is named when an event is missing and the later ones are renumbered', async () => {
    const world = await makeSealedTrail();
    const seq = world.base + 6;
    await tamper(
      `DELETE FROM audit_events WHERE ${ofAccount(world)} AND seq = ${seq}`,
      `UPDATE audit_events SET seq = -seq WHERE ${ofAccount(world)} AND seq > ${seq}`,
      `UPDATE audit_events SET seq = -seq - 1 WHERE ${ofAccount(world)} AND seq < 0`,
    );
    expect((await verify(world)).fault).toMatchObject({ seq, what: 'missing' });
  });

  it('is named when events and their seals are cut off before the newest anchor', async () => {
    const world = await makeSealedTrail();
    const anchor = await writeAnchor(world);
    const from = world.base + 5;
    await tamper(
      `DELETE FROM audit_events WHERE ${ofAccount(world)} AND seq >= ${from}`,
      `DELETE FROM audit_seals WHERE ${ofAccount(world)} AND to_seq >= ${from}`,
    );
    expect((await verify(world)).fault).toBeNull();
    expect((await verify(world, anchor)).fault).toMatchObject({ seq: from, what: 'cut' });
    // The freed numbers are used again and sealed.
    await recordEvents(world, 12);
    await sealTrails(world.deps);
    expect((await verify(world, anchor)).fault).toMatchObject({ what: 'rewritten' });
  });

  it('is named when the whole chain is deleted', async () => {
    const world = await makeSealedTrail();
    const anchor = await writeAnchor(world);
    await tamper(
      `DELETE FROM audit_events WHERE ${ofAccount(world)}`,
      `DELETE FROM audit_seals WHERE ${ofAccount(world)}`,
    );
    expect((await verify(world, anchor)).fault).toMatchObject({ seq: 1, what: 'missing' });
  });

  it('is named when a seal is altered, missing or rewritten', async () => {
    const alteredWorld = await makeSealedTrail();
    await tamper(
      `UPDATE audit_seals SET at = at + 1 WHERE ${ofAccount(alteredWorld)} AND from_seq = ${alteredWorld.base + 5}`,
    );
    expect((await verify(alteredWorld)).fault).toMatchObject({ seq: alteredWorld.base + 5, what: 'altered' });
    const worldWithMissingSeal = await makeSealedTrail();
    await tamper(
      `DELETE FROM audit_seals WHERE ${ofAccount(worldWithMissingSeal)} AND from_seq = ${worldWithMissingSeal.base + 5}`,
    );
    expect((await verify(worldWithMissingSeal)).fault).toMatchObject({
      seq: worldWithMissingSeal.base + 5,
      what: 'missing',
    });
    const rewrittenWorld = await makeSealedTrail();
    const anchor = await writeAnchor(rewrittenWorld);
    await tamper(
      `DELETE FROM audit_seals WHERE ${ofAccount(rewrittenWorld)}`,
      `UPDATE audit_events SET actor_id = 'x' WHERE ${ofAccount(rewrittenWorld)} AND seq = 2`,
    );
    await sealTrails(rewrittenWorld.deps);
    expect((await verify(rewrittenWorld)).fault).toBeNull();
    expect((await verify(rewrittenWorld, anchor)).fault?.what).toBe('rewritten');
  });

  it('is named when the account’s connection time differs from the one at the start of the trail', async () => {
    const world = await makeSealedTrail();
    await world.db.update(accounts).set({ connectedAt: 1 }).where(eq(accounts.accountId, world.accountId));
    expect((await verify(world)).fault).toMatchObject({ seq: 1, what: 'altered' });
  });
});

describe('a trail anchor', () => {
  it('is written once a day and never replaced', async () => {
    const world = await makeSealedTrail();
    const first = await writeAnchor(world);
    await recordEvents(world, 1);
    await sealTrails(world.deps);
    expect(await writeAnchor(world)).toEqual(first);
    world.clock.now += DAY_MS;
    const second = await writeAnchor(world);
    const seqIn = (anchor: Anchor) => anchor.accounts.find(({ account }) => account === world.accountId)?.seq ?? 0;
    expect(seqIn(second)).toBe(seqIn(first) + 3);
  });
});

describe('events older than seven years', () => {
  it('are deleted while their seal stays; the trail still verifies and numbering continues', async () => {
    const world = await makeWorld();
    world.clock.now = Date.now() - RETENTION_MS - 10 * DAY_MS;
    await tamper(`UPDATE audit_events SET at = ${world.clock.now} WHERE account_id = ${world.accountId}`);
    await recordEvents(world, 3);
    await sealTrails(world.deps);
    const oldCount = (await eventsOf(world.accountId)).length;
    world.clock.now = Date.now();
    await recordEvents(world, 2);
    await sealTrails(world.deps);
    await deleteOldEvents(world.db, 'accounts', world.clock.now - RETENTION_MS, 10);
    expect((await eventsOf(world.accountId)).map(({ seq }) => seq)).toEqual([oldCount + 1, oldCount + 2]);
    await deleteOldEvents(world.db, 'accounts', world.clock.now - RETENTION_MS, 10);
    expect(await verify(world)).toMatchObject({ fault: null, to: oldCount + 2 });
    await recordEvents(world, 1);
    expect((await eventsOf(world.accountId)).at(-1)?.seq).toBe(oldCount + 3);
  });
});

it('two accounts have separate trails', async () => {
  const [firstWorld, secondWorld] = [await makeWorld(), await makeWorld()];
  await recordEvents(firstWorld, 3);
  expect((await eventsOf(firstWorld.accountId)).map(({ seq }) => seq)).toEqual(
    Array.from({ length: (await eventsOf(firstWorld.accountId)).length }, (_, index) => index + 1),
  );
  expect(await eventsOf(freshId())).toEqual([]);
  expect((await eventsOf(secondWorld.accountId)).every(({ accountId }) => accountId === secondWorld.accountId)).toBe(
    true,
  );
});
