import { type Question, unknown, yesIf } from './question.ts';
import { at, type Talk } from './talk.ts';

const LOOKS = 6;
/** An address of the service that takes every mail. */
const SINK = 'delivered@resend.dev';

const send = (talk: Talk, key: string, subject: string) =>
  talk.ask('POST', '/emails', {
    headers: { 'idempotency-key': key },
    body: {
      from: talk.given('MAIL_FROM'),
      to: [SINK],
      subject,
      text: 'A probe.',
      tags: [{ name: 'mail', value: key }],
    },
  });

export const mailQuestions: Question[] = [
  {
    id: 'same-key-is-one-mail',
    asks: 'The same key gives one mail, and another mail under it is refused with 409.',
    writes: true,
    async look(talk) {
      const key = crypto.randomUUID();
      const [first, again, other] = [
        await send(talk, key, 'a'),
        await send(talk, key, 'a'),
        await send(talk, key, 'b'),
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
        if (last !== 'delivered') await talk.pause(5000);
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
];
