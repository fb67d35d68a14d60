import { describe, expect, it } from 'vitest';
import type { TerminalSale } from '#shared/contracts/payments/terminals';
import { sampleSale } from '#tests/support/sample-sale';
import { openStream, streamOf } from './api.ts';

/** Creates a response that stays open. The test sends its text in pieces, and then ends or aborts it. */
function createResponse() {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  return {
    response: new Response(stream.readable),
    send: (text: string) => writer.write(new TextEncoder().encode(text)),
    end: () => writer.close(),
    cut: () => writer.abort(new Error('reset')),
  };
}
const lineFor = (sale: TerminalSale) => `${JSON.stringify({ sale })}\n`;

describe('streamed response of a sale', () => {
  it('contains the started sale, and its outcome after any number of empty lines', async () => {
    const { response, send, end } = createResponse();
    const started = openStream(response);
    await send(lineFor(sampleSale({ id: 's1' })));
    expect(await started).toMatchObject({ id: 's1', state: 'waiting' });
    const outcome = streamOf('s1')?.outcome;
    for (let count = 0; count < 3; count++) await send('\n');
    const last = lineFor(sampleSale({ id: 's1', state: 'approved' }));
    await send(last.slice(0, 40));
    await send(last.slice(40));
    await end();
    expect(await outcome).toMatchObject({ id: 's1', state: 'approved' });
    expect(streamOf('s1')).toBeUndefined();
  });

  it.each([
    ['between its empty lines', ''],
    ['in the middle of its last line', lineFor(sampleSale({ id: 'cut', state: 'approved' })).slice(0, 60)],
    // Without its line break, the line may be incomplete.
    ['before the line break of its last line', lineFor(sampleSale({ id: 'cut', state: 'approved' })).trim()],
  ])('contains no outcome if it is cut off %s', async (_title, tail) => {
    for (const ending of ['end', 'cut'] as const) {
      const answer = createResponse();
      const started = openStream(answer.response);
      await answer.send(lineFor(sampleSale({ id: 'cut' })));
      await started;
      const outcome = streamOf('cut')?.outcome;
      await answer.send(`\n${tail}`);
      await answer[ending]();
      expect(await outcome, ending).toBeNull();
      expect(streamOf('cut'), ending).toBeUndefined();
    }
  });

  it('contains no sale if its first line is missing or invalid', async () => {
    for (const text of ['', '{"sale":', '{"sale":{}}\n', 'nonsense\n']) {
      const { response, send, end } = createResponse();
      const started = openStream(response);
      await send(text);
      await end();
      expect(await started, text).toBeNull();
    }
  });
});
