import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Delivery } from '#shared/contracts/lists/mail-values';
import { mailEventBody, signedHeaders } from '#tests/support/mail-news';
import { startRandom } from '#tests/support/random';
import { makeWorld, type World } from '#tests/support/unit/world';
import { createApp } from '#worker/app';
import { queueMail } from '#worker/data/mail/outbox';
import type { Env } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';

const EVENTS = env.COMPLETE ? 1000 : 60;
const ADDRESSES = 9;
const FIVE_MINUTES = 300_000;

type Headers = ReturnType<typeof signedHeaders> | Record<string, never>;
type Message = { body: string; headers: Headers };

async function postMessage(app: ReturnType<typeof createApp>, { body, headers }: Message): Promise<number> {
  const context = createExecutionContext();
  const request = new Request('http://localhost:8787/api/webhooks/mail', { method: 'POST', body, headers });
  const { status } = await app.fetch(request, env as unknown as Env, context);
  await waitOnExecutionContext(context);
  return status;
}

/** The service's events, ranked by progress. `isFinal`: the address gets no further email. */
const EVENT_TYPES: Record<string, { delivery: Delivery | null; rank: number; isFinal?: true; bounce?: string }> = {
  sent: { delivery: 'accepted', rank: 1 },
  delivery_delayed: { delivery: 'delayed', rank: 2 },
  delivered: { delivery: 'delivered', rank: 3 },
  bounced: { delivery: 'bounced', rank: 4, isFinal: true, bounce: 'Permanent' },
  'bounced for now': { delivery: 'bounced', rank: 4, bounce: 'Transient' },
  failed: { delivery: 'failed', rank: 4 },
  suppressed: { delivery: 'suppressed', rank: 4, isFinal: true },
  complained: { delivery: 'complained', rank: 5, isFinal: true },
  something_new: { delivery: null, rank: 0 },
};

type Event = { mail: string; address: string; type: string; at: number };

/** Returns the expected state after all events are applied once, in the order in which they happened. */
function expectedState(mails: string[], events: Event[]) {
  const states = new Map(mails.map((id) => [id, { delivery: 'accepted' as Delivery, rank: 1 }]));
  const badAddresses = new Map<string, string>();
  for (const { mail, address, type } of events.sort((a, b) => a.at - b.at)) {
    const { delivery, rank, isFinal } = EVENT_TYPES[type] ?? { delivery: null, rank: 0 };
    if (delivery && rank >= (states.get(mail)?.rank ?? 0)) states.set(mail, { delivery, rank });
    if (badAddresses.get(address) === 'complained') continue;
    if (delivery === 'delivered') badAddresses.delete(address);
    if (delivery && isFinal) badAddresses.set(address, delivery);
  }
  return {
    mails: [...states].sort().map(([id, { delivery }]) => ({ id, delivery })),
    addresses: [...badAddresses].sort().map(([address, why]) => ({ address, why })),
  };
}

async function readState({ db }: World) {
  const queryAll = async (sql: string) => (await db.$client.prepare(sql).all()).results;
  return {
    mails: await queryAll('SELECT id, delivery FROM outbox ORDER BY id'),
    addresses: await queryAll('SELECT address, why FROM mail_addresses ORDER BY address'),
  };
}

/** Sends emails, each to one of a few addresses; the service accepts all. Returns the addresses by email id. */
async function sendMails(world: World, count: number): Promise<Map<string, string>> {
  world.deps.mailer.send = async ({ idempotencyKey }) => ({ id: `em-${idempotencyKey}` });
  const addressOfMail = new Map<string, string>();
  for (let n = 0; n < count; n++) {
    const mail = { id: `mail-${n}`, kind: 'staff-removed' as const, recipient: `P${n % ADDRESSES}@payer.example` };
    await queueMail(world.db, { ...mail, accountId: world.accountId }, world.clock.now);
    expect(await sendMail(world.deps, mail.id)).toBe('sent');
    addressOfMail.set(mail.id, mail.recipient.toLowerCase());
  }
  return addressOfMail;
}

