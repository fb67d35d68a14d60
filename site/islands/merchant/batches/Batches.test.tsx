import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { errors, expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf, waitForTextIn } from '#tests/support/components/queries';
import { batch, DESK } from '#tests/support/servers/checks-server';
import { movement, newClinicToday, serveToday } from '#tests/support/servers/today-server';

const answerWithError = (path: RegExp, status: number, code: string, message: string) =>
  calls.answer(
    ({ pathname }) => path.test(pathname),
    ({ fulfill }) => fulfill({ status, json: { error: { code, message } } }),
  );

async function openDashboard() {
  await serveToday(calls, newClinicToday());
  return openApp('/');
}

describe('errors in batches', () => {
  it('shows and logs a failed load, and reloads on Retry', async () => {
    expectErrors(/^Failed to fetch batches/);
    answerWith('/api/terminals', [{ terminal_id: DESK, terminal_name: 'Front desk 1' }]);
    answerWithError(/\/batches$/, 503, 'gateway-unavailable', 'Failed to fetch batches: Clearent is not answering.');
    const user = await openDashboard();
    await screen.findByText(/Failed to fetch batches: Clearent is not answering\./);
    expect(screen.queryByText('No batches found.')).toBeNull();
    expect(errors.join()).toMatch(/^Failed to fetch batches/);
    answerWith(`/api/terminals/${DESK}/batches`, { batch: [] });
    await user.click(await button('Retry'));
    await screen.findByText('No batches found.');
  });

  it('refers to the support vendor if there are no terminals', async () => {
    answerWith('/api/terminals', []);
    await openDashboard();
    await screen.findByText(/Please call the support vendor/);
  });

  it('warns of unconfirmed and possibly duplicate payments, and shows why closing failed', async () => {
    answerWith('/api/terminals', [{ terminal_id: DESK, terminal_name: 'Front desk 1' }]);
    answerWith(`/api/terminals/${DESK}/batches`, { batch: [batch] });
    answerWith(`/api/terminals/${DESK}/closing`, {
      batch: { ...batch, 'sales-count': '37', 'refund-count': '1' },
      unknown: [{ invoice_number: 'INV-1042', amount: '184.00', since: '2026-11-21T10:42:00.000Z' }],
      duplicates: [
        {
          amount: '71.10',
          'card-type': 'Visa',
          card: '1111',
          created: ['2026-11-21T10:02:00.000Z', '2026-11-21T10:06:00.000Z'],
        },
      ],
    });
    const failure = 'Failed to close batch 5. Clearent says: Batch failure';
    answerWithError(/\/close$/, 502, 'gateway-refused', failure);
    expectErrors(/^Failed to close batch/);
    const user = await openDashboard();
    await user.click(await button(/^Close Batch/));
    const dialog = await screen.findByRole('dialog', { name: 'Close batch 5 on Front desk 1?' });
    await waitFor(() => expect(textOf(dialog)).toMatch(/37 sales, 1 refund, net/));
    expect(textOf(dialog)).toMatch(/INV-1042, \$184\.00.*\$71\.10, Visa 1111/);
    await user.click(await button('Close Batch', dialog));
    await within(dialog).findByText(failure);
    // Escape fires this event on an open dialog.
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

it('shows the batch of a new payment as soon as the day’s figures include the payment', async () => {
  answerWith('/api/terminals', [{ terminal_id: DESK, terminal_name: 'Front desk 1' }]);
  answerWith(`/api/terminals/${DESK}/batches`, { batch: [] });
  const server = await serveToday(calls, newClinicToday());
  await openApp('/');
  await screen.findByText('No batches found.');
  answerWith(`/api/terminals/${DESK}/batches`, { batch: [batch] });
  server.today = { ...newClinicToday(), latest: [movement('1042', 0, '184.00', 'Ada')] };
  // The figures are reloaded when the page becomes visible again.
  fireEvent(document, new Event('visibilitychange'));
  await screen.findByText('$184.00');
  await screen.findByRole('list', { name: 'Batches of Front desk 1' });
  expect(screen.queryByText('No batches found.')).toBeNull();
});

describe('Close Batch on a terminal without an open batch', () => {
  const closed = { ...batch, status: 'CLOSED' as const };
  const serveBatchList = (batches: unknown[]) => {
    answerWith('/api/terminals', [{ terminal_id: DESK, terminal_name: 'Front desk 1' }]);
    answerWith(`/api/terminals/${DESK}/batches`, { batch: batches });
    let requests = 0;
    calls.answer(
      ({ pathname }) => pathname.endsWith('/closing'),
      ({ fulfill }) => {
        requests += 1;
        return fulfill({ json: { batch: requests > 1 ? null : batch, unknown: [], duplicates: [] } });
      },
    );
    return () => requests;
  };
  const expectNoOpenBatch = async () => {
    await waitForTextIn('.banner-note', /^No open batch on this terminal/);
    expect(document.querySelector('.banner-bad')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  };

  it('reports that no batch is open, without a call to the provider, if all listed batches are closed', async () => {
    const requests = serveBatchList([closed]);
    const user = await openDashboard();
    await screen.findByRole('list', { name: 'Batches of Front desk 1' });
    await user.click(await button(/^Close Batch/));
    await expectNoOpenBatch();
    expect(requests()).toBe(0);
  });

  it('reports that no batch is open, not an error, if the card provider or our server finds none', async () => {
    serveBatchList([batch]);
    answerWithError(/\/close$/, 409, 'conflict', 'There is no open batch to close.');
    const user = await openDashboard();
    await user.click(await button(/^Close Batch/));
    const dialog = await screen.findByRole('dialog', { name: 'Close batch 5 on Front desk 1?' });
    await user.click(await button('Close Batch', dialog));
    await expectNoOpenBatch();
    await user.click(await button(/^Close Batch/));
    await expectNoOpenBatch();
  });
});
