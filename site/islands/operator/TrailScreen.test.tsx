import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { button } from '#tests/support/components/queries';
import { serveTrail, view } from '#tests/support/servers/audit-server';
import { TrailScreen } from './TrailScreen.tsx';

const OLGA = { person: 'operator:o1', name: 'Olga Reyes (operator)' };

it('filters the operator’s trail by clinic, person and action, and pages through it', async () => {
  window.history.replaceState(null, '', '/operator/audit?clinic=12');
  const { requests } = await serveTrail(calls, { ...view, people: [OLGA] }, '/api/operator/audit');
  const user = userEvent.setup();
  render(<TrailScreen />);
  expect(await screen.findByLabelText('Clinic’s number')).toHaveProperty('value', '12');
  await screen.findByText('4 matching events; there may be older ones');
  await user.selectOptions(await screen.findByLabelText('Action'), 'Woke a clinic');
  await user.selectOptions(screen.getByLabelText('Who'), OLGA.name);
  await user.click(await button('Apply'));
  const search = '?action=clinic.woken&person=operator%3Ao1&clinic=12';
  await waitFor(() => expect(requests.at(-1)).toBe(search));
  await user.click(await button('Older events'));
  await waitFor(() => expect(requests.at(-1)).toBe(`${search}&before=409`));
});

it('tells an operator to follow the runbook if the trail does not match its seals', async () => {
  window.history.replaceState(null, '', '/operator/audit');
  const verified = { seq: 411, at: '2026-03-04T15:52:10.000Z', problem: 'Event 7 was changed.' };
  await serveTrail(calls, { ...view, verified }, '/api/operator/audit');
  render(<TrailScreen />);
  await screen.findByText('Event 7 was changed. Keep a copy and follow the runbook.');
});
