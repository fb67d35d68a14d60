import { type Answer, type Question, unknown, yesIf } from './question.ts';
import { at, type Talk } from './talk.ts';

const MAX_POLLS = 6;
const PAUSE_MS = 5000;
/** The service's test addresses, by the last event of a mail to each; each accepts a `+label`. */
const LAST_EVENTS = ['delivered', 'bounced', 'complained', 'suppressed'] as const;
type LastEvent = (typeof LAST_EVENTS)[number];
const addressOf = (event: LastEvent, label = crypto.randomUUID().slice(0, 8)) => `${event}+${label}@resend.dev`;

/** Events that the product processes; the service's other events concern opens and clicks. */
const EVENTS = ['sent', 'delivered', 'delivery_delayed', 'bounced', 'complained', 'failed', 'suppressed'];

const send = (talk: Talk, key: string, subject: string, to = addressOf('delivered')) =>
  talk.ask('POST', '/emails', {
    headers: { 'idempotency-key': key },
    body: {
      from: talk.input('MAIL_FROM'),
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
  event: LastEvent,
  to = addressOf(event),
): Promise<{ last: string; tags: string; key: string }> {
  const key = crypto.randomUUID();
  const reply = await send(talk, key, 'a', to);
  if (reply.status !== 200) throw new Error(`the mail is refused with ${reply.status}`);
  for (let poll = 1; ; poll++) {
    const read = await talk.ask('GET', `/emails/${at(reply.json, 'id')}`);
    if (read.status !== 200) throw new Error(`a mail cannot be read: ${read.status} ${at(read.json, 'name')}`);
    const status = { last: at(read.json, 'last_event'), tags: at(read.json, 'tags'), key };
    if (status.last === event || poll === MAX_POLLS) return status;
    await talk.pause(PAUSE_MS);
  }
}

async function checkEvent(talk: Talk, event: LastEvent): Promise<Answer> {
  const { last } = await follow(talk, event);
  return yesIf(last === event, `last event: ${last || 'none'}`);
}

const eventQuestion = (id: string, event: LastEvent, claim: string, no: string): Question => ({
  id,
  claim,
  writes: true,
  look: (talk) => checkEvent(talk, event),
  yes: 'Nothing: lists and reminders rely on it.',
  no,
});

export const mailQuestions: Question[] = [
  {
    id: 'same-key-is-one-mail',
    claim: 'The same key sends one mail, and another mail under it is refused with 409.',
    writes: true,
    async look(talk) {
      const [key, to] = [crypto.randomUUID(), addressOf('delivered')];
      const [first, second, third] = [
        await send(talk, key, 'a', to),
        await send(talk, key, 'a', to),
        await send(talk, key, 'b', to),
      ];
      if (first.status !== 200) return unknown(`the mail is refused with ${first.status}`);
      const isSameMail = at(first.json, 'id') === at(second.json, 'id');
      return yesIf(
        isSameMail && third.status === 409,
        `${isSameMail ? 'one id' : 'two ids'}, another mail answers ${third.status}`,
      );
    },
    yes: 'Nothing: a mail whose answer was lost is sent again under its key.',
    no: 'A lost answer may mean two receipts: tell the developers before MAIL_API_KEY is a production key.',
  },
  {
    id: 'last-event-can-be-read',
    claim: 'The last event of a mail can be read by its id.',
    writes: true,
    async look(talk) {
      const reply = await send(talk, crypto.randomUUID(), 'a');
      if (reply.status !== 200) return unknown(`the mail is refused with ${reply.status}`);
      let last = '';
      for (let poll = 0; poll < MAX_POLLS && last !== 'delivered'; poll++) {
        const read = await talk.ask('GET', `/emails/${at(reply.json, 'id')}`);
        if (read.status !== 200) return yesIf(false, `${read.status} ${at(read.json, 'name')}`);
        last = at(read.json, 'last_event');
        if (last !== 'delivered') await talk.pause(PAUSE_MS);
      }
      return yesIf(last !== '', last === '' ? 'the answer has no last event' : `last event: ${last}`);
    },
    yes: 'A receipt without an event for a day is queried once, with this key.',
    no: 'MAIL_API_KEY may only send: MAIL_WEBHOOK_SECRET is then the only source of bounces, so set it.',
  },
  {
    id: 'key-is-known',
    claim: 'The key is known to the service.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', `/emails/${crypto.randomUUID()}`);
      return yesIf(reply.status === 404 || /restricted/i.test(reply.text), `${reply.status} ${at(reply.json, 'name')}`);
    },
    yes: 'Nothing.',
    no: 'Put the key of this environment into MAIL_API_KEY.',
  },
  eventQuestion(
    'bounces-are-told',
    'bounced',
    'A mail that comes back ends with the event “bounced”.',
    'A bounced link or receipt goes unnoticed: staff ask payers, and reminders stay off until the service explains its events.',
  ),
  eventQuestion(
    'complaints-are-told',
    'complained',
    'A mail that its reader reports as spam ends with the event “complained”.',
    'Reminders would continue to readers who complained: leave them off for every clinic.',
  ),
  eventQuestion(
    'suppression-is-told',
    'suppressed',
    'A mail that the service holds back ends with the event “suppressed”.',
    'A receipt that was held back would count as accepted: check the service’s own list once a week.',
  ),
  {
    id: 'tags-come-back',
    claim: 'A mail still has its tags after each of these events.',
    writes: true,
    async look(talk) {
      const missing: string[] = [];
      for (const event of LAST_EVENTS) {
        const { tags, key } = await follow(talk, event);
        if (!tags.includes(key)) missing.push(event);
      }
      return yesIf(missing.length === 0, missing.length === 0 ? 'after all four' : `not after ${missing.join(', ')}`);
    },
    yes: 'An event finds its clinic: MAIL_WEBHOOK_SECRET may be set.',
    no: 'An event without tags finds no clinic: send one mail of each kind through staging and check its list; if the webhook lacks them too, tell the developers before MAIL_WEBHOOK_SECRET is set.',
  },
  {
    id: 'bounced-once-is-suppressed',
    claim: 'An address that bounced once receives no more mails from this account, from any clinic.',
    writes: true,
    async look(talk) {
      const to = addressOf('bounced');
      const first = await follow(talk, 'bounced', to);
      if (first.last !== 'bounced') return unknown(`the first mail did not bounce: ${first.last}`);
      const { last } = await follow(talk, 'suppressed', to);
      return yesIf(last === 'suppressed', `the second mail ends with ${last || 'nothing'}`);
    },
    yes: 'One list for all clinics: a payer whose address works again is removed from it in the service’s dashboard; if clinics cannot accept that, each sender needs its own account.',
    no: 'The service holds nothing back: the product’s own list of bad addresses, one per clinic, is the only one.',
  },
  {
    id: 'webhook-has-every-event',
    claim: 'A webhook of this account leads to the installation, with all events that the product reads.',
    writes: false,
    async look(talk) {
      const address = `${talk.input('APP_URL')}/api/webhooks/mail`;
      const reply = await talk.ask('GET', '/webhooks');
      if (reply.status !== 200) return unknown(`${reply.status} ${at(reply.json, 'name')}: the key may only send`);
      const hooks = (JSON.parse(at(reply.json, 'data') || '[]') as Record<string, unknown>[]).filter(
        ({ endpoint, status }) => endpoint === address && status !== 'disabled',
      );
      if (hooks.length === 0) return yesIf(false, 'no webhook leads there');
      const missing = EVENTS.filter((event) => !hooks.some(({ events }) => at(events).includes(`"email.${event}"`)));
      return yesIf(missing.length === 0, missing.length === 0 ? 'all events' : `lacks ${missing.join(', ')}`);
    },
    yes: 'Put its signing secret into MAIL_WEBHOOK_SECRET.',
    no: 'Add the webhook, or the events that it lacks (docs/deploy.md, Mail), before MAIL_WEBHOOK_SECRET has any effect.',
  },
];
