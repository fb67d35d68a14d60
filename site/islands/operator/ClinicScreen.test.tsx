import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { OperatorClinic } from '#shared/contracts/operators/operator';
import { answerWith, calls } from '#tests/support/components/calls';
import { at } from '#tests/support/operator/calm';
import { Toasts } from '../ui/feedback/Toasts.tsx';
import { ClinicScreen } from './ClinicScreen.tsx';

const CLINIC: OperatorClinic = {
  clinic: {
    number: 3,
    account: 4711,
    name: 'Maple Dental',
    state: 'failing',
    problems: ['failing'],
    last_payment_at: null,
    stuck_since: null,
    failing_since: at,
    needs_human: 0,
    schema: 111,
    is_behind: false,
    bytes: 1000,
    heard_at: at,
    region: '',
    erased_at: null,
  },
  contact: { name: 'Maple Dental', phone: '', email: '', time_zone: 'UTC' },
  alerts: [],
  undecided: [],
  mails: null,
  crm_failure: 'revoked',
  closing: null,
  erasing_until: null,
};

it('explains why the CRM sync of a clinic fails and who must fix it', async () => {
  answerWith('/api/operator/clinics/3', CLINIC);
  render(<ClinicScreen number={3} />);
  expect(
    await screen.findByText(
      'The connection to HubSpot was ended there. An administrator of the clinic must connect it again.',
    ),
  ).toBeTruthy();
});

it('closes a clinic only after its name was typed, and shows the reasons if money may still move', async () => {
  answerWith('/api/operator/clinics/3', CLINIC);
  const bodies: unknown[] = [];
  calls.answer(
    ({ pathname }) => pathname === '/api/operator/clinics/3/closing',
    ({ readBody, fulfill }) => {
      bodies.push(readBody());
      if (bodies.length > 1) return fulfill({ json: { done: 'The clinic is closed.' } });
      const message = 'The clinic cannot be closed now: 1 batches are open.';
      return fulfill({ status: 409, json: { error: { code: 'conflict', message } } });
    },
  );
  const user = userEvent.setup();
  render(
    <>
      <ClinicScreen number={3} />
      <Toasts />
    </>,
  );
  await user.click(await screen.findByRole('button', { name: 'Close this clinic' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Close Maple Dental now?' }));
  await user.type(dialog.getByLabelText('Type “Maple Dental”'), 'Maple Dental');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await dialog.findByText('The clinic cannot be closed now: 1 batches are open.');
  const erasedClinic = { ...CLINIC.clinic, account: null, name: '', state: 'erased', erased_at: at };
  answerWith('/api/operator/clinics/3', { ...CLINIC, clinic: erasedClinic, contact: null, crm_failure: null });
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await screen.findByText('The clinic is closed.');
  await screen.findByRole('heading', { name: 'Clinic 3' });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Close this clinic' })).toBeNull());
  expect(bodies).toEqual([{ name: 'Maple Dental' }, { name: 'Maple Dental' }]);
});

it('shows that a closing is scheduled or running', async () => {
  const closing = { closes_on: '2026-12-12', asked_by: 'Grace Lindqvist', stood: ['1 batches are open'] };
  answerWith('/api/operator/clinics/3', { ...CLINIC, closing, erasing_until: at });
  render(<ClinicScreen number={3} />);
  await screen.findByText('This clinic closes on Dec 12, 2026.');
  await screen.findByText(/^Grace Lindqvist asked for it, .* It could not be closed yet: 1 batches are open\.$/);
  await screen.findByText('This clinic is being closed now.');
});
