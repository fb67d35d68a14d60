import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { insertRow } from '#tests/support/unit/insert-row';
import { ACCOUNT } from '#tests/support/unit/rows';
import { attemptStates } from '#worker/data/schema/payments';
import { payLinks, terminals } from '#worker/data/schema/schema';
import { loadForPayment, loadPayable } from './load-payable.ts';

type Terminal = Partial<typeof terminals.$inferInsert>;

/** Two invoices, each with a link. */
async function addTwoLinks(account = {}) {
  const fixture = await bareBooks(account);
  for (const id of ['0', '1']) {
    await fixture.addInvoice(id);
    const row = { payId: `link-${id}`, accountId: ACCOUNT, invoiceId: id, issuedAt: 1, endsAt: NOW };
    await fixture.db.insert(payLinks).values(row);
  }
  const addTerminal = (terminalId: string, row: Terminal = {}) =>
    fixture.db.insert(terminals).values({
      accountId: ACCOUNT,
      terminalId,
      name: '',
      channel: 'counter',
      publicKey: 'abc',
      apiKey: 'k',
      createdAt: 1,
      ...row,
    });
  const load = async (payId = 'link-1') => (await loadPayable(fixture.db, payId)).payable;
  return { ...fixture, addTerminal, load };
}

describe('loading a pay link', () => {
  it('returns its invoice and account, and null for data that the account lacks', async () => {
    const { load } = await addTwoLinks();
    expect(await load()).toMatchObject({
      link: { payId: 'link-1' },
      invoice: { invoiceId: '1' },
      account: { accountId: ACCOUNT },
      merchant: null,
      terminal: null,
      tokens: null,
    });
    expect(await load('link-0')).toMatchObject({ link: { payId: 'link-0' }, invoice: { invoiceId: '0' } });
    expect(await load('none')).toBeUndefined();
  });

  it('returns the account’s merchant, terminal and tokens', async () => {
    const { addTerminal, load } = await addTwoLinks();
    await insertRow(env.DB, 'merchants', { account_id: ACCOUNT, name: 'Maple' });
    await insertRow(env.DB, 'crm_tokens', { account_id: ACCOUNT, access_token: 'a' });
    await addTerminal('T1');
    expect(await load()).toMatchObject({
      merchant: { name: 'Maple' },
      terminal: { terminalId: 'T1' },
      tokens: { accessToken: 'a' },
    });
  });

  it.each<[string, string, [string, Terminal][]]>([
    [
      'the e-commerce terminal',
      'T2',
      [
        ['T1', {}],
        ['T2', { channel: 'ecommerce' }],
        ['T3', {}],
      ],
    ],
    [
      'otherwise the first terminal',
      'T1',
      [
        ['T2', {}],
        ['T1', {}],
      ],
    ],
    [
      'a terminal that was not refused',
      'T2',
      [
        ['T1', { channel: 'ecommerce', refusedAt: NOW }],
        ['T2', {}],
      ],
    ],
    [
      'a terminal with a public key',
      'T2',
      [
        ['T1', { publicKey: '', channel: 'ecommerce' }],
        ['T2', {}],
      ],
    ],
  ])('selects %s', async (_title, terminalId, terminalRows) => {
    const { addTerminal, load } = await addTwoLinks();
    for (const [id, row] of terminalRows) await addTerminal(id, row);
    expect((await load())?.terminal?.terminalId).toBe(terminalId);
  });

  it('returns no terminal without a public key', async () => {
    const { addTerminal, load } = await addTwoLinks();
    await addTerminal('T1', { publicKey: '' });
    expect((await load())?.terminal).toBeNull();
  });

  it('returns no terminal while the account closes', async () => {
    const { addTerminal, load } = await addTwoLinks({ closesAt: NOW });
    await addTerminal('T1');
    expect((await load())?.terminal).toBeNull();
  });
});

describe('the attempts of a pay link', () => {
  it('are those of its invoice, open attempts first, then newest first', async () => {
    const { addAttempt, db } = await addTwoLinks();
    await addAttempt('0', { id: 'other' });
    let at = 0;
    for (const state of attemptStates)
      await addAttempt('1', { id: state, state, createdAt: NOW + at, part: ++at, collection: at });
    const { attempts } = await loadPayable(db, 'link-1');
    const openStates = attemptStates.filter((state) => ['sent', 'unknown', 'pending', 'needs_human'].includes(state));
    const endedStates = attemptStates.filter((state) => !openStates.includes(state));
    expect(attempts.map(({ id }) => id)).toEqual([...openStates.toReversed(), ...endedStates.toReversed()]);
    expect((await loadPayable(db, 'link-0')).attempts.map(({ id }) => id)).toEqual(['other']);
  });

  it('include those with the same token when it is paid', async () => {
    const { addAttempt, db } = await addTwoLinks();
    await addAttempt('0', { id: 'same', tokenHash: 'token' });
    await addAttempt('0', { id: 'another', tokenHash: 'token-2', state: 'declined' });
    const query = { ipKey: '', perLinkHour: 1, windowMs: 1, now: NOW };
    const { attempts, counts } = await loadForPayment(db, 'link-1', 'token', query);
    expect(attempts.map(({ id }) => id)).toEqual(['same']);
    expect(counts).toEqual({ linkClosed: 0, ipDeclines: 1, recent: 2, recentDeclined: 1 });
  });
});