it(`${EVENTS} mail events in any order, some repeated or forged, lead to the same state as in order`, async () => {
  const { random } = startRandom();
  const world = await makeWorld();
  const app = createApp(() => world.installation);
  const addressByMail = await sendMails(world, EVENTS / 4);
  const ids = [...addressByMail.keys()];
  const { clinic } = world.deps;
  const now = () => world.clock.now;

  const message = ({ mail, type, at }: Pick<Event, 'mail' | 'type' | 'at'>): Message => {
    const more = { bounce: { type: EVENT_TYPES[type]?.bounce ?? '' } };
    const body = mailEventBody({
      type: `email.${type.split(' ')[0]}`,
      at,
      mail,
      clinic,
      more,
      providerId: `em-${mail}`,
    });
    return { body, headers: signedHeaders(body, { now: now() }) };
  };
  const events = Array.from({ length: EVENTS }, (_, n): Event => {
    const mail = random.pick(ids);
    const at = now() - 3_600_000 + n * 100 + random.below(100);
    return { mail, address: addressByMail.get(mail) ?? '', type: random.pick(Object.keys(EVENT_TYPES)), at };
  });
  const shuffledEvents = events.map((event) => ({ event, place: random.next() })).sort((a, b) => a.place - b.place);

  /** Returns a complaint event that the service did not send. */
  const forge = (genuine: Message): Message => {
    const { body, headers } = message({ mail: random.pick(ids), type: 'complained', at: now() });
    const withHeaders = (more: object): Message => ({ body, headers: { ...headers, ...more } });
    return random.pick([
      () => ({ body, headers: {} }),
      () => withHeaders({ 'svix-signature': 'v1,AAAA' }),
      () => ({
        body,
        headers: signedHeaders(body, { now: now(), secret: `whsec_${btoa('another secret, not ours')}` }),
      }),
      // These have another message's signature, a changed body, a new message id, or a time too long ago or too far
      // ahead.
      () => withHeaders({ 'svix-signature': genuine.headers['svix-signature'] }),
      () => ({ body: body.replace('}', ' }'), headers }),
      () => ({ ...genuine, headers: { ...genuine.headers, 'svix-id': crypto.randomUUID() } }),
      () => ({ body, headers: signedHeaders(body, { now: now() - FIVE_MINUTES - 1000 }) }),
      () => ({ body, headers: signedHeaders(body, { now: now() + FIVE_MINUTES + 1000 }) }),
    ])();
  };
  const counts = { accepted: 0, repeated: 0, forged: 0, late: 0 };
  let acceptedMessages: Message[] = [];
  for (const [index, { event }] of shuffledEvents.entries()) {
    const genuineMessage = message(event);
    acceptedMessages.push(genuineMessage);
    expect(await postMessage(app, genuineMessage)).toBe(200);
    counts.accepted++;
    if (random.chance(0.3)) {
      expect(await postMessage(app, random.pick(acceptedMessages))).toBe(200);
      counts.repeated++;
    }
    if (random.chance(0.3)) {
      expect(await postMessage(app, forge(genuineMessage))).toBe(401);
      counts.forged++;
    }
    if (index % 20 < 19) continue;
    // An old message cannot be replayed after five minutes.
    world.clock.now += FIVE_MINUTES + 1000;
    expect(await postMessage(app, random.pick(acceptedMessages))).toBe(401);
    counts.late++;
    acceptedMessages = [];
  }
  console.log(`mail events: ${JSON.stringify(counts)}`);
  const expectedResult = expectedState(ids, events);
  expect(new Set(expectedResult.mails.map(({ delivery }) => delivery)).size).toBeGreaterThan(1);
  expect(await readState(world)).toEqual(expectedResult);
}, 240_000);
