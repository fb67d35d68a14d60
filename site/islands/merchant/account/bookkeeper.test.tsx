import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { rightsOf } from '#shared/contracts/staff/team-values';
import { answerWith } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';

const asBookkeeper = {
  person: { name: 'Bo', email: 'bo@maple.example', role: 'bookkeeper' as const },
  may: rightsOf.bookkeeper,
};

const settings = [
  ['/account/parts', '/api/parts', { is_on: true }],
  ['/account/pay-page', '/api/bill-lines', { is_on: true }],
] as const;

it.each(settings)(
  'a bookkeeper can read the settings at %s and sees who may change them',
  async (address, path, view) => {
    answerWith(path, view);
    answerWith('/api/payer-language', { language: 'en' });
    await openApp(address, asBookkeeper);
    const sentences = await screen.findAllByText(
      'Only a manager or an administrator of this account may change this. Ask Grace Lindqvist (administrator).',
    );
    expect(sentences.length).toBeGreaterThan(0);
    expect(within(screen.getByRole('main')).queryByRole('button', { name: /invoices|items|Use / })).toBeNull();
  },
);

it.each(settings)('a manager can change the settings at %s', async (address, path, view) => {
  answerWith(path, view);
  answerWith('/api/payer-language', { language: 'en' });
  await openApp(address, { may: rightsOf.manager });
  const changes = await screen.findAllByRole('button', { name: /Open no more invoices|Show no items/ });
  expect(changes).toHaveLength(1);
});

it('a bookkeeper sees no links for payments, closing or the team', async () => {
  answerWith('/api/parts', { is_on: true });
  await openApp('/account/parts', asBookkeeper);
  await screen.findByRole('heading', { name: 'Payment in parts', level: 1 });
  const links = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(links).toEqual(expect.arrayContaining(['Approvals', 'Audit trail', 'HubSpot records']));
  for (const name of ['Take Payment', 'Team', 'Records and closing']) expect(links, name).not.toContain(name);
});
