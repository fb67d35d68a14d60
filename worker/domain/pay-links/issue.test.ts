import { describe, expect, it } from 'vitest';
import { makeWorld, type World } from '#tests/support/unit/world';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { issuePayLink } from './pay-link.ts';

const DAY = 86_400_000;
const issue = ({ deps, accountId, invoiceId }: World) => issuePayLink(deps, accountId, invoiceId);
const kindOf = async ({ deps }: World, payId: string | undefined) => (await viewLink(deps, payId ?? '')).kind;

describe('a pay link', () => {
  it('has at least 128 random bits that fit a URL unescaped', async () => {
    const { deps } = await makeWorld();
    const ids = Array.from({ length: 2000 }, () => deps.newCapability());
    expect(new Set(ids).size).toBe(ids.length);
    // The clinic's number comes first, and a tag that proves that we issued the id comes last.
    for (const id of ids) expect(id).toMatch(/^1-[\w-]{27}-[\w-]{16}$/);
    // Every position in between has many values: no part is a counter, a time or a constant.
    for (let index = 2; index < 28; index++) expect(new Set(ids.map((id) => id[index])).size).toBeGreaterThan(40);
  });

  it('exists once per invoice: issuing it again returns the same link', async () => {
    const world = await makeWorld();
    expect((await issue(world))?.payId).toBe(world.payId);
    expect(await world.links()).toMatchObject([{ payId: world.payId, state: 'live' }]);
  });

  it('lasts 30 days past the due date or the last issue, whichever is later, and is never shortened', async () => {
    const world = await makeWorld();
    // The end of April 9 in Indiana.
    const due = Date.parse('2026-04-10T03:59:59Z') - 30 * DAY;
    expect((await world.links())[0]?.endsAt).toBe(due + 30 * DAY);
    world.clock.now = due + 20 * DAY;
    expect((await issue(world))?.endsAt).toBe(due + 50 * DAY);
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, dueDate: '2026-01-01' };
    world.clock.now -= 5 * DAY;
    expect((await issue(world))?.endsAt).toBe(due + 50 * DAY);
  });

  it('lasts the configured number of days from its issue if the invoice has no due date', async () => {
    const world = await makeWorld({ PAY_LINK_DAYS: 7 });
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, dueDate: null };
    world.clock.now = Date.UTC(2026, 5, 1);
    expect((await issue(world))?.endsAt).toBe(world.clock.now + 7 * DAY);
  });

  it('expires at the exact millisecond, and the next link is different', async () => {
    const world = await makeWorld();
    const [link] = await world.links();
    world.clock.now = (link?.endsAt ?? 0) - 1;
    expect(await kindOf(world, world.payId)).toBe('ready');
    world.clock.now += 1;
    expect(await kindOf(world, world.payId)).toBe('ended');
    const next = await issue(world);
    expect(next?.payId).not.toBe(world.payId);
    expect(await kindOf(world, next?.payId)).toBe('ready');
    expect(await kindOf(world, world.payId)).toBe('ended');
    expect((await world.links()).map(({ state }) => state).sort()).toEqual(['ended', 'live']);
  });

  it('is issued once for concurrent requests, which all get the same link', async () => {
    const world = await makeWorld();
    const [link] = await world.links();
    world.clock.now = (link?.endsAt ?? 0) + 1;
    const issued = await Promise.all(Array.from({ length: 10 }, () => issue(world)));
    const live = (await world.links()).filter(({ state }) => state === 'live');
    expect(live).toHaveLength(1);
    expect(new Set(issued.map((link) => link?.payId))).toEqual(new Set([live[0]?.payId]));
  });

  it('is not issued for an invoice the account does not have', async () => {
    const world = await makeWorld();
    world.crm.invoice = null;
    expect(await issue(world)).toBeNull();
    expect(await issuePayLink(world.deps, world.accountId, 'none')).toBeNull();
    expect(await world.links()).toHaveLength(1);
  });
});
