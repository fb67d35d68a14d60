import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf } from '#tests/support/components/queries';

const findPicker = () => screen.findByLabelText('Device');

describe('card reader picker', () => {
  it("shows 'No devices found' if there are no card readers at the counter", async () => {
    answerWith('/api/counter-terminals', { desks: [] });
    await openApp('/payments');
    await screen.findByText('No devices found');
    expect(textOf(await findPicker())).toBe('No devices found');
    expect((await findPicker()).hasAttribute('disabled')).toBe(true);
    expect((await button('Proceed to Payment')).hasAttribute('disabled')).toBe(true);
  });

  it('reports a failed load, and reloads on Retry', async () => {
    calls.answer(
      ({ pathname }) => pathname === '/api/counter-terminals',
      ({ fulfill }) =>
        fulfill({ status: 500, json: { error: { code: 'internal', message: 'Something went wrong.' } } }),
    );
    const user = await openApp('/payments');
    await screen.findByText(/The card readers could not be loaded\./);
    expect(screen.queryByText('No devices found')).toBeNull();
    const desk = { terminal_id: '1', terminal_name: 'Front desk 1', last_heard: null, sale: null, is_busy: false };
    answerWith('/api/counter-terminals', { desks: [desk] });
    await user.click(await button('Retry'));
    await within(await findPicker()).findByRole('option', { name: 'Front desk 1' });
  });
});
