import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tickedWords } from '#shared/words/bill-and-receipt-words';
import { dataUrl, png, signature } from '#tests/support/content/png';
import { payerFields } from '#tests/support/pay-form';
import { freshId, makeWorld } from '#tests/support/unit/world';
import { createApp } from '#worker/app';
import type { Env } from '#worker/deps';

type Body = Record<string, unknown>;
const SIGN = 'Please sign before paying.';
const MISSING = 'Please fill in all required fields: Signature';
const NOT_PNG = 'The signature must be a PNG image.';
const UNREADABLE = 'The signature could not be read.';
const NOT_SAID = 'The signature does not say how it was given.';

const plain = (pixel: (x: number, y: number) => number[], more: Partial<Parameters<typeof png>[0]> = {}) => ({
  signature: dataUrl(png({ width: 60, height: 150, pixel, ...more })),
});
const all = (...bytes: number[]) => plain(() => bytes);
const stroke = (ink: number[], paper: number[], more: Parameters<typeof plain>[1] = {}) =>
  plain((x) => (x === 5 ? ink : paper), more);
const act = (kind: unknown, words?: unknown): Body => ({ signing: { kind, words } });
const ticked = (name: string) => act('ticked', tickedWords(name)[0] ?? '');

/** All of them are bodies of Marta Núñez that say nothing of an act, or say it wrongly. */
const ways: [what: string, body: Body, sentence: string][] = [
  ['no signature at all', { signature: undefined }, MISSING],
  ['a signature that is null', { signature: null }, MISSING],
  ['an empty signature', { signature: '' }, MISSING],
  ['a signature of spaces', { signature: '   ' }, MISSING],
  ['a signature of invisible letters', { signature: '\u200b\u2060' }, MISSING],
  ['a tick without an image', { signature: '', ...ticked('Marta Núñez') }, MISSING],
  ['a typed name without an image', { signature: undefined, ...act('typed', 'Marta Núñez') }, MISSING],
  ['a number for an image', { signature: 1 }, NOT_PNG],
  ['a yes for an image', { signature: true }, NOT_PNG],
  ['an object for an image', { signature: {} }, NOT_PNG],
  ['the name for an image', { signature: 'Marta Núñez' }, NOT_PNG],
  ['the address of an image', { signature: 'https://example.com/signature.png' }, NOT_PNG],
  ['an SVG', { signature: 'data:image/svg+xml,<svg/>' }, NOT_PNG],
  ['a JPEG', { signature: 'data:image/jpeg;base64,/9j/4AAQ' }, NOT_PNG],
  ['nothing after the kind of image', { signature: 'data:image/png;base64,' }, NOT_PNG],
  ['bytes that are no PNG', { signature: 'data:image/png;base64,AAAA' }, NOT_PNG],
  ['a PNG that is cut off', { signature: signature().slice(0, -40) }, UNREADABLE],
  ['a PNG without pixels', plain(() => [], { data: deflateSync(new Uint8Array()) }), UNREADABLE],
  ['a PNG of one pixel', { signature: dataUrl(png({ width: 1, height: 1 })) }, SIGN],
  ['a pad that nobody touched: transparent', all(0, 0, 0, 0), SIGN],
  ['transparent pixels of a black stroke', stroke([0, 0, 0, 0], [255, 255, 255, 0]), SIGN],
  ['white paper', all(255, 255, 255, 255), SIGN],
  ['black paper', all(0, 0, 0, 255), SIGN],
  ['paper of one colour', all(19, 34, 29, 255), SIGN],
  ['paper of one half transparent colour', all(19, 34, 29, 128), SIGN],
  ['a white stroke on transparent paper', stroke([255, 255, 255, 255], [0, 0, 0, 0]), SIGN],
  ['a stroke that is all but transparent', stroke([0, 0, 0, 9], [0, 0, 0, 0]), SIGN],
  ['a stroke all but as white as the paper', stroke([250, 250, 250, 255], [255, 255, 255, 255]), SIGN],
  ['a single dot', plain((x, y) => (x + y === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255])), SIGN],
  ['white in grey', stroke([255], [255], { colour: 0 }), SIGN],
  ['a transparent stroke in grey', stroke([0, 0], [255, 255], { colour: 4 }), SIGN],
  ['white in three colours', stroke([255, 255, 255], [255, 255, 255], { colour: 2 }), SIGN],
  [
    'two names of white in a palette',
    stroke([1], [0], { colour: 3, extraChunks: [['PLTE', new Uint8Array(6).fill(255)]] }),
    SIGN,
  ],
  [
    'a stroke in the colour that counts as transparent',
    stroke([0, 0, 0], [255, 255, 255], { colour: 2, extraChunks: [['tRNS', new Uint8Array(6)]] }),
    SIGN,
  ],
  ['a blank image that says typed', { ...all(255, 255, 255, 255), ...act('typed', 'Marta Núñez') }, SIGN],
  ['a blank image that says ticked', { ...all(255, 255, 255, 255), ...ticked('Marta Núñez') }, SIGN],
  ['a tick of another name', ticked('Ivy Whitfield'), SIGN],
  ['a tick of the first name alone', ticked('Marta'), SIGN],
  ['a tick of the name in another spelling', ticked('Marta Nunez'), SIGN],
  ['a tick of no name', ticked(''), SIGN],
  ['a tick without words', act('ticked'), SIGN],
  ['a tick of the bare name', act('ticked', 'Marta Núñez'), SIGN],
  ['a tick with words of its own', act('ticked', 'I am Marta Núñez and sign nothing'), SIGN],
  ['a tick whose name was changed after it', { firstName: 'Ivy', ...ticked('Marta Núñez') }, SIGN],
  ['a typed name that is empty', act('typed', ''), SIGN],
  ['a typed name of spaces', act('typed', '  '), SIGN],
  ['a typed name of control characters', act('typed', 'Marta\u202e'), SIGN],
  ['a drawing that claims words', act('drawn', 'Marta Núñez'), SIGN],
  ['a name that was only there: no kind', act(undefined, 'Marta Núñez'), NOT_SAID],
  ['a kind that is none', act('prefilled', 'Marta Núñez'), NOT_SAID],
];

