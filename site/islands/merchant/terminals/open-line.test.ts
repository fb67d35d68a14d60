import { describe, expect, it } from 'vitest';
import type { TerminalSale } from '#shared/contracts/payments/terminals';
import { sampleSale } from '#tests/support/sample-sale';
import { lineOf, openLine } from './api.ts';

/** An answer that stays open; the test says what arrives, byte by byte if it wants, and how it ends. */
function anAnswer() {
  const sent = new TransformStream<Uint8Array, Uint8Array>();
  const writer = sent.writable.getWriter();
  return {
    response: new Response(sent.readable),
    say: (text: string) => writer.write(new TextEncoder().encode(text)),
    end: () => writer.close(),
    cut: () => writer.abort(new Error('reset')),
  };
}
const lineFor = (sale: TerminalSale) => `${JSON.stringify({ sale })}\n`;

describe('the streamed response of a sale', () => {
  it('yields the started sale, and its outcome after any number of empty lines', async () => {
    const { response, say, end } = anAnswer();
    const begun = openLine(response);
    await say(lineFor(sampleSale({ id: 'told' })));
    expect(await begun).toMatchObject({ id: 'told', state: 'waiting' });
    const outcome = lineOf('told')?.outcome;
    for (let quiet = 0; quiet < 3; quiet++) await say('\n');
    const last = lineFor(sampleSale({ id: 'told', state: 'approved' }));
    await say(last.slice(0, 40));
    await say(last.slice(40));
    await end();
    expect(await outcome).toMatchObject({ id: 'told', state: 'approved' });
    expect(lineOf('told')).toBeUndefined();
  });

  it.each([
    ['between its empty lines', ''],
    ['in the middle of its last line', lineFor(sampleSale({ id: 'cut', state: 'approved' })).slice(0, 60)],
    // Whatever stands there, it is not known to be whole.
    ['before the line break of its last line', lineFor(sampleSale({ id: 'cut', state: 'approved' })).trim()],
  ])('yields no outcome when it is cut %s', async (_where, half) => {
    for (const how of ['end', 'cut'] as const) {
      const answer = anAnswer();
      const begun = openLine(answer.response);
      await answer.say(lineFor(sampleSale({ id: 'cut' })));
      await begun;
      const outcome = lineOf('cut')?.outcome;
      await answer.say(`\n${half}`);
      await answer[how]();
      expect(await outcome, how).toBeNull();
      expect(lineOf('cut'), how).toBeUndefined();
    }
  });

  it('yields no sale when its first line is missing or invalid', async () => {
    for (const text of ['', '{"sale":', '{"sale":{}}\n', 'nonsense\n']) {
      const { response, say, end } = anAnswer();
      const begun = openLine(response);
      await say(text);
      await end();
      expect(await begun, text).toBeNull();
    }
  });
});
