import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, findAlert, textOf } from '#tests/support/components/queries';
import { GRACE, HASH, serveTrail, view } from '#tests/support/servers/audit-server';

const openTrail = async (search = '') => {
  const user = await openApp(`/audit${search}`);
  await screen.findByRole('heading', { name: 'Audit trail', level: 1 });
  return user;
};
const findRow = async (text: RegExp) => {
  const row = (await screen.findByText(text)).closest('li');
  if (!row) throw new Error('no row');
  return row;
};

describe('audit trail', () => {
  it('shows events as sentences with all recorded details, and the last verified event', async () => {
    await serveTrail(calls);
    await openTrail();
    const voidRow = await findRow(/asked for the void of 1042, \$184\.00/);
    expect(textOf(voidRow)).toMatch(
      /Action reversal\.claimed Id of the void r1042 state from approved to sent amount \$184\.00 Session 5f0e/,
    );
    await screen.findByText(/^Verified to event 411 (at|on) /);
    await screen.findByText(/The newest event is sealed within minutes\./);
    await screen.findByText(HASH);
  });

  it('counts its events, and mentions that a filter may match older ones', async () => {
    await serveTrail(calls);
    await openTrail();
    await screen.findByText('Showing 4 of 412 events');
    await openTrail('?before=413');
    await screen.findByText('Showing 4 older events of 412');
    await openTrail('?group=money');
    await screen.findByText('4 matching events; there may be older ones');
    await serveTrail(calls, { ...view, next: null, head: null, unsealed: 4 });
    await openTrail();
    await screen.findByText('4 events');
    await serveTrail(calls, { ...view, events: view.events.slice(0, 1) });
    await openTrail('?before=413');
    await screen.findByText('Showing 1 older event of 412');
    await openTrail('?group=money');
    await screen.findByText('1 matching event; there may be older ones');
  });

  it('keeps its filters in the URL across a reload', async () => {
    const { requests } = await serveTrail(calls);
    const user = await openTrail();
    await user.selectOptions(await screen.findByLabelText('Kind'), 'Payments and refunds');
    await user.selectOptions(screen.getByLabelText('Who'), GRACE);
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-01' } });
    await user.type(screen.getByLabelText('Invoice or id'), '1042');
    await user.click(await button('Apply'));
    const search = '?group=money&person=user%3A71204401&from=2026-03-01&about=1042';
    await waitFor(() => expect(window.location.search).toBe(search));
    const userAfterReload = await openTrail(search);
    expect(await screen.findByLabelText('Kind')).toHaveProperty('value', 'money');
    expect(screen.getByLabelText('Invoice or id')).toHaveProperty('value', '1042');
    await userAfterReload.click(await button('Older events'));
    await waitFor(() => expect(requests.at(-1)).toBe(`${search}&before=409`));
    await userAfterReload.click(await button('Newest events'));
    await waitFor(() => expect(requests.at(-1)).toBe(search));
    await userAfterReload.click(await button('Clear'));
    await waitFor(() => expect(requests.at(-1)).toBe(''));
    await userAfterReload.click(await button('Only this payment of event 411', await findRow(/^A payer paid/)));
    await waitFor(() => expect(requests.at(-1)).toBe('?about=p1042'));
  });

  it('lets users opt in to emails with the newest seal, and out again', async () => {
    const { requests, state } = await serveTrail(calls);
    const user = await openTrail();
    const checkbox = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Email it to me once a week' });
    expect(checkbox.checked).toBe(false);
    await user.click(checkbox);
    await screen.findByText(/The first email comes in a week\./);
    state.isMailRefused = true;
    await user.click(checkbox);
    await screen.findByText('No.');
    expect(checkbox.checked).toBe(true);
    expect(requests.filter((call) => call.startsWith('mail'))).toEqual(['mail true', 'mail false']);
  });

  it('reports an empty result, a failed load and a missing right', async () => {
    expectErrors(/^Failed to /);
    const { state } = await serveTrail(calls, {
      ...view,
      events: [],
      next: null,
      head: null,
      verified: null,
      unsealed: 0,
    });
    await openTrail();
    await screen.findByText(/Nothing was recorded yet\./);
    await screen.findByText(/Nothing is sealed yet/);
    await openTrail('?group=money');
    await screen.findByText(/No matching events\./);
    state.view = { ...state.view, next: 100, looked_back_to: '2026-01-02T15:00:00.000Z' };
    await openTrail('?group=money');
    await screen.findByText(/Looked back to Jan 2, 2026/);
    await button('Look further back');
    state.status = 503;
    const user = await openTrail('?group=money');
    await screen.findByText(/The audit trail could not be loaded\./);
    state.status = 200;
    state.view = view;
    await user.click(await button('Retry'));
    await screen.findByText('A payer paid 1042, $184.00.');
    state.status = 403;
    await openTrail();
    await screen.findByText(/Only an administrator of this account may see its audit trail\./);
    expect(screen.queryByRole('button', { name: /CSV/ })).toBeNull();
  });

  it('reports a mismatch with the seals in place of the last verified event', async () => {
    const problem = 'Event 300 is altered: it is not what was sealed.';
    await serveTrail(calls, { ...view, verified: { seq: 299, at: '2026-03-04T15:52:10.000Z', problem } });
    await openTrail();
    const alert = await findAlert(new RegExp(problem));
    expect(within(alert).queryByText(/^Verified to event/)).toBeNull();
    expect(screen.queryByText(/^Verified to event/)).toBeNull();
  });
});
