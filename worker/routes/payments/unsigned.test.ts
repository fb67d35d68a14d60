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
const SIGN_FIRST_TEXT = 'Please sign before paying.';
const MISSING_TEXT = 'Please fill in all required fields: Signature';
const NOT_PNG_TEXT = 'The signature must be a PNG image.';
const UNREADABLE_TEXT = 'The signature could not be read.';
const NO_KIND_TEXT = 'The signature does not say how it was given.';

const image = (pixel: (x: number, y: number) => number[], options: Partial<Parameters<typeof png>[0]> = {}) => ({
  signature: dataUrl(png({ width: 60, height: 150, pixel, ...options })),
});
const solidImage = (...bytes: number[]) => image(() => bytes);
const strokeImage = (ink: number[], paper: number[], options: Parameters<typeof image>[1] = {}) =>
  image((x) => (x === 5 ? ink : paper), options);
const signingFields = (kind: unknown, words?: unknown): Body => ({ signing: { kind, words } });
const tickedFields = (name: string) => signingFields('ticked', tickSentences(name)[0] ?? '');

/** Bodies with the name Marta Núñez, but without a valid signature. */
const unsignedBodies: [label: string, body: Body, message: string][] = [
  ['no signature at all', { signature: undefined }, MISSING_TEXT],
  ['a signature that is null', { signature: null }, MISSING_TEXT],
  ['an empty signature', { signature: '' }, MISSING_TEXT],
  ['a signature of spaces', { signature: '   ' }, MISSING_TEXT],
  ['a signature of invisible letters', { signature: '\u200b\u2060' }, MISSING_TEXT],
  ['a tick without an image', { signature: '', ...tickedFields('Marta Núñez') }, MISSING_TEXT],
  ['a typed name without an image', { signature: undefined, ...signingFields('typed', 'Marta Núñez') }, MISSING_TEXT],
  ['a number instead of an image', { signature: 1 }, NOT_PNG_TEXT],
  ['true instead of an image', { signature: true }, NOT_PNG_TEXT],
  ['an object instead of an image', { signature: {} }, NOT_PNG_TEXT],
  ['the name instead of an image', { signature: 'Marta Núñez' }, NOT_PNG_TEXT],
  ['the URL of an image', { signature: 'https://example.com/signature.png' }, NOT_PNG_TEXT],
  ['an SVG', { signature: 'data:image/svg+xml,<svg/>' }, NOT_PNG_TEXT],
  ['a JPEG', { signature: 'data:image/jpeg;base64,/9j/4AAQ' }, NOT_PNG_TEXT],
  ['a data URL without data', { signature: 'data:image/png;base64,' }, NOT_PNG_TEXT],
  ['bytes that are not a PNG', { signature: 'data:image/png;base64,AAAA' }, NOT_PNG_TEXT],
  ['a truncated PNG', { signature: signature().slice(0, -40) }, UNREADABLE_TEXT],
  ['a PNG without pixels', image(() => [], { data: deflateSync(new Uint8Array()) }), UNREADABLE_TEXT],
  ['a PNG of one pixel', { signature: dataUrl(png({ width: 1, height: 1 })) }, SIGN_FIRST_TEXT],
  ['a transparent image from an untouched pad', solidImage(0, 0, 0, 0), SIGN_FIRST_TEXT],
  ['transparent pixels of a black stroke', strokeImage([0, 0, 0, 0], [255, 255, 255, 0]), SIGN_FIRST_TEXT],
  ['white paper', solidImage(255, 255, 255, 255), SIGN_FIRST_TEXT],
  ['black paper', solidImage(0, 0, 0, 255), SIGN_FIRST_TEXT],
  ['paper of one color', solidImage(19, 34, 29, 255), SIGN_FIRST_TEXT],
  ['paper of one semitransparent color', solidImage(19, 34, 29, 128), SIGN_FIRST_TEXT],
  ['a white stroke on transparent paper', strokeImage([255, 255, 255, 255], [0, 0, 0, 0]), SIGN_FIRST_TEXT],
  ['an almost transparent stroke', strokeImage([0, 0, 0, 9], [0, 0, 0, 0]), SIGN_FIRST_TEXT],
  ['a stroke almost as white as the paper', strokeImage([250, 250, 250, 255], [255, 255, 255, 255]), SIGN_FIRST_TEXT],
  ['a single dot', image((x, y) => (x + y === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255])), SIGN_FIRST_TEXT],
  ['white in grayscale', strokeImage([255], [255], { colour: 0 }), SIGN_FIRST_TEXT],
  ['a transparent stroke in grayscale', strokeImage([0, 0], [255, 255], { colour: 4 }), SIGN_FIRST_TEXT],
  ['white in RGB', strokeImage([255, 255, 255], [255, 255, 255], { colour: 2 }), SIGN_FIRST_TEXT],
  [
    'a palette with white twice',
    strokeImage([1], [0], { colour: 3, extraChunks: [['PLTE', new Uint8Array(6).fill(255)]] }),
    SIGN_FIRST_TEXT,
  ],
  [
    'a stroke in the transparent color',
    strokeImage([0, 0, 0], [255, 255, 255], { colour: 2, extraChunks: [['tRNS', new Uint8Array(6)]] }),
    SIGN_FIRST_TEXT,
  ],
  [
    'a blank image declared as typed',
    { ...solidImage(255, 255, 255, 255), ...signingFields('typed', 'Marta Núñez') },
    SIGN_FIRST_TEXT,
  ],
  [
    'a blank image declared as ticked',
    { ...solidImage(255, 255, 255, 255), ...tickedFields('Marta Núñez') },
    SIGN_FIRST_TEXT,
  ],
  ['a tick with another name', tickedFields('Ivy Whitfield'), SIGN_FIRST_TEXT],
  ['a tick with only the first name', tickedFields('Marta'), SIGN_FIRST_TEXT],
  ['a tick with another spelling of the name', tickedFields('Marta Nunez'), SIGN_FIRST_TEXT],
  ['a tick with an empty name', tickedFields(''), SIGN_FIRST_TEXT],
  ['a tick without text', signingFields('ticked'), SIGN_FIRST_TEXT],
  ['a tick with only the name as its text', signingFields('ticked', 'Marta Núñez'), SIGN_FIRST_TEXT],
  ['a tick with other text', signingFields('ticked', 'I am Marta Núñez and sign nothing'), SIGN_FIRST_TEXT],
  ['a tick after which the name was changed', { firstName: 'Ivy', ...tickedFields('Marta Núñez') }, SIGN_FIRST_TEXT],
  ['a typed name that is empty', signingFields('typed', ''), SIGN_FIRST_TEXT],
  ['a typed name of spaces', signingFields('typed', '  '), SIGN_FIRST_TEXT],
  ['a typed name of control characters', signingFields('typed', 'Marta\u202e'), SIGN_FIRST_TEXT],
  ['a drawing with text', signingFields('drawn', 'Marta Núñez'), SIGN_FIRST_TEXT],
  ['a prefilled name without a kind', signingFields(undefined, 'Marta Núñez'), NO_KIND_TEXT],
  ['an unknown kind', signingFields('prefilled', 'Marta Núñez'), NO_KIND_TEXT],
];

const sendPayment = async (body: Body) => {
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

  it.each(unsignedBodies)(
    'rejects the payment with the right message before any claim: %s',
    async (_case, body, message) => {
      const { world, status, reply } = await sendPayment(body);
      const fields = [message === NO_KIND_TEXT ? 'signing' : 'signature'];
      expect([status, reply.error]).toEqual([422, expect.objectContaining({ message, fields })]);
      expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
    },
  );

  it.each([
    ['only a drawing, as in the specified body', {}],
    ['a declared drawing', signingFields('drawn')],
    ['a typed name', signingFields('typed', 'M. Núñez')],
    ['a tick with the payer’s own name', tickedFields('Marta Núñez')],
    ['a dark stroke in grayscale', strokeImage([20], [255], { colour: 0 })],
    ['a light stroke on dark paper', strokeImage([240, 240, 240, 255], [10, 10, 10, 255])],
  ])('accepts %s', async (_case, body) => {
    expect((await sendPayment(body)).status).toBe(200);
  });
});
