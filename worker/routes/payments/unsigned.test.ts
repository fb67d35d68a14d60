import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tickSentences } from '#shared/words/bill-and-receipt-words';
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
const NO_KIND = 'The signature does not say how it was given.';

const image = (pixel: (x: number, y: number) => number[], options: Partial<Parameters<typeof png>[0]> = {}) => ({
  signature: dataUrl(png({ width: 60, height: 150, pixel, ...options })),
});
const solid = (...bytes: number[]) => image(() => bytes);
const stroke = (ink: number[], paper: number[], options: Parameters<typeof image>[1] = {}) =>
  image((x) => (x === 5 ? ink : paper), options);
const signing = (kind: unknown, words?: unknown): Body => ({ signing: { kind, words } });
const ticked = (name: string) => signing('ticked', tickSentences(name)[0] ?? '');

/** Bodies with the name Marta Núñez, but without a valid signature. */
const unsignedBodies: [label: string, body: Body, message: string][] = [
  ['no signature at all', { signature: undefined }, MISSING],
  ['a signature that is null', { signature: null }, MISSING],
  ['an empty signature', { signature: '' }, MISSING],
  ['a signature of spaces', { signature: '   ' }, MISSING],
  ['a signature of invisible letters', { signature: '\u200b\u2060' }, MISSING],
  ['a tick without an image', { signature: '', ...ticked('Marta Núñez') }, MISSING],
  ['a typed name without an image', { signature: undefined, ...signing('typed', 'Marta Núñez') }, MISSING],
  ['a number instead of an image', { signature: 1 }, NOT_PNG],
  ['true instead of an image', { signature: true }, NOT_PNG],
  ['an object instead of an image', { signature: {} }, NOT_PNG],
  ['the name instead of an image', { signature: 'Marta Núñez' }, NOT_PNG],
  ['the URL of an image', { signature: 'https://example.com/signature.png' }, NOT_PNG],
  ['an SVG', { signature: 'data:image/svg+xml,<svg/>' }, NOT_PNG],
  ['a JPEG', { signature: 'data:image/jpeg;base64,/9j/4AAQ' }, NOT_PNG],
  ['a data URL without data', { signature: 'data:image/png;base64,' }, NOT_PNG],
  ['bytes that are not a PNG', { signature: 'data:image/png;base64,AAAA' }, NOT_PNG],
  ['a truncated PNG', { signature: signature().slice(0, -40) }, UNREADABLE],
  ['a PNG without pixels', image(() => [], { data: deflateSync(new Uint8Array()) }), UNREADABLE],
  ['a PNG of one pixel', { signature: dataUrl(png({ width: 1, height: 1 })) }, SIGN],
  ['a transparent image from an untouched pad', solid(0, 0, 0, 0), SIGN],
  ['transparent pixels of a black stroke', stroke([0, 0, 0, 0], [255, 255, 255, 0]), SIGN],
  ['white paper', solid(255, 255, 255, 255), SIGN],
  ['black paper', solid(0, 0, 0, 255), SIGN],
  ['paper of one color', solid(19, 34, 29, 255), SIGN],
  ['paper of one semitransparent color', solid(19, 34, 29, 128), SIGN],
  ['a white stroke on transparent paper', stroke([255, 255, 255, 255], [0, 0, 0, 0]), SIGN],
  ['an almost transparent stroke', stroke([0, 0, 0, 9], [0, 0, 0, 0]), SIGN],
  ['a stroke almost as white as the paper', stroke([250, 250, 250, 255], [255, 255, 255, 255]), SIGN],
  ['a single dot', image((x, y) => (x + y === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255])), SIGN],
  ['white in grayscale', stroke([255], [255], { colour: 0 }), SIGN],
  ['a transparent stroke in grayscale', stroke([0, 0], [255, 255], { colour: 4 }), SIGN],
  ['white in RGB', stroke([255, 255, 255], [255, 255, 255], { colour: 2 }), SIGN],
  [
    'a palette with white twice',
    stroke([1], [0], { colour: 3, extraChunks: [['PLTE', new Uint8Array(6).fill(255)]] }),
    SIGN,
  ],
  [
    'a stroke in the transparent color',
    stroke([0, 0, 0], [255, 255, 255], { colour: 2, extraChunks: [['tRNS', new Uint8Array(6)]] }),
    SIGN,
  ],
  ['a blank image declared as typed', { ...solid(255, 255, 255, 255), ...signing('typed', 'Marta Núñez') }, SIGN],
  ['a blank image declared as ticked', { ...solid(255, 255, 255, 255), ...ticked('Marta Núñez') }, SIGN],
  ['a tick with another name', ticked('Ivy Whitfield'), SIGN],
  ['a tick with only the first name', ticked('Marta'), SIGN],
  ['a tick with another spelling of the name', ticked('Marta Nunez'), SIGN],
  ['a tick with an empty name', ticked(''), SIGN],
  ['a tick without text', signing('ticked'), SIGN],
  ['a tick with only the name as its text', signing('ticked', 'Marta Núñez'), SIGN],
  ['a tick with other text', signing('ticked', 'I am Marta Núñez and sign nothing'), SIGN],
  ['a tick after which the name was changed', { firstName: 'Ivy', ...ticked('Marta Núñez') }, SIGN],
  ['a typed name that is empty', signing('typed', ''), SIGN],
  ['a typed name of spaces', signing('typed', '  '), SIGN],
  ['a typed name of control characters', signing('typed', 'Marta\u202e'), SIGN],
  ['a drawing with text', signing('drawn', 'Marta Núñez'), SIGN],
  ['a prefilled name without a kind', signing(undefined, 'Marta Núñez'), NO_KIND],
  ['an unknown kind', signing('prefilled', 'Marta Núñez'), NO_KIND],
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
    expect(new Set(unsignedBodies.map(([label]) => label)).size).toBe(50);
  });

  it.each(unsignedBodies)('rejects the payment with the right message before any claim: %s', async (_case, body, message) => {
    const { world, status, reply } = await send(body);
    const fields = [message === NO_KIND ? 'signing' : 'signature'];
    expect([status, reply.error]).toEqual([422, expect.objectContaining({ message, fields })]);
    expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
  });

  it.each([
    ['only a drawing, as in the specified body', {}],
    ['a declared drawing', signing('drawn')],
    ['a typed name', signing('typed', 'M. Núñez')],
    ['a tick with the payer’s own name', ticked('Marta Núñez')],
    ['a dark stroke in grayscale', stroke([20], [255], { colour: 0 })],
    ['a light stroke on dark paper', stroke([240, 240, 240, 255], [10, 10, 10, 255])],
  ])('accepts %s', async (_case, body) => {
    expect((await send(body)).status).toBe(200);
  });
});
