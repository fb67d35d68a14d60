import { type Answer, type Question, unknown, yesIf } from './question.ts';
import { at, type Talk } from './talk.ts';

const LOOKS = 6;
const PAUSE_MS = 5000;
/** The service's test addresses, by the last event of a mail to each; each accepts a `+label`. */
const FATES = ['delivered', 'bounced', 'complained', 'suppressed'] as const;
type Fate = (typeof FATES)[number];
const addressOf = (fate: Fate, label = crypto.randomUUID().slice(0, 8)) => `${fate}+${label}@resend.dev`;

/** Events that the product processes; the service's other events concern opens and clicks. */
const EVENTS = ['sent', 'delivered', 'delivery_delayed', 'bounced', 'complained', 'failed', 'suppressed'];

const send = (talk: Talk, key: string, subject: string, to = addressOf('delivered')) =>
  talk.ask('POST', '/emails', {
    headers: { 'idempotency-key': key },
    body: {
      from: talk.given('MAIL_FROM'),
      to: [to],
      subject,
      text: 'A probe.',
      tags: [
        { name: 'mail', value: key },
        { name: 'clinic', value: '1' },
      ],
    },
  });

/** Sends a mail and polls it until its last event is the one of its address. Returns the last response. */
async function follow(
  talk: Talk,
  fate: Fate,
  to = addressOf(fate),
): Promise<{ last: string; tags: string; key: string }> {
  const key = crypto.randomUUID();
  const sent = await send(talk, key, 'a', to);
  if (sent.status !== 200) throw new Error(`the mail is refused with ${sent.status}`);
  for (let look = 1; ; look++) {
    const read = await talk.ask('GET', `/emails/${at(sent.json, 'id')}`);
    if (read.status !== 200) throw new Error(`a mail cannot be read: ${read.status} ${at(read.json, 'name')}`);
    const found = { last: at(read.json, 'last_event'), tags: at(read.json, 'tags'), key };
    if (found.last === fate || look === LOOKS) return found;
    await talk.pause(PAUSE_MS);
  }
}

async function isToldOf(talk: Talk, fate: Fate): Promise<Answer> {
  const { last } = await follow(talk, fate);
  return yesIf(last === fate, `last event: ${last || 'none'}`);
}

const isTold = (id: string, fate: Fate, asks: string, no: string): Question => ({
  id,
  asks,
  writes: true,
  look: (talk) => isToldOf(talk, fate),
  yes: 'Nothing: lists and reminders go by it.',
  no,
});

