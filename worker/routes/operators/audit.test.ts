import { describe, expect, it } from 'vitest';
import { AuditHeadFile, AuditView } from '#shared/contracts/staff/audit';
import { Jar } from '#tests/support/consent';
import { makeOperatorApp } from '#tests/support/operator/operator';
import { recordActs } from '#tests/support/unit/trail';
import { INSTALLATION } from '#worker/data/schema/audit';
import { clinics } from '#worker/data/schema/directory';

/** An operator, and two clinics with events about them. */
async function makeOperatorWithEvents() {
  const app = makeOperatorApp();
  const { jar, me } = await app.enrol();
  const { installation } = app.deps;
  for (const accountId of [4711, 4712]) {
    await installation
      .insert(clinics)
      .values({ accountId, name: `Clinic of ${accountId}`, foundedAt: 1, heardAt: app.clock.now, schema: 17 });
  }
  const [first, second] = await installation.select().from(clinics);
  if (!first || !second) throw new Error('no clinics');
  const at = app.clock.now;
  const clinicEvent = (action: 'clinic.woken' | 'support-view.opened', number: number) => ({
    accountId: INSTALLATION,
    action,
    subject: ['clinic', String(number)] as [string, string],
    at,
    actor: { kind: 'operator' as const, id: me.id },
  });
  await recordActs(app.installation, [
    clinicEvent('clinic.woken', first.number),
    clinicEvent('clinic.woken', second.number),
    clinicEvent('support-view.opened', first.number),
    {
      accountId: INSTALLATION,
      action: 'mail.sent-again',
      subject: ['mail', String(second.number)],
      at,
      after: { clinic: first.number, kind: 'receipt' },
      actor: { kind: 'operator', id: me.id },
    },
  ]);
  const trail = async (query: string) => {
    const view = AuditView.parse(await (await app.ask(jar, 'GET', `audit${query}`)).json());
    return { ...view, sentences: view.events.map(({ sentence }) => sentence) };
  };
  return { app, jar, me, first: first.number, second: second.number, trail };
}

describe('GET /api/operator/audit', () => {
  it('pages through all events, newest first', async () => {
    const { trail } = await makeOperatorWithEvents();
    const newest = await trail('?size=2');
    expect(newest.sentences).toEqual([
      'Olga Reyes (operator) resent an email of Clinic of 4711.',
      'Olga Reyes (operator) looked at Clinic of 4711 for support.',
    ]);
    const olderEvents = await trail(`?size=2&before=${newest.next}`);
    expect(olderEvents.sentences).toEqual([
      'Olga Reyes (operator) ran the pending work of Clinic of 4712 right away.',
      'Olga Reyes (operator) ran the pending work of Clinic of 4711 right away.',
    ]);
    const wholeTrail = await trail('');
    expect(wholeTrail.next).toBeNull();
    expect(wholeTrail.events.length).toBeGreaterThan(4);
  });

  it('filters by clinic, by person and by action', async () => {
    const { trail, me, first, second } = await makeOperatorWithEvents();
    const actions = async (query: string) => (await trail(query)).events.map(({ action }) => action);
    expect(await actions(`?clinic=${first}`)).toEqual(['mail.sent-again', 'support-view.opened', 'clinic.woken']);
    expect(await actions(`?clinic=${second}`)).toEqual(['clinic.woken']);
    expect(await actions('?action=clinic.woken')).toEqual(['clinic.woken', 'clinic.woken']);
    expect(await actions(`?action=clinic.woken&clinic=${first}`)).toEqual(['clinic.woken']);
    expect(await actions('?action=clinic.woken&group=access')).toEqual([]);
    expect(await actions('?action=clinic.woken&person=operator:nobody')).toEqual([]);
    expect(await actions(`?person=operator:${me.id}&action=support-view.opened`)).toEqual(['support-view.opened']);
    expect((await trail('')).people).toContainEqual({ person: `operator:${me.id}`, name: 'Olga Reyes (operator)' });
  });

  it('exports the matching events, and records the export under the operator’s name', async () => {
    const { app, jar, trail, first } = await makeOperatorWithEvents();
    const csv = await (await app.ask(jar, 'GET', `audit?clinic=${first}&format=csv`)).text();
    expect(csv).toContain('ran the pending work of Clinic of 4711');
    expect(csv).not.toContain('Clinic of 4712');
    const [newest] = (await trail('?action=list.exported')).sentences;
    expect(newest).toMatch(/^Olga Reyes \(operator\) exported the audit trail/);
    const { account } = AuditHeadFile.parse(await (await app.ask(jar, 'GET', 'audit/head')).json());
    expect(account).toBe(INSTALLATION);
  });

  it('refuses unknown filters, and anyone who is not logged in', async () => {
    const { app, jar } = await makeOperatorWithEvents();
    for (const query of ['clinic=0', 'clinic=x', 'action=clinic.painted'])
      expect((await app.ask(jar, 'GET', `audit?${query}`)).status, query).toBe(422);
    for (const path of ['audit', 'audit?format=csv', 'audit/head'])
      expect((await app.ask(new Jar(), 'GET', path)).status, path).toBe(401);
  });
});
