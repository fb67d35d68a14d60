import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';

it('requires an emailed code for a first PIN, names the recipient, and focuses the code field', async () => {
  answerWith('/api/session/factors', { passkeys: [], has_pin: false, change_takes: 'code', proved_until: null });
  await calls.answer(
    ({ pathname }) => pathname === '/api/session/factors/code',
    ({ fulfill }) => fulfill({ status: 202, body: '' }),
  );
  answerWith('/api/payment-notices', { how: 'never', to: 'dana@maple.example' });
  answerWith('/api/sessions', { sessions: [] });
  answerWith('/api/token/status/current', {
    data: { user: 'dana@maple.example', user_id: 1, token_type: 'bearer', hub_domain: 'maple.example', scopes: [] },
  });
  const user = await openApp('/userinfo');
  await user.click(await screen.findByRole('button', { name: 'Set a PIN' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set your PIN' }));
  expect(dialog.getByText(/^We’ll email you a code for your first one/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Email me a code' }));
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Code')));
  expect(dialog.getByRole('status').textContent).toBe('The code is on its way to dana@maple.example.');
});
