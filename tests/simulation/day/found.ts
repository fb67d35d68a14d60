import type { Deps } from '#worker/deps';
import { FIRST_ZONE } from './nights.ts';
import type { Size } from './plan.ts';
import { ZONES } from './plan.ts';
import type { DayClinic, DayWorld } from './world.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** The clinics come one after the other in this time, the biggest first, and their records are copied in it. */
export const FOUNDING_MS = HOUR;
const DAY = 24 * HOUR;
/** The CRM's number of the person who connects, and ours. */
const STAFF = 11;
const FIRST = 1;

/** All clinics connect, as at a login and by the card provider's approval; their clocks copy what the CRM has. */
export async function foundAll(world: DayWorld, { clinics: sizes, from }: Size): Promise<void> {
  const { engine, random, clinics } = world;
  const all = sizes.flatMap(({ count, invoices }) => Array.from({ length: count }, () => invoices));
  const begun = engine.now();
  // A clinic's number is its place and one more, so they come in that order; the biggest has the time that it needs.
  all.forEach((invoices, at) => {
    engine.later((at / all.length) * (FOUNDING_MS / 3), () => foundOne(world, at, invoices, begun));
  });
  const beat = () => {
    world.cron();
    if (engine.now() < from - MINUTE) engine.later(MINUTE, beat);
  };
  engine.later(MINUTE, beat);
  while ((engine.nextAt() ?? Number.POSITIVE_INFINITY) < from) await engine.step();
  const behind = clinics.filter(
    ({ object }) => object.read('SELECT 1 FROM crm_sync_states WHERE complete_at IS NULL').length > 0,
  );
  if (clinics.length < all.length || behind.length > 0)
    throw new Error(`${clinics.length} of ${all.length} clinics are founded, ${behind.length} of them are not copied`);
  // As in an installation that grew over weeks, the daily pass of a clinic may come at any time of the day.
  for (const { object } of clinics) {
    const earlier = Math.floor(random.next() * DAY);
    object.read('UPDATE crm_cursors SET ended_at = ended_at - ? RETURNING kind', earlier);
  }
  engine.jump(from - engine.now());
}

function foundOne(world: DayWorld, at: number, invoices: number, since: number): void {
  const { product, crm, gateways, clinics, ask, objectOf } = world;
  const accountId = 1000 + at;
  const zone = at % ZONES.length;
  const account = crm.add(accountId, invoices, since - HOUR);
  const terminal = gateways.add(at, FIRST_ZONE + zone);
  const work = async (any: Deps) => {
    const own = await product.foundClinic(any, accountId);
    if (own.clinic !== at + 1) throw new Error(`clinic ${own.clinic} is not the one of account ${accountId}`);
    const facts = {
      accountId,
      name: `Clinic ${at}`,
      domain: `clinic-${accountId}.example`,
      timeZone: ZONES[zone] ?? 'UTC',
    };
    const desk = { crmUserId: STAFF, email: `desk@clinic-${accountId}.example` };
    await product.connectAccount(own, facts, { ...crm.connect(accountId), scopes: ['oauth'] }, desk);
    const { terminalId, apiKey, publicKey } = terminal;
    await product.boardTerminal(own, { accountId, terminalId, name: 'Web', channel: 'ecommerce', publicKey, apiKey });
    await product.openSession(own, { accountId, userId: FIRST }, { beganBy: 'crm', label: '' });
  };
  ask(work, (result) => {
    if (result instanceof Error) throw result;
    const object = objectOf(String(at + 1));
    const [session] = object.read<{ id: string }>('SELECT id FROM sessions');
    const merchant = { sessionId: session?.id ?? '', accountId, userId: FIRST, role: 'admin' as const };
    const { terminalId } = terminal;
    clinics[at] = { at, accountId, zone, terminalId, crm: account, object, merchant } satisfies DayClinic;
  });
}