export const mailQuestions: Question[] = [
  {
    id: 'same-key-is-one-mail',
    asks: 'The same key gives one mail, and another mail under it is refused with 409.',
    writes: true,
    async look(talk) {
      const [key, to] = [crypto.randomUUID(), addressOf('delivered')];
      const [first, again, other] = [
        await send(talk, key, 'a', to),
        await send(talk, key, 'a', to),
        await send(talk, key, 'b', to),
      ];
      if (first.status !== 200) return unknown(`the mail is refused with ${first.status}`);
      const isOne = at(first.json, 'id') === at(again.json, 'id');
      return yesIf(
        isOne && other.status === 409,
        `${isOne ? 'one id' : 'two ids'}, another mail answers ${other.status}`,
      );
    },
    yes: 'Nothing: a mail whose answer was lost is sent again under its key.',
    no: 'A lost answer may mean two receipts: tell the developers before MAIL_API_KEY is one of production.',
  },
  {
    id: 'last-event-can-be-read',
    asks: 'What became of a mail can be read by its number.',
    writes: true,
    async look(talk) {
      const sent = await send(talk, crypto.randomUUID(), 'a');
      if (sent.status !== 200) return unknown(`the mail is refused with ${sent.status}`);
      let last = '';
      for (let look = 0; look < LOOKS && last !== 'delivered'; look++) {
        const read = await talk.ask('GET', `/emails/${at(sent.json, 'id')}`);
        if (read.status !== 200) return yesIf(false, `${read.status} ${at(read.json, 'name')}`);
        last = at(read.json, 'last_event');
        if (last !== 'delivered') await talk.pause(PAUSE_MS);
      }
      return yesIf(last !== '', last === '' ? 'the answer has no last event' : `last event: ${last}`);
    },
    yes: 'A receipt of which nothing was told for a day is asked about once, with this key.',
    no: 'MAIL_API_KEY may only send: MAIL_WEBHOOK_SECRET alone tells what came back, so set it.',
  },
  {
    id: 'key-is-known',
    asks: 'The key is known to the service.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', `/emails/${crypto.randomUUID()}`);
      return yesIf(reply.status === 404 || /restricted/i.test(reply.text), `${reply.status} ${at(reply.json, 'name')}`);
    },
    yes: 'Nothing.',
    no: 'Put the key of this environment into MAIL_API_KEY.',
  },
  isTold(
    'bounces-are-told',
    'bounced',
    'A mail that comes back ends with the event “bounced”.',
    'Nobody learns that a link or receipt came back: staff ask payers, and reminders stay off until the service says what it sends.',
  ),
  isTold(
    'complaints-are-told',
    'complained',
    'A mail that its reader calls spam ends with the event “complained”.',
    'Reminders would go on to readers who complained: leave them off for every clinic.',
  ),
  isTold(
    'suppression-is-told',
    'suppressed',
    'A mail that the service holds back ends with the event “suppressed”.',
    'A receipt that was held back would count as accepted: look at the service’s own list once a week.',
  ),
  {
    id: 'tags-come-back',
    asks: 'A mail has its tags still after each of these events.',
    writes: true,
    async look(talk) {
      const without: string[] = [];
      for (const fate of FATES) {
        const { tags, key } = await follow(talk, fate);
        if (!tags.includes(key)) without.push(fate);
      }
      return yesIf(without.length === 0, without.length === 0 ? 'after all four' : `not after ${without.join(', ')}`);
    },
    yes: 'An event finds its clinic: MAIL_WEBHOOK_SECRET may be set.',
    no: 'An event without tags finds no clinic: send one mail of each kind through staging and look in its list; where the webhook lacks them too, tell the developers before MAIL_WEBHOOK_SECRET is set.',
  },
  {
    id: 'bounced-once-is-suppressed',
    asks: 'An address that came back once gets nothing more from this account, whatever clinic the mail is of.',
    writes: true,
    async look(talk) {
      const to = addressOf('bounced');
      const first = await follow(talk, 'bounced', to);
      if (first.last !== 'bounced') return unknown(`the first mail did not come back: ${first.last}`);
      const { last } = await follow(talk, 'suppressed', to);
      return yesIf(last === 'suppressed', `the second mail ends with ${last || 'nothing'}`);
    },
    yes: 'One list for all clinics: a payer whose address is good again is taken off it in the service’s dashboard; where clinics cannot accept that, each sender needs an account of its own.',
    no: 'Nothing is held back there: the product’s own list of bad addresses is the only one, and it is each clinic’s.',
  },
  {
    id: 'webhook-has-every-event',
    asks: 'A webhook of this account leads to the installation, with all events that the product reads.',
    writes: false,
    async look(talk) {
      const address = `${talk.given('APP_URL')}/api/webhooks/mail`;
      const reply = await talk.ask('GET', '/webhooks');
      if (reply.status !== 200) return unknown(`${reply.status} ${at(reply.json, 'name')}: the key may only send`);
      const hooks = (JSON.parse(at(reply.json, 'data') || '[]') as Record<string, unknown>[]).filter(
        ({ endpoint, status }) => endpoint === address && status !== 'disabled',
      );
      if (hooks.length === 0) return yesIf(false, 'none leads there');
      const lacking = EVENTS.filter((event) => !hooks.some(({ events }) => at(events).includes(`"email.${event}"`)));
      return yesIf(lacking.length === 0, lacking.length === 0 ? 'all events' : `lacks ${lacking.join(', ')}`);
    },
    yes: 'Put its signing secret into MAIL_WEBHOOK_SECRET.',
    no: 'Add the webhook, or the events that it lacks (docs/deploy.md, Mail), before MAIL_WEBHOOK_SECRET counts for anything.',
  },
];
