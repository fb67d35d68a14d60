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

describe('a pay page that somebody looks at', () => {
  it('counts once for each load, however often its script tries', async () => {
    const world = await makeWorld();
    expect(await tell(world, 'load-one')).toBe(204);
    expect(await tell(world, 'load-one')).toBe(204);
    world.clock.now += 3_600_000;
    await tell(world, 'load-one');
    expect(await openings(world)).toHaveLength(1);
    await tell(world, 'load-two');
    expect((await openings(world)).map(({ at }) => at)).toEqual([world.clock.now - 3_600_000, world.clock.now]);
  });

  it('counts loads within a minute as one look, and a hundred of an invoice at most', async () => {
    const world = await makeWorld();
    await Promise.all(Array.from({ length: 20 }, (_, at) => tell(world, `at-once-${at}`)));
    expect(await openings(world)).toHaveLength(1);
    for (let at = 0; at < 105; at++) {
      world.clock.now += 61_000;
      await tell(world, `later-on-${at}`);
    }
    expect(await openings(world)).toHaveLength(100);
  });

  it('is not counted by 200 visits of programs that only fetch it', async () => {
    const world = await makeWorld();
    for (let at = 0; at < 100; at++) {
      await ask(world, `/make/payment/${world.payId}`, { method: at % 2 ? 'HEAD' : 'GET' });
      expect(await ask(world, `/api/invoices/${world.payId}/opened`, { method: at % 2 ? 'HEAD' : 'GET' })).toBe(405);
    }
    expect(await openings(world)).toEqual([]);
  });

  it('does not count staff of the business that bills, and counts those of another one', async () => {
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

  it('answers an unreadable body with a refusal, a foreign id with 404, and tells nothing of a link that has ended', async () => {
    const world = await makeWorld();
    expect(await tell(world, 'x')).toBe(422);
    expect(await tell(world, 'load-one', { payId: 'not-an-id-of-ours' })).toBe(404);
    world.clock.now += 400 * 86_400_000;
    expect(await tell(world, 'load-one')).toBe(204);
    expect(await openings(world)).toEqual([]);
  });
});
