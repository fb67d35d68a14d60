import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { freshId, makeWorld, type World } from '#tests/support/unit/world';
import { openClinics } from '#worker/clinic/clinics';
import { openDb } from '#worker/data/db';
import { clinicKeysWrite } from '#worker/data/directory/clinic-keys';
import { addClinic } from '#worker/data/directory/clinics';
import { findMerchant } from '#worker/data/merchants/merchants';
import { merchantLogs, merchants, outbox, terminals } from '#worker/data/schema/schema';
import type { ApplicationOutcome, TerminalFacts } from '#worker/vendors/boarding-port';
import { handleBoardingWebhook, setUpMerchant } from './boarding.ts';

/** Longer than the lifetime of a claim (ms). */
const CLAIM_MS = 61_000;

const createdOutcome = (merchantNumber: string): ApplicationOutcome => ({
  kind: 'created',
  merchantNumber,
  signupUrl: `https://boarding.example/${merchantNumber}`,
});

/** A provider response that the test controls; `requested` resolves when the code requests it. */
function controlledAnswer<T>() {
  const requested = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<T>();
  const ask = () => {
    requested.resolve();
    return answer.promise;
  };
  return { requested: requested.promise, ask, answer: answer.resolve };
}

/** A clinic without terminals. `answers`: the provider's answers to the clinic's applications, in order. */
async function makeClinic(...answers: (() => Promise<ApplicationOutcome>)[]) {
  const world = await makeWorld();
  await world.db.delete(terminals).where(eq(terminals.accountId, world.accountId));
  world.deps.boarding = {
    ...world.deps.boarding,
    createApplication: () => answers.shift()?.() ?? Promise.reject(new Error('no application was expected')),
  };
  const apply = (name: string) => setUpMerchant(world.deps, world.accountId, 'ana@maple.example', name);
  const merchant = () => findMerchant(world.db, world.accountId);
  return { ...world, apply, merchant };
}

const immediate = (outcome: ApplicationOutcome) => () => Promise.resolve(outcome);

/** Starts two applications. The claim of the first has expired, and neither has a response yet. */
async function startTwoApplications() {
  const [slow, slower] = [controlledAnswer<ApplicationOutcome>(), controlledAnswer<ApplicationOutcome>()];
  const world = await makeClinic(slow.ask, slower.ask);
  const first = world.apply('Maple');
  await slow.requested;
  world.clock.now += CLAIM_MS;
  const second = world.apply('Maple Dental');
  await slower.requested;
  return { world, first, second, slow, slower };
}

describe('two concurrent applications of one clinic', () => {
  it('keep the one answered first; a late answer changes and mails nothing but alerts the operator', async () => {
    const [lateNumber, keptNumber] = [String(freshId()), String(freshId())];
    const slow = controlledAnswer<ApplicationOutcome>();
    const world = await makeClinic(slow.ask, immediate(createdOutcome(keptNumber)));
    const first = world.apply('Maple');
    await slow.requested;
    world.clock.now += CLAIM_MS;
    expect(await world.apply('Maple Dental')).toMatchObject({
      kind: 'set-up',
      merchant: { merchantNumber: keptNumber },
    });
    slow.answer(createdOutcome(lateNumber));
    expect(await first).toMatchObject({ kind: 'set-up', merchant: { merchantNumber: keptNumber }, mailId: null });
    expect(await world.merchant()).toMatchObject({
      merchantNumber: keptNumber,
      name: 'Maple Dental',
      status: 'applied',
    });
    const mails = (await world.db.select().from(outbox).where(eq(outbox.accountId, world.accountId))).map(
      ({ id }) => id,
    );
    expect(mails).toEqual([`sign-up-${keptNumber}`]);
    expect(world.logs).toContain('ALERT application-superfluous');
  });

  it('keep a late answer and make the application that is still under way superfluous', async () => {
    const [keptNumber, lateNumber] = [String(freshId()), String(freshId())];
    const { first, second, slow, slower } = await startTwoApplications();
    slow.answer(createdOutcome(keptNumber));
    expect(await first).toMatchObject({ kind: 'set-up', merchant: { merchantNumber: keptNumber, name: 'Maple' } });
    slower.answer(createdOutcome(lateNumber));
    expect(await second).toMatchObject({ kind: 'set-up', merchant: { merchantNumber: keptNumber, name: 'Maple' } });
  });

  it('leave the application under way untouched when the earlier one is refused late', async () => {
    const number = String(freshId());
    const { world, first, second, slow, slower } = await startTwoApplications();
    slow.answer({ kind: 'refused', message: 'HTTP 400' });
    expect((await first).kind).toBe('refused');
    expect((await world.merchant())?.status).toBe('applying');
    slower.answer(createdOutcome(number));
    expect(await second).toMatchObject({ kind: 'set-up', merchant: { merchantNumber: number } });
  });

  it('keep an application that was created although a later one was refused', async () => {
    const number = String(freshId());
    const slow = controlledAnswer<ApplicationOutcome>();
    const world = await makeClinic(slow.ask, immediate({ kind: 'refused', message: 'HTTP 400' }));
    const first = world.apply('Maple');
    await slow.requested;
    world.clock.now += CLAIM_MS;
    expect((await world.apply('Maple Dental')).kind).toBe('refused');
    slow.answer(createdOutcome(number));
    expect(await first).toMatchObject({ kind: 'set-up', merchant: { merchantNumber: number, name: 'Maple' } });
  });
});

