import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf } from '#tests/support/components/queries';
import { sampleSale } from '#tests/support/sample-sale';
import { owedOf } from '#tests/support/servers/open-invoices-server';
import { answerReaders, busyReader, reader } from '#tests/support/servers/readers-server';

const queryBar = () => document.querySelector('.standing-bar');
const expectBar = (text: RegExp | string) => waitFor(() => expect(textOf(queryBar())).toMatch(text));

beforeEach(() => answerWith('/api/owed', owedOf([])));

describe('bar about busy card readers', () => {
  it.each(['/customers', '/payments'])(
    'names the reader, invoice and amount on %s, and links to the payment',
    async (path) => {
      answerReaders(busyReader(1), reader(2));
      answerWith('/api/sales/s1', { sale: sampleSale({ id: 's1' }) });
      const user = await openApp(path, { may: path === '/customers' ? [] : ['collect'] });
      if (path === '/payments') {
        // The user's own running sale is shown first.
        await user.click(await button('Leave'));
      }
      await expectBar(/^Front desk 1 is waiting for a card: INV-1042, \$184\.00 Show/);
      await user.click(screen.getByRole('link', { name: 'Show this payment' }));
      await screen.findByText('Please tap, insert or swipe');
      expect(window.location.search).toBe('?sale=s1');
      expect(queryBar()).toBeNull();
    },
  );

  it('names the colleague who started the sale', async () => {
    answerReaders(busyReader(1, { is_own: false, started_by: 'ben@maple.example' }));
    await openApp('/customers', { may: ['collect'] });
    await expectBar(/started by ben@maple\.example/);
  });

  it('lists each payment if several readers are waiting', async () => {
    answerReaders(busyReader(1), busyReader(2, { id: 's2', invoice_number: 'INV-7', state: 'unknown' }));
    const user = await openApp('/customers', { may: ['collect'] });
    await user.click(await button('2 card readers are waiting for a card'));
    const rows = within(queryBar() as HTMLElement).getAllByRole('listitem');
    expect(rows.map(textOf)).toEqual([
      expect.stringMatching(/^Front desk 1 is waiting for a card: INV-1042, \$184\.00/),
      expect.stringMatching(/^Front desk 2 may still charge: INV-7, \$184\.00/),
    ]);
  });

  it('disappears if the reader is free when another screen is opened', async () => {
    answerReaders(busyReader(1, { is_own: false }));
    const user = await openApp('/customers', { may: ['collect'] });
    await expectBar(/Front desk 1/);
    answerReaders(reader(1, { sale: sampleSale({ state: 'approved' }) }));
    await user.click(screen.getAllByRole('link', { name: 'Take Payment' })[0] as HTMLElement);
    await waitFor(() => expect(queryBar()).toBeNull());
  });

  it.each([
    ['paused', 'Online payments are paused. No payment links are emailed. Card readers work.'],
    ['catching-up', 'Payments are being restored. Until that is done, no one can pay by link.'],
  ] as const)('explains why no one can pay by link (%s)', async (online_off, text) => {
    answerWith('/api/counter-terminals', { desks: [], online_off });
    await openApp('/customers');
    await expectBar(text);
    expect(within(queryBar() as HTMLElement).queryByRole('button')).toBeNull();
  });

  it.each([
    ['paused', 'Online payments are paused.'],
    ['catching-up', 'Payments are being restored.'],
  ] as const)('offers the card reader but no link if no one can pay by link (%s)', async (online_off, reason) => {
    answerWith('/api/counter-terminals', { desks: [reader(1)], online_off });
    await openApp('/payments');
    await screen.findByText(`${reason} No one can pay by link.`, { selector: 'section p' });
    await screen.findByText('Choose a customer first.');
  });

  it('announces that the account closes, after which no payment is offered', async () => {
    answerWith('/api/counter-terminals', { desks: [reader(1)], online_off: 'closing', closes_on: '2026-12-15' });
    await openApp('/payments');
    await expectBar('This account closes on Dec 15. No new payments can be taken.');
    await screen.findByText('This account closes on Dec 15. Card readers take no new payments.');
    await screen.findByText('This account closes on Dec 15. No one can pay by link.', { selector: 'section p' });
    expect((await button('Proceed to Payment')).hasAttribute('disabled')).toBe(true);
  });

  it('stays if the server does not answer', async () => {
    answerReaders(busyReader(1, { is_own: false }));
    const user = await openApp('/customers', { may: ['collect'] });
    await expectBar(/Front desk 1/);
    let requests = 0;
    calls.answer(
      ({ pathname }) => pathname === '/api/counter-terminals',
      ({ fulfill }) => {
        requests++;
        return fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Try again later.' } } });
      },
    );
    await user.click(screen.getAllByRole('link', { name: 'Take Payment' })[0] as HTMLElement);
    await waitFor(() => expect(requests).toBeGreaterThan(0));
    expect(textOf(queryBar())).toMatch(/^Front desk 1/);
  });
});
