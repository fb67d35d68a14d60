import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf } from '#tests/support/components/queries';
import { batch } from '#tests/support/servers/checks-server';
import { newClinicToday, serveToday } from '#tests/support/servers/today-server';

const DEVICES = ['1', '2', '3', '4'].map((id) => ({ terminal_id: id, terminal_name: `Desk ${id}` }));
const closingOf = (id: string) => ({ batch: { ...batch, id }, unknown: [], duplicates: [] });
const errorBody = (code: string, message: string) => ({ error: { code, message } });

/** Opens the dashboard of an account with these terminals. `sent` collects the requests to close batches. */
async function openDashboard(devices = DEVICES, may?: ['collect']) {
  await serveToday(calls, newClinicToday());
  answerWith('/api/terminals', devices);
  const lists = { requests: 0 };
  calls.answer(
    ({ pathname }) => pathname.endsWith('/batches'),
    ({ fulfill }) => {
      lists.requests++;
      return fulfill({ json: { batch: [batch] } });
    },
  );
  const sent: string[] = [];
  const answerClose = (id: string, answer: { status?: number; json: unknown } | 'lost') =>
    calls.answer(
      ({ pathname }) => pathname === `/api/terminals/${id}/batches/close`,
      ({ url, method, fulfill, abort }) => {
        sent.push(`${method} ${url.pathname}${url.search}`);
        return answer === 'lost' ? abort() : fulfill(answer);
      },
    );
  const user = await openApp('/', may && { may });
  return { user, sent, lists, answerClose };
}

const replyWith = (status: string, message: string) => ({ json: { status, message, batch: null } });
const rowTexts = (dialog: HTMLElement) => within(dialog).getAllByRole('listitem').map(textOf);

describe('closing all batches', () => {
  it('shows each batch before closing, and closes none on Cancel', async () => {
    answerWith('/api/terminals/1/closing', {
      ...closingOf('11'),
      unknown: [{ invoice_number: 'INV-1042', amount: '184.00', since: '2026-11-21T10:42:00.000Z' }],
    });
    answerWith('/api/terminals/2/closing', { batch: null, unknown: [], duplicates: [] });
    const { user, sent } = await openDashboard(DEVICES.slice(0, 2));
    await user.click(await button('Close all batches'));
    const dialog = await screen.findByRole('dialog', { name: 'Close 1 batch?' });
    expect(rowTexts(dialog)).toEqual([
      expect.stringMatching(/^Desk 1, batch 11: .* net .* 1 payment on this terminal is not confirmed yet\. INV-1042/),
      'Desk 2: There is no open batch to close.',
    ]);
    await user.click(await button('Cancel', dialog));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent).toEqual([]);
  });

  it('closes each batch with one request that names it, and shows each result', async () => {
    expectErrors(/^Failed to close batch/);
    for (const { terminal_id } of DEVICES)
      answerWith(`/api/terminals/${terminal_id}/closing`, closingOf(`1${terminal_id}`));
    const { user, sent, lists, answerClose } = await openDashboard();
    answerClose('1', replyWith('closed', 'Batch 11 is closed. Confirmation C1.'));
    answerClose('2', replyWith('unknown', 'We do not know yet whether batch 12 was closed.'));
    answerClose('3', {
      status: 502,
      json: errorBody('gateway-refused', 'Failed to close batch 13. Clearent says: No.'),
    });
    answerClose('4', 'lost');
    await user.click(await button('Close all batches'));
    const confirmation = await screen.findByRole('dialog', { name: 'Close 4 batches?' });
    const previousRequests = lists.requests;
    await user.click(await button('Close 4 batches', confirmation));
    const dialog = await screen.findByRole('dialog', { name: '1 of 4 batches is closed' });
    expect(sent.sort()).toEqual(
      ['1', '2', '3', '4'].map((id) => `PUT /api/terminals/${id}/batches/close?batch=1${id}`),
    );
    expect(rowTexts(dialog)).toEqual([
      'Desk 1 Batch 11 is closed. Confirmation C1.',
      'Desk 2 We do not know yet whether batch 12 was closed.',
      'Desk 3 Failed to close batch 13. Clearent says: No.',
      'Desk 4 We do not know yet whether batch 14 was closed, as no answer came. The list of batches shows it.',
    ]);
    await user.click(await button('Done', dialog));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(lists.requests).toBe(previousRequests + 4));
  });

  it('closes no batch if none is open, and reports a terminal whose batch cannot be loaded', async () => {
    expectErrors(/^Failed to close batch/);
    calls.answer(
      ({ pathname }) => pathname === '/api/terminals/1/closing',
      ({ fulfill }) => fulfill({ status: 503, json: errorBody('gateway-unavailable', 'Clearent is not answering.') }),
    );
    answerWith('/api/terminals/2/closing', { batch: null, unknown: [], duplicates: [] });
    const { user, sent } = await openDashboard(DEVICES.slice(0, 2));
    await user.click(await button('Close all batches'));
    await screen.findByText('No batch was closed.');
    await screen.findByText(
      'Desk 1: Its batch was not closed. Clearent is not answering. Desk 2: There is no open batch to close.',
    );
    expect(sent).toEqual([]);
  });

  it.each([
    ['with one terminal', DEVICES.slice(0, 1), undefined],
    ['without the right to close batches', DEVICES, ['collect'] as ['collect']],
  ])('is not offered to an account or user %s', async (_case, devices, may) => {
    await openDashboard(devices, may);
    await screen.findAllByRole('link', { name: /^More Details/ });
    expect(screen.queryByRole('button', { name: 'Close all batches' })).toBeNull();
  });
});
