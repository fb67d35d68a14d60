import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { freshId, makeWorld, type World } from '#tests/support/unit/world';
import { createApp } from '#worker/app';
import { users } from '#worker/data/schema/schema';
import type { Env } from '#worker/deps';
import { openSession } from '#worker/domain/merchants/session';

async function ask({ installation }: World, path: string, init: RequestInit = {}): Promise<number> {
  const context = createExecutionContext();
  const request = new Request(`http://localhost:8787${path}`, init);
  const answer = await createApp(() => installation).fetch(request, env as unknown as Env, context);
  await waitOnExecutionContext(context);
  await answer.arrayBuffer();
  return answer.status;
}
const tell = (world: World, load: string, more: { payId?: string; cookie?: string } = {}) =>
  ask(world, `/api/invoices/${more.payId ?? world.payId}/opened`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(more.cookie && { cookie: more.cookie }) },
    body: JSON.stringify({ load }),
  });
const openings = async ({ invoiceId }: World) =>
  (
    await env.DB.prepare('SELECT at FROM page_views WHERE invoice_id = ? ORDER BY at')
      .bind(invoiceId)
      .all<{ at: number }>()
  ).results;

describe('pay page views', () => {
  it('count each load once, however often its script retries', async () => {
    const world = await makeWorld();
    expect(await tell(world, 'load-one')).toBe(204);
    expect(await tell(world, 'load-one')).toBe(204);
    world.clock.now += 3_600_000;
    await tell(world, 'load-one');
    expect(await openings(world)).toHaveLength(1);
    await tell(world, 'load-two');
    expect((await openings(world)).map(({ at }) => at)).toEqual([world.clock.now - 3_600_000, world.clock.now]);
  });

  it('count loads within a minute as one, and at most a hundred per invoice', async () => {
    const world = await makeWorld();
    await Promise.all(Array.from({ length: 20 }, (_, at) => tell(world, `at-once-${at}`)));
    expect(await openings(world)).toHaveLength(1);
    for (let at = 0; at < 105; at++) {
      world.clock.now += 61_000;
      await tell(world, `later-on-${at}`);
    }
    expect(await openings(world)).toHaveLength(100);
  });

  it('do not count 200 fetches by programs that run no script', async () => {
    const world = await makeWorld();
    for (let at = 0; at < 100; at++) {
      await ask(world, `/make/payment/${world.payId}`, { method: at % 2 ? 'HEAD' : 'GET' });
      expect(await ask(world, `/api/invoices/${world.payId}/opened`, { method: at % 2 ? 'HEAD' : 'GET' })).toBe(405);
    }
    expect(await openings(world)).toEqual([]);
  });

  it('do not count the billing clinic’s staff, but count those of another clinic', async () => {
    const world = await makeWorld();
    const other = await makeWorld();
    const cookieOf = async ({ deps, accountId, db }: World) => {
      const userId = freshId();
      await db.insert(users).values({ accountId, userId, email: 's@example.test', role: 'desk', lastLoginAt: 0 });
      const session = await openSession(deps, { accountId, userId }, { beganBy: 'crm', label: '' });
      return `authToken=${session?.accessToken}`;
    };
    await tell(world, 'own-staff', { cookie: await cookieOf(world) });
    expect(await openings(world)).toEqual([]);
    await tell(world, 'their-staff', { cookie: await cookieOf(other) });
    expect(await openings(world)).toHaveLength(1);
  });

  it('return 422 for an invalid body and 404 for an unknown id, and ignore an expired link', async () => {
    const world = await makeWorld();
    expect(await tell(world, 'x')).toBe(422);
    expect(await tell(world, 'load-one', { payId: 'not-an-id-of-ours' })).toBe(404);
    world.clock.now += 400 * 86_400_000;
    expect(await tell(world, 'load-one')).toBe(204);
    expect(await openings(world)).toEqual([]);
  });
});
