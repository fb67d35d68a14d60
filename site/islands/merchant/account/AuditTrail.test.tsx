import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { alertWith, button, textOf } from '#tests/support/components/seen';
import { GRACE, HASH, serveTrail, view } from '#tests/support/servers/audit-server';

const open = async (search = '') => {
  const person = await openApp(`/audit${search}`);
  await screen.findByRole('heading', { name: 'Audit trail', level: 1 });
  return person;
};
const row = async (words: RegExp) => {
  const found = (await screen.findByText(words)).closest('li');
  if (!found) throw new Error('no row');
  return found;
};

describe('the audit trail', () => {
  it('shows events as sentences with all recorded details and how far they are verified', async () => {
    await serveTrail(calls);
    await open();
    const asked = await row(/asked for the void of 1042, \$184\.00/);
    expect(textOf(asked)).toMatch(
      /Action reversal\.claimed Id of the void r1042 state from approved to sent amount \$184\.00 Session 5f0e/,
    );
    await screen.findByText(/^Verified to event 411 (at|on) /);
    await screen.findByText(/The newest event is sealed within minutes\./);
    await screen.findByText(HASH);
  });

  it('says of how many events the page is, and with a filter that it may not be all', async () => {
    await serveTrail(calls);
    await open();
    await screen.findByText('Showing 4 of 412 events');
    await open('?before=413');
    await screen.findByText('Showing 4 older events of 412');
    await open('?group=money');
    await screen.findByText('4 matching events; there may be older ones');
    await serveTrail(calls, { ...view, next: null, head: null, unsealed: 4 });
    await open();
    await screen.findByText('4 events');
    await serveTrail(calls, { ...view, events: view.events.slice(0, 1) });
    await open('?before=413');
    await screen.findByText('Showing 1 older event of 412');
    await open('?group=money');
    await screen.findByText('1 matching event; there may be older ones');
  });

  it('keeps its filters in the URL across a reload', async () => {
    const { asked } = await serveTrail(calls);
    const person = await open();
    await person.selectOptions(await screen.findByLabelText('Kind'), 'Payments and refunds');
    await person.selectOptions(screen.getByLabelText('Who'), GRACE);
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-01' } });
    await person.type(screen.getByLabelText('Invoice or id'), '1042');
    await person.click(await button('Apply'));
    const search = '?group=money&person=user%3A71204401&from=2026-03-01&about=1042';
    await waitFor(() => expect(window.location.search).toBe(search));
    const again = await open(search);
    expect(await screen.findByLabelText('Kind')).toHaveProperty('value', 'money');
    expect(screen.getByLabelText('Invoice or id')).toHaveProperty('value', '1042');
    await again.click(await button('Older events'));
    await waitFor(() => expect(asked.at(-1)).toBe(`${search}&before=409`));
    await again.click(await button('Newest events'));
    await waitFor(() => expect(asked.at(-1)).toBe(search));
    await again.click(await button('Clear'));
    await waitFor(() => expect(asked.at(-1)).toBe(''));
    await again.click(await button('Only this payment of event 411', await row(/^A payer paid/)));
    await waitFor(() => expect(asked.at(-1)).toBe('?about=p1042'));
  });

  it('mails the newest seal only to users who opted in', async () => {
    const { asked, state } = await serveTrail(calls);
    const person = await open();
    const mail = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Email it to me once a week' });
    expect(mail.checked).toBe(false);
    await person.click(mail);
    await screen.findByText(/The first email comes in a week\./);
    state.isMailRefused = true;
    await person.click(mail);
    await screen.findByText('No.');
    expect(mail.checked).toBe(true);
    expect(asked.filter((one) => one.startsWith('mail'))).toEqual(['mail true', 'mail false']);
  });

  it('reports no matches, a failed load and missing permission', async () => {
    expectErrors(/^Failed to /);
    const { state } = await serveTrail(calls, {
      ...view,
      events: [],
      next: null,
      head: null,
      verified: null,
      unsealed: 0,
    });
    await open();
    await screen.findByText(/Nothing was recorded yet\./);
    await screen.findByText(/Nothing is sealed yet/);
    await open('?group=money');
    await screen.findByText(/No matching events\./);
    state.view = { ...state.view, next: 100, looked_back_to: '2026-01-02T15:00:00.000Z' };
    await open('?group=money');
    await screen.findByText(/Looked back to Jan 2, 2026/);
    await button('Look further back');
    state.status = 503;
    const person = await open('?group=money');
    await screen.findByText(/The audit trail could not be loaded\./);
    state.status = 200;
    state.view = view;
    await person.click(await button('Retry'));
    await screen.findByText('A payer paid 1042, $184.00.');
    state.status = 403;
    await open();
    await screen.findByText(/Only an administrator of this account may see its audit trail\./);
    expect(screen.queryByRole('button', { name: /CSV/ })).toBeNull();
  });

  it('reports a mismatch with its seals first', async () => {
    const problem = 'Event 300 is altered: it is not what was sealed.';
    await serveTrail(calls, { ...view, verified: { seq: 299, at: '2026-03-04T15:52:10.000Z', problem } });
    await open();
    const alert = await alertWith(new RegExp(problem));
    expect(within(alert).queryByText(/^Verified to event/)).toBeNull();
    expect(screen.queryByText(/^Verified to event/)).toBeNull();
  });
});
