import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { auditActions } from '#shared/audit';
import { bearer, Jar } from '#tests/support/consent';
import { logIn, logInColleague, makeApp } from '#tests/support/login';
import { paymentForm } from '#tests/support/pay-form';
import { revokeLinkNow } from '#tests/support/revoke-link';
import { eventsOf } from '#tests/support/unit/trail';
import { approvedOutcome, lostOutcome, makeWorld } from '#tests/support/unit/world';
import { INSTALLATION } from '#worker/data/schema/audit';
import { takePayment } from '#worker/domain/payments/take-payment';
import { runSchedule } from '../run-schedule.ts';
import { factsText } from './event.ts';
import { foldRefusals } from './refusals.ts';

const HOUR = 3_600_000;

describe('payment events', () => {
  it('record the payer, a hash of the address, and each state with the previous one', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = approvedOutcome;
    const deps = { ...world.deps, actor: { ...world.deps.actor, requestId: 'r1' } };
    await takePayment(deps, world.payId, paymentForm(), { clientIp: '10.0.0.1' });
    const [attempt] = await world.attempts();
    const events = (await eventsOf(world.accountId)).filter(({ subjectId }) => subjectId === attempt?.id);
    expect(
      events.map(({ action, actorKind, before, after }) => [action, actorKind, before, JSON.parse(after)]),
    ).toEqual([
      [
        'payment.claimed',
        'payer',
        '',
        { invoice: world.invoiceId, collection: 1, amountCents: 18_400, channel: 'link' },
      ],
      [
        'payment.moved',
        'payer',
        '{"state":"sent"}',
        expect.objectContaining({ state: 'approved', amountCents: 18_400 }),
      ],
    ]);
    expect(new Set(events.map(({ ipHash, requestId }) => `${ipHash} ${requestId}`))).toEqual(
      new Set([`${attempt?.ipKey} r1`]),
    );
    const allEvents = JSON.stringify(events);
    for (const secret of [world.payId, attempt?.receiptId ?? '-', attempt?.tokenHash ?? '-', '10.0.0.1', '1111'])
      expect(allEvents).not.toContain(secret);
  });

  it('name the system as actor when a status inquiry found the outcome', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
    world.clock.now += HOUR;
    await runSchedule(world.deps);
    const moves = await eventsOf(world.accountId, 'payment.moved');
    expect(moves.map(({ actorKind }) => actorKind)).toEqual(['payer', ...moves.slice(1).map(() => 'system')]);
    expect(moves[0]).toMatchObject({ before: '{"state":"sent"}' });
  });

  it('contain one claim when several payers submit at the same moment', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = approvedOutcome;
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        takePayment(
          world.deps,
          world.payId,
          { ...paymentForm(), paymentDetails: `token-${index}` },
          { clientIp: null },
        ),
      ),
    );
    expect(await eventsOf(world.accountId, 'payment.claimed')).toHaveLength(1);
    expect((await eventsOf(world.accountId)).map(({ seq }) => seq)).toEqual(
      (await eventsOf(world.accountId)).map((_, index) => index + 1),
    );
  });
});

describe('pay link events', () => {
  it('name the invoice and never the pay id', async () => {
    const world = await makeWorld();
    const newLink = await revokeLinkNow(world.deps, world.accountId, world.invoiceId);
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action.startsWith('link.'));
    expect(events.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['link.issued', world.invoiceId],
      ['link.revoked', world.invoiceId],
      ['link.issued', world.invoiceId],
    ]);
    for (const payId of [world.payId, newLink?.payId ?? '-']) expect(JSON.stringify(events)).not.toContain(payId);
  });
});

describe('a login', () => {
  it('is recorded with its session, grant and scopes, as is the logout', async () => {
    const app = makeApp();
    const { jar } = await logIn(app, 0, new Jar());
    await app.request('/logout', { headers: jar.header });
    const events = await eventsOf(hubs[0].hubId);
    const [openedEvent, endedEvent] = ['session.opened', 'session.ended'].map((name) =>
      events.find(({ action }) => action === name),
    );
    expect(openedEvent).toMatchObject({ actorKind: 'user', actorId: '1' });
    expect(endedEvent?.sessionId).toBe(openedEvent?.sessionId);
    expect(endedEvent?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const connectedEvent = events.find(({ action }) => action === 'account.connected');
    expect(JSON.parse(connectedEvent?.after ?? '{}')).toMatchObject({ scopes: expect.stringContaining('oauth') });
    expect(connectedEvent?.after).not.toMatch(/token/i);
  });
});

describe('access refusals', () => {
  it('of a logged-in user are one event with a count per session and hour', async () => {
    const clock = { now: Date.UTC(2026, 2, 4, 15, 20) };
    const app = makeApp({ now: () => clock.now });
    const token = await logInColleague(app);
    const changeFooter = () =>
      app.request('/api/token/footer-text', {
        method: 'PUT',
        headers: { ...bearer(token), 'content-type': 'application/json' },
        body: JSON.stringify({ footer_text: 'x' }),
      });
    for (let n = 0; n < 5; n++) expect((await changeFooter()).status).toBe(403);
    await foldRefusals(app.deps);
    expect(await eventsOf(hubs[0].hubId, 'access.refused')).toEqual([]);
    clock.now += HOUR;
    await Promise.all([foldRefusals(app.deps), foldRefusals(app.deps)]);
    const events = await eventsOf(hubs[0].hubId, 'access.refused');
    expect(events).toMatchObject([{ actorKind: 'user', subjectId: '/api/token/footer-text' }]);
    expect(JSON.parse(events[0]?.after ?? '{}')).toEqual({ count: 5, hour: '2026-03-04T15:00:00.000Z' });
    expect(events[0]?.sessionId).not.toBe('');
  });

  it('of anonymous callers are summed per hour', async () => {
    const clock = { now: Date.UTC(2031, 2, 4, 15, 20) };
    const app = makeApp({ now: () => clock.now });
    const forge = () => app.request('/api/webhooks/boarding/wrong', { method: 'POST', body: '{}' });
    // The isolate may still hold a count from another test: flush it and delete it.
    await forge();
    await env.INSTALLATION.prepare('DELETE FROM audit_refusals').run();
    clock.now += 61_000;
    for (let n = 0; n < 20; n++) expect((await forge()).status).toBe(404);
    clock.now += 61_000;
    await forge();
    clock.now += HOUR;
    await foldRefusals(app.installation);
    const events = await eventsOf(INSTALLATION, 'webhook.forged');
    expect(events).toMatchObject([{ actorKind: 'system', ipHash: '', sessionId: '' }]);
    expect(JSON.parse(events[0]?.after ?? '{}')).toMatchObject({ count: 21 });
  });
});

it('event facts stay short even if the typed text is very long', () => {
  expect(factsText({ text: 'x'.repeat(10_000), n: 1 }).length).toBeLessThan(600);
  expect(factsText(undefined)).toBe('');
});

it('action names are unique and follow one lower-case format', () => {
  for (const action of auditActions) expect(action).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
  expect(new Set(auditActions).size).toBe(auditActions.length);
});
