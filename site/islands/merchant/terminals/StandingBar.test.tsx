import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf } from '#tests/support/components/seen';
import { sampleSale } from '#tests/support/sample-sale';
import { owedOf } from '#tests/support/servers/open-invoices-server';
import { answerReaders, busy, reader } from '#tests/support/servers/readers-server';

const bar = () => document.querySelector('.standing-bar');
const barSays = (words: RegExp | string) => waitFor(() => expect(textOf(bar())).toMatch(words));

beforeEach(() => answerWith('/api/owed', owedOf([])));

describe('the bar about busy card readers', () => {
  it.each(['/customers', '/payments'])(
    'names reader, invoice and amount on %s, and leads to the payment',
    async (path) => {
      answerReaders(busy(1), reader(2));
      answerWith('/api/sales/s1', { sale: sampleSale({ id: 's1' }) });
      const person = await openApp(path, { may: path === '/customers' ? [] : ['collect'] });
      if (path === '/payments') {
        // The own running sale is shown first.
        await person.click(await button('Leave'));
      }
      await barSays(/^Front desk 1 is waiting for a card: INV-1042, \$184\.00 Show/);
      await person.click(screen.getByRole('link', { name: 'Show this payment' }));
      await screen.findByText('Please tap, insert or swipe');
      expect(window.location.search).toBe('?sale=s1');
      expect(bar()).toBeNull();
    },
  );

  it('names the colleague who started the sale', async () => {
    answerReaders(busy(1, { is_own: false, started_by: 'ben@maple.example' }));
    await openApp('/customers', { may: ['collect'] });
    await barSays(/started by ben@maple\.example/);
  });

  it('lists each payment when several readers wait', async () => {
    answerReaders(busy(1), busy(2, { id: 's2', invoice_number: 'INV-7', state: 'unknown' }));
    const person = await openApp('/customers', { may: ['collect'] });
    await person.click(await button('2 card readers are waiting for a card'));
    const rows = within(bar() as HTMLElement).getAllByRole('listitem');
    expect(rows.map(textOf)).toEqual([
      expect.stringMatching(/^Front desk 1 is waiting for a card: INV-1042, \$184\.00/),
      expect.stringMatching(/^Front desk 2 may still charge: INV-7, \$184\.00/),
    ]);
  });

  it('goes when the reader is free, also for a person who opens another screen', async () => {
    answerReaders(busy(1, { is_own: false }));
    const person = await openApp('/customers', { may: ['collect'] });
    await barSays(/Front desk 1/);
    answerReaders(reader(1, { sale: sampleSale({ state: 'approved' }) }));
    await person.click(screen.getAllByRole('link', { name: 'Take Payment' })[0] as HTMLElement);
    await waitFor(() => expect(bar()).toBeNull());
  });

  it.each([
    ['paused', 'Online payments are paused. No payment links are emailed. Card readers work.'],
    ['catching-up', 'Payments are being restored. Until that is done, no one can pay by link.'],
  ] as const)('says why nobody can pay by link: %s', async (online_off, words) => {
    answerWith('/api/counter-terminals', { desks: [], online_off });
    await openApp('/customers');
    await barSays(words);
    expect(within(bar() as HTMLElement).queryByRole('button')).toBeNull();
  });

  it.each([
    ['paused', 'Online payments are paused.'],
    ['catching-up', 'Payments are being restored.'],
  ] as const)('offers no link while payers cannot pay, but the card reader: %s', async (online_off, why) => {
    answerWith('/api/counter-terminals', { desks: [reader(1)], online_off });
    await openApp('/payments');
    await screen.findByText(`${why} No one can pay by link.`, { selector: 'section p' });
    screen.getByText('Choose a customer first.');
  });

  it('says that the account closes, and nothing offers a payment any more', async () => {
    answerWith('/api/counter-terminals', { desks: [reader(1)], online_off: 'closing', closes_on: '2026-12-15' });
    await openApp('/payments');
    await barSays('This account closes on Dec 15. No new payments can be taken.');
    await screen.findByText('This account closes on Dec 15. Card readers take no new payments.');
    screen.getByText('This account closes on Dec 15. No one can pay by link.', { selector: 'section p' });
    expect((await button('Proceed to Payment')).hasAttribute('disabled')).toBe(true);
  });

  it('stays without an answer', async () => {
    answerReaders(busy(1, { is_own: false }));
    const person = await openApp('/customers', { may: ['collect'] });
    await barSays(/Front desk 1/);
    let asked = 0;
    calls.answer(
      ({ pathname }) => pathname === '/api/counter-terminals',
      ({ fulfill }) => {
        asked++;
        return fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Try again later.' } } });
      },
    );
    await person.click(screen.getAllByRole('link', { name: 'Take Payment' })[0] as HTMLElement);
    await waitFor(() => expect(asked).toBeGreaterThan(0));
    expect(textOf(bar())).toMatch(/^Front desk 1/);
  });
});
