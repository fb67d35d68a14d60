import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { cardPath } from '#shared/paths';
import { withLanguage } from '#shared/words/language';
import { forge } from '#tests/support/forge';
import { oneDatabase } from '#tests/support/unit/one-database';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld } from '#tests/support/unit/world';
import { createApp } from '#worker/app';
import { storedCards } from '#worker/data/schema/schema';
import type { Env } from '#worker/deps';

/** A substitute for the built page. */
const ASSETS = {
  fetch: async () =>
    new Response(
      [
        '<title data-fill="title">title</title>',
        '<section data-state="card"><b data-fill="card"></b><i data-row="expires" data-fill="expires"></i></section>',
        ...['card-removed', 'card-unknown'].map((state) => `<section data-state="${state}"></section>`),
      ].join(''),
      { headers: { 'content-type': 'text/html' } },
    ),
};

/** A clinic with a card on file, and the page that removes it. */
async function makeCard(changes: Partial<typeof storedCards.$inferInsert> = {}) {
  const world = await makeWorld();
  const removeKey = world.deps.newCapability();
  await world.db.insert(storedCards).values({
    id: 'card',
    accountId: world.accountId,
    contactId: '7',
    terminalId: '1',
    token: '',
    brand: 'VISA',
    lastFour: '1111',
    expiresOn: '2027-12',
    consentWords: 'Keep this card.',
    consentLanguage: 'en',
    consentAt: 1,
    removeKey,
    ...changes,
  });
  const ask = async (method: 'GET' | 'POST', { key = removeKey, language = 'en', body = '' } = {}) => {
    const context = createExecutionContext();
    const app = createApp(() => ({ ...world.installation, clinics: oneDatabase() }));
    const url = new URL(withLanguage(cardPath(key), language as 'en'), 'http://localhost:8787');
    const request = new Request(url, { method, ...(method === 'POST' && { body }) });
    const answer = await app.fetch(request, { ...env, ASSETS } as unknown as Env, context);
    await waitOnExecutionContext(context);
    const page = await answer.text();
    const textOf = (name: string) => new RegExp(`data-fill="${name}">([^<]*)`).exec(page)?.[1];
    return {
      status: answer.status,
      headers: answer.headers,
      state: /data-state="([\w-]+)"/.exec(page)?.[1],
      texts: { title: textOf('title'), card: textOf('card'), expires: textOf('expires') },
    };
  };
  const endings = async () => (await world.db.select().from(storedCards)).map(({ endedReason }) => endedReason);
  return { world, removeKey, ask, endings };
}

describe('the page of a card on file', () => {
  it.each([
    ['en', { title: 'Card on file', card: 'VISA •••• 1111', expires: 'Expires 12/2027' }],
    ['es', { title: 'Tarjeta guardada', card: 'VISA •••• 1111', expires: 'Vence: 12/2027' }],
  ])('shows the card, and changes nothing when it is opened (%s)', async (language, texts) => {
    const { ask, endings } = await makeCard();
    expect(await ask('GET', { language })).toMatchObject({ status: 200, state: 'card', texts });
    expect(await endings()).toEqual([null]);
  });

  it('leaves out an unknown expiry', async () => {
    const { ask } = await makeCard({ expiresOn: '' });
    expect((await ask('GET')).texts.expires).toBeUndefined();
  });

  it('removes the card at one press, once, as its payer, and stays removed', async () => {
    const { world, ask, endings } = await makeCard();
    expect(await ask('POST')).toMatchObject({ status: 200, state: 'card-removed' });
    expect(await ask('POST')).toMatchObject({ status: 200, state: 'card-removed' });
    expect(await ask('GET')).toMatchObject({ status: 200, state: 'card-removed' });
    expect(await endings()).toEqual(['removed_by_payer']);
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'card.ended');
    expect(events).toMatchObject([{ actorKind: 'payer' }]);
  });

  it('is not found by a forged address, and removes nothing by it', async () => {
    const { ask, endings, removeKey, world } = await makeCard();
    for (const key of [forge(removeKey), world.deps.newCapability(), 'nothing-of-ours'])
      expect(await ask('POST', { key })).toMatchObject({ status: 404, state: 'card-unknown' });
    expect(await endings()).toEqual([null]);
  });

  it('is neither indexed nor cached, refuses a large body, and leaves no address in the log', async () => {
    const { ask, world, removeKey, endings } = await makeCard();
    const { headers } = await ask('GET');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect((await ask('POST', { body: 'x'.repeat(1001) })).status).toBe(413);
    expect(await endings()).toEqual([null]);
    await ask('POST');
    expect(world.logs.length).toBeGreaterThan(0);
    expect(world.logs.join('\n')).not.toContain(removeKey);
  });
});
