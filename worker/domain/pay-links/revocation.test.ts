import { describe, expect, it } from 'vitest';
import { UNDO_MS } from '#shared/limits';
import { paymentForm } from '#tests/support/pay-form';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld, type World } from '#tests/support/unit/world';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { takePayment } from '#worker/domain/payments/take-payment';
import { runSchedule } from '../run-schedule.ts';
import { issuePayLink, requestRevocation, undoRevocation } from './pay-link.ts';

const revoke = ({ deps, accountId, invoiceId }: World) => requestRevocation(deps, accountId, invoiceId);
const undo = ({ deps, accountId, invoiceId }: World) => undoRevocation(deps, accountId, invoiceId);
const pay = ({ deps }: World, payId: string) => takePayment(deps, payId, paymentForm(), { clientIp: '10.0.0.1' });
const kindOf = async ({ deps }: World, payId = '') => (await viewLink(deps, payId)).kind;

describe('revoking a pay link', () => {
  it('keeps the link working for ten seconds, during which the revocation can be undone', async () => {
    const world = await makeWorld();
    expect(await revoke(world)).toMatchObject({ payId: world.payId, revokeAt: world.clock.now + UNDO_MS });
    world.clock.now += UNDO_MS - 1;
    await runSchedule(world.deps);
    expect(await undo(world)).toMatchObject({ payId: world.payId });
    world.clock.now += UNDO_MS;
    await runSchedule(world.deps);
    expect((await pay(world, world.payId)).kind).toBe('approved');
    expect(await world.links()).toHaveLength(1);
    const actions = (await eventsOf(world.accountId))
      .map(({ action }) => action)
      .filter((action) => action.startsWith('link.'));
    expect(actions).toEqual(['link.issued', 'link.revocation-asked', 'link.revocation-undone']);
  });

  it('disables the link after ten seconds even if the schedule is late, and can no longer be undone', async () => {
    const world = await makeWorld();
    await revoke(world);
    world.clock.now += UNDO_MS;
    expect(await kindOf(world, world.payId)).toBe('revoked');
    expect((await pay(world, world.payId)).kind).toBe('link-ended');
    expect(await undo(world)).toBeNull();
    expect(await world.attempts()).toEqual([]);
  });

  it('replaces the link once on schedule and keeps its expiry date', async () => {
    const world = await makeWorld();
    const [oldLink] = await world.links();
    await revoke(world);
    world.clock.now += UNDO_MS;
    await Promise.all([runSchedule(world.deps), runSchedule(world.deps)]);
    const links = await world.links();
    expect(links.map(({ state }) => state).sort()).toEqual(['live', 'revoked']);
    const newLink = links.find(({ state }) => state === 'live');
    expect(newLink).toMatchObject({ endsAt: oldLink?.endsAt, revokeAt: null });
    expect(await kindOf(world, newLink?.payId)).toBe('ready');
    expect((await pay(world, newLink?.payId ?? '')).kind).toBe('approved');
  });

  it('replaces the link immediately when a new one is requested before the schedule runs', async () => {
    const world = await makeWorld();
    await revoke(world);
    world.clock.now += UNDO_MS;
    const issued = await Promise.all(
      Array.from({ length: 10 }, () => issuePayLink(world.deps, world.accountId, world.invoiceId)),
    );
    const live = (await world.links()).filter(({ state }) => state === 'live').map(({ payId }) => payId);
    expect(live).toHaveLength(1);
    expect(new Set(issued.map((link) => link?.payId))).toEqual(new Set(live));
    expect(live).not.toContain(world.payId);
  });

  it('takes effect at the time set by the first request, even if it is requested again', async () => {
    const world = await makeWorld();
    const first = await revoke(world);
    world.clock.now += 5000;
    expect((await revoke(world))?.revokeAt).toBe(first?.revokeAt);
    await Promise.all(Array.from({ length: 5 }, () => revoke(world)));
    expect(await world.links()).toHaveLength(1);
  });
});