const send = async (body: Body) => {
  const world = await makeWorld();
  const context = createExecutionContext();
  const request = new Request(`http://localhost:8787/api/invoices/takePaymentSDK/${world.payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `ip-${world.accountId}` },
    body: JSON.stringify({
      ...payerFields(),
      signing: undefined,
      paymentDetails: { jwt: `jwt-${freshId()}` },
      ...body,
    }),
  });
  const answer = await createApp(() => world.deps).fetch(request, env as unknown as Env, context);
  await waitOnExecutionContext(context);
  return { world, status: answer.status, reply: (await answer.json()) as { error?: { message: string } } };
};

describe('the payment signature check', () => {
  it('is tested with fifty distinct unsigned bodies', () => {
    expect(new Set(ways.map(([what]) => what)).size).toBe(50);
  });

  it.each(ways)('rejects with its message before any claim: %s', async (_what, body, sentence) => {
    const { world, status, reply } = await send(body);
    const fields = [sentence === NOT_SAID ? 'signing' : 'signature'];
    expect([status, reply.error]).toEqual([422, expect.objectContaining({ message: sentence, fields })]);
    expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
  });

  it.each([
    ['a drawing alone, as the specified body sends it', {}],
    ['a drawing that says so', act('drawn')],
    ['a typed name', act('typed', 'M. Núñez')],
    ['a tick of the own name', ticked('Marta Núñez')],
    ['a dark stroke in grey', stroke([20], [255], { colour: 0 })],
    ['a light stroke on dark paper', stroke([240, 240, 240, 255], [10, 10, 10, 255])],
  ])('accepts %s', async (_what, body) => {
    expect((await send(body)).status).toBe(200);
  });
});
