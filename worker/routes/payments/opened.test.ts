import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { freshId, makeWorld, type World } from '#tests/support/unit/world';
import { createApp } from '#worker/app';
import { users } from '#worker/data/schema/schema';
import type { Env } from '#worker/deps';
import { openSession } from '#worker/domain/merchants/session';

async function sendRequest({ installation }: World, path: string, init: RequestInit = {}): Promise<number> {
  const context = createExecutionContext();
  const request = new Request(`http://localhost:8787${path}`, init);
  const answer = await createApp(() => installation).fetch(request, env as unknown as Env, context);
  await waitOnExecutionContext(context);
  await answer.arrayBuffer();
  return answer.status;
}
const reportView = (world: World, load: string, overrides: { payId?: string; cookie?: string } = {}) =>
  sendRequest(world, `/api/invoices/${overrides.payId ?? world.payId}/opened`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(overrides.cookie && { cookie: overrides.cookie }) },
    body: JSON.stringify({ load }),
  });
const storedViews = async ({ invoiceId }: World) =>
  (
    await env.DB.prepare('SELECT at FROM page_views WHERE invoice_id = ? ORDER BY at')
      .bind(invoiceId)
      .all<{ at: number }>()
  ).results;

describe('pay page views', () => {
  it('count each page load once, however often its script retries', async () => {
    const world = await makeWorld();
    expect(await reportView(world, 'load-one')).toBe(204);
    expect(await reportView(world, 'load-one')).toBe(204);
    world.clock.now += 3_600_000;
    await reportView(world, 'load-one');
    expect(await storedViews(world)).toHaveLength(1);
    await reportView(world, 'load-two');
    expect((await storedViews(world)).map(({ at }) => at)).toEqual([world.clock.now - 3_600_000, world.clock.now]);
  });

  it('count loads within a minute as one, and at most a hundred per invoice', async () => {
    const world = await makeWorld();
    await Promise.all(Array.from({ length: 20 }, (_, n) => reportView(world, `at-once-${n}`)));
    expect(await storedViews(world)).toHaveLength(1);
    for (let n = 0; n < 105; n++) {
      world.clock.now += 61_000;
      await reportView(world, `later-on-${n}`);
    }
    expect(await storedViews(world)).toHaveLength(100);
  });

  it('do not count 200 fetches by programs that run no script', async () => {
    const world = await makeWorld();
    for (let n = 0; n < 100; n++) {
      await sendRequest(world, `/make/payment/${world.payId}`, { method: n % 2 ? 'HEAD' : 'GET' });
      expect(await sendRequest(world, `/api/invoices/${world.payId}/opened`, { method: n % 2 ? 'HEAD' : 'GET' })).toBe(
        405,
      );
    }
    expect(await storedViews(world)).toEqual([]);
  });

  it('do not count views by staff of the billing clinic, but by staff of another clinic', async () => {
    const world = await makeWorld();
    const otherWorld = await makeWorld();
    const cookieOf = async ({ deps, accountId, db }: World) => {
      const userId = freshId();
      await db.insert(users).values({ accountId, userId, email: 's@example.test', role: 'desk', lastLoginAt: 0 });
      const session = await openSession(deps, { accountId, userId }, { beganBy: 'crm', label: '' });
      return `authToken=${session?.accessToken}`;
    };
    await reportView(world, 'own-staff', { cookie: await cookieOf(world) });
    expect(await storedViews(world)).toEqual([]);
    await reportView(world, 'their-staff', { cookie: await cookieOf(otherWorld) });
    expect(await storedViews(world)).toHaveLength(1);
  });

  it('return 422 for an invalid body and 404 for an unknown id, and ignore an expired link', async () => {
    const world = await makeWorld();
    expect(await reportView(world, 'x')).toBe(422);
    expect(await reportView(world, 'load-one', { payId: 'not-an-id-of-ours' })).toBe(404);
    world.clock.now += 400 * 86_400_000;
    expect(await reportView(world, 'load-one')).toBe(204);
    expect(await storedViews(world)).toEqual([]);
  });
});