describe('an application created by the provider', () => {
  it('is kept and not repeated when the database’s answer is lost and the directory cannot be updated', async () => {
    const number = String(freshId());
    const world = await makeClinic(immediate(createdOutcome(number)));
    const { db } = world.deps;
    let writes = 0;
    // The first batch is the claim. The second one stores the application, and its response is lost.
    const batch: typeof db.batch = async (statements) => {
      const result = await db.batch(statements);
      if (++writes === 2) throw new Error('D1_ERROR: the object was reset');
      return result;
    };
    world.deps.db = Object.assign(Object.create(db), { batch });
    world.deps.installation = Object.assign(Object.create(world.deps.installation), {
      insert: () => {
        throw new Error('the installation does not answer');
      },
    });
    const outcome = await world.apply('Maple');
    expect(outcome).toMatchObject({
      kind: 'set-up',
      merchant: { merchantNumber: number },
      mailId: `sign-up-${number}`,
    });
    expect((await world.merchant())?.merchantNumber).toBe(number);
    expect(world.logs).toContain('keys-not-reported');
    expect(world.logs.filter((line) => line.startsWith('ALERT'))).toEqual([]);
  });
});

describe('the provider’s boarding message', () => {
  const boardedEvent = (merchantNumber: string) => ({
    event: 'Boarded',
    merchantNumber,
    terminals: ['k1', 'k2'].map((apiKey) => ({ apiKey, publicKey: 'ab', name: apiKey })),
    raw: `boarded ${merchantNumber}`,
  });
  const terminalFacts = (merchantNumber: string, terminalId: string): TerminalFacts => ({
    terminalId,
    merchantNumber,
    name: '',
    channel: 'counter',
  });

  /** The terminals and log events that a boarding has stored. */
  async function readTraces({ db, accountId }: World) {
    const [devices, logs] = await Promise.all([
      db.select().from(terminals).where(eq(terminals.accountId, accountId)),
      db.select().from(merchantLogs).where(eq(merchantLogs.accountId, accountId)),
    ]);
    return { devices: devices.map(({ terminalId }) => terminalId), logs: logs.map(({ event }) => event) };
  }

  async function makeAppliedClinic() {
    const number = String(freshId());
    const world = await makeClinic(immediate(createdOutcome(number)));
    await world.apply('Maple');
    const withdraw = () => world.db.delete(merchants).where(eq(merchants.accountId, world.accountId));
    const replace = (newNumber: string) =>
      world.db.update(merchants).set({ merchantNumber: newNumber }).where(eq(merchants.accountId, world.accountId));
    return { world, number, withdraw, replace };
  }

  it('is ignored after the application was withdrawn or replaced', async () => {
    const { world, number, withdraw, replace } = await makeAppliedClinic();
    world.deps.boarding.describeTerminal = async (key) => terminalFacts(number, key);
    await replace(String(freshId()));
    expect(await handleBoardingWebhook(world.deps, boardedEvent(number))).toBe('ignored');
    await withdraw();
    expect(await handleBoardingWebhook(world.deps, boardedEvent(number))).toBe('ignored');
    expect(await readTraces(world)).toEqual({ devices: [], logs: [] });
  });

  it.each(['withdrawn', 'replaced'])(
    'leaves no trace when the application was %s while its keys were being verified',
    async (change) => {
      const { world, number, withdraw, replace } = await makeAppliedClinic();
      const newNumber = String(freshId());
      world.deps.boarding.describeTerminal = async (key) => {
        if (key === 'k2') await (change === 'withdrawn' ? withdraw() : replace(newNumber));
        return terminalFacts(number, key);
      };
      expect(await handleBoardingWebhook(world.deps, boardedEvent(number))).toBe('ignored');
      expect(await readTraces(world)).toEqual({ devices: [], logs: [] });
      expect((await world.merchant())?.status).toBe(change === 'withdrawn' ? undefined : 'applied');
    },
  );

  it('reaches the merchant’s clinic when a directory key still names another one', async () => {
    const erasedClinic = await addClinic(openDb(env.INSTALLATION), freshId(), 0);
    const { world, number } = await makeAppliedClinic();
    await clinicKeysWrite(world.installation.installation, erasedClinic, [{ kind: 'merchant', key: number }]);
    const { clinics } = world.deps;
    const objects = openClinics(env.CLINICS, async () => null);
    world.deps.clinics = { ...clinics, db: (clinic) => (clinic === erasedClinic ? objects : clinics).db(clinic) };
    world.deps.boarding.describeTerminal = async (key) => terminalFacts(number, key);
    expect(await handleBoardingWebhook(world.deps, boardedEvent(number))).toBe('heard');
    expect((await world.merchant())?.status).toBe('boarded');
  });

  it('boards no terminal while a key cannot be verified, and boards all with a later message', async () => {
    const { world, number } = await makeAppliedClinic();
    let isUp = false;
    world.deps.boarding.describeTerminal = async (key) =>
      key === 'k1' || isUp ? terminalFacts(number, key) : 'unavailable';
    expect(await handleBoardingWebhook(world.deps, boardedEvent(number))).toBe('unproved');
    expect(await readTraces(world)).toEqual({ devices: [], logs: [] });
    isUp = true;
    expect(await handleBoardingWebhook(world.deps, boardedEvent(number))).toBe('heard');
    expect(await handleBoardingWebhook(world.deps, boardedEvent(number))).toBe('heard');
    expect(await readTraces(world)).toEqual({ devices: ['k1', 'k2'], logs: ['Boarded'] });
    expect((await world.merchant())?.status).toBe('boarded');
  });
});
