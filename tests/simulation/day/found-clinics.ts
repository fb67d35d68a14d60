import type { Deps } from '#worker/deps';
import { FIRST_ZONE } from './nights.ts';
import type { Size } from './plan.ts';
import { ZONES } from './plan.ts';
import type { DayClinic, DayWorld } from './world.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** Time in which the clinics connect one after the other, biggest first, and in which their records are synced. */
export const FOUNDING_MS = HOUR;
const DAY = 24 * HOUR;
/** The connecting person's user id in the CRM and in the product. */
const CRM_USER_ID = 11;
const USER_ID = 1;

/** Connects all clinics, as a login and the card provider's approval do; their alarms sync the CRM's records. */
export async function foundAll(world: DayWorld, { clinics: sizes, from }: Size): Promise<void> {
  const { engine, random, clinics } = world;
  const invoiceCounts = sizes.flatMap(({ count, invoices }) => Array.from({ length: count }, () => invoices));
  const startedAt = engine.now();
  // A clinic's number is its index plus one, so they connect in order. The biggest is first, since it needs most time.
  invoiceCounts.forEach((invoices, index) => {
    engine.later((index / invoiceCounts.length) * (FOUNDING_MS / 3), () => foundOne(world, index, invoices, startedAt));
  });
  const runCron = () => {
    world.cron();
    if (engine.now() < from - MINUTE) engine.later(MINUTE, runCron);
  };
  engine.later(MINUTE, runCron);
  while ((engine.nextAt() ?? Number.POSITIVE_INFINITY) < from) await engine.step();
  const unsynced = clinics.filter(
    ({ object }) => object.read('SELECT 1 FROM crm_sync_states WHERE complete_at IS NULL').length > 0,
  );
  if (clinics.length < invoiceCounts.length || unsynced.length > 0)
    throw new Error(
      `${clinics.length} of ${invoiceCounts.length} clinics are founded, ${unsynced.length} of them are not synced`,
    );
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
  const work = async (installationDeps: Deps) => {
    const deps = await product.findOrCreateClinic(installationDeps, accountId);
    if (deps.clinic !== at + 1) throw new Error(`clinic ${deps.clinic} does not belong to account ${accountId}`);
    const accountData = {
      accountId,
      name: `Clinic ${at}`,
      domain: `clinic-${accountId}.example`,
      timeZone: ZONES[zone] ?? 'UTC',
    };
    const staff = { crmUserId: CRM_USER_ID, email: `desk@clinic-${accountId}.example` };
    await product.connectAccount(deps, accountData, { ...crm.connect(accountId), scopes: ['oauth'] }, staff);
    const { terminalId, apiKey, publicKey } = terminal;
    await product.boardTerminal(deps, { accountId, terminalId, name: 'Web', channel: 'ecommerce', publicKey, apiKey });
    await product.openSession(deps, { accountId, userId: USER_ID }, { beganBy: 'crm', label: '' });
  };
  ask(work, (result) => {
    if (result instanceof Error) throw result;
    const object = objectOf(String(at + 1));
    const [session] = object.read<{ id: string }>('SELECT id FROM sessions');
    const merchant = { sessionId: session?.id ?? '', accountId, userId: USER_ID, role: 'admin' as const };
    const { terminalId } = terminal;
    clinics[at] = { at, accountId, zone, terminalId, crm: account, object, merchant } satisfies DayClinic;
  });
}
