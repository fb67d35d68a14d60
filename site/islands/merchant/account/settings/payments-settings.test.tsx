import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { WriteBack } from '#shared/contracts/payments/write-back';
import type { ApplePaySetting } from '#shared/contracts/staff/account-settings';
import { rightsOf } from '#shared/contracts/staff/team-values';
import { answerByDefault, answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';

const bookkeeperView = {
  person: { name: 'Bo', email: 'bo@maple.example', role: 'bookkeeper' as const },
  may: rightsOf.bookkeeper,
};

const recording: WriteBack = {
  is_on: false,
  is_offered: true,
  is_granted: false,
  trouble: '',
  recorded: 0,
  looked_at: 0,
  said: '',
  unrecorded: [],
  next: null,
};

const applePay: ApplePaySetting = { is_on: false, host: 'pay.maple.example', is_registered: false, refusal: '' };

async function openSettings(view: Parameters<typeof openApp>[1], path = '/account/payments', writeBack = recording) {
  answerWith('/api/bank-payments', { is_on: true });
  answerByDefault('/api/apple-pay', applePay);
  answerByDefault('/api/google-pay', { is_on: false });
  answerWith('/api/bill-lines', { is_on: true });
  answerWith('/api/payer-language', { language: 'en' });
  answerWith('/api/token/footer-text', { footer_text: 'Thank you.' });
  answerWith('/api/parts', { is_on: true });
  answerWith('/api/reminders', { is_on: true, steps: [-3, 0, 7], sample: null });
  answerByDefault('/api/reminders/forecast', { day: '2026-03-04', before: 3, on: 4, after: 4, first: [] });
  answerWith('/api/write-back', writeBack);
  const user = await openApp(path, view);
  await screen.findByRole('heading', { name: 'Payments settings', level: 1 });
  await screen.findByRole('region', { name: 'Payments in HubSpot' });
  return user;
}

it('shows a bookkeeper all payments settings and who may change them', async () => {
  await openSettings(bookkeeperView);
  const main = within(screen.getByRole('main'));
  expect(
    main.getAllByText(
      'Only a manager or an administrator of this account may change this. Ask Grace Lindqvist (administrator).',
    ),
  ).toHaveLength(7);
  expect(
    main.getAllByText('Only an administrator of this account may change this. Ask Grace Lindqvist (administrator).'),
  ).toHaveLength(2);
  expect(main.getByText('Thank you.')).toBeTruthy();
  expect(main.getByText('Reminders go out 3 days before, on and 7 days after the due date.')).toBeTruthy();
  expect(main.queryByRole('button')).toBeNull();
});

it('lets a manager change the settings', async () => {
  await openSettings({ may: rightsOf.manager });
  await screen.findByText('Next: 11 invoices on Mar 4, 2026.');
  for (const name of [
    'Accept cards only',
    'Accept Apple Pay',
    'Accept Google Pay',
    'Hide the items',
    'Use Spanish',
    'Stop allowing partial payments',
    'Change reminders',
  ])
    expect(screen.getByRole('button', { name })).toBeTruthy();
});

it('lets a manager switch Apple Pay on, and shows why the domain is not registered yet', async () => {
  const user = await openSettings({ may: rightsOf.manager });
  const section = within(screen.getByRole('region', { name: 'Apple Pay' }));
  section.getByText('Not accepted');
  expect(section.queryByText('Not registered yet')).toBeNull();
  const refusal = 'Apple could not verify the domain';
  answerWith('/api/apple-pay', { ...applePay, is_on: true, refusal });
  await user.click(section.getByRole('button', { name: 'Accept Apple Pay' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Accept Apple Pay' }));
  await section.findByText('Not registered yet');
  section.getByText(
    /pay\.maple\.example is not registered \(the card provider’s answer: Apple could not verify the domain\)/,
  );
  section.getByRole('button', { name: 'Stop accepting Apple Pay' });
});

it('states that Google Pay adds a script from Google, and lets a manager switch it on', async () => {
  const user = await openSettings({ may: rightsOf.manager });
  const section = within(screen.getByRole('region', { name: 'Google Pay' }));
  section.getByText('Not accepted');
  section.getByText(/Your payment pages then load a script from Google\. While it is off, they load none\./);
  answerWith('/api/google-pay', { is_on: true });
  await user.click(section.getByRole('button', { name: 'Accept Google Pay' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Accept Google Pay' }));
  await section.findByText('Accepted');
});

it('shows that the domain for Apple Pay is registered', async () => {
  answerWith('/api/apple-pay', { ...applePay, is_on: true, is_registered: true });
  await openSettings({ may: rightsOf.manager });
  const section = within(screen.getByRole('region', { name: 'Apple Pay' }));
  section.getByText('Accepted');
  section.getByText('Registered');
});

it('explains how to turn reminders off, and which reminders an invoice skips', async () => {
  answerWith('/api/reminders/forecast', {
    day: '2026-03-04',
    before: 1,
    on: 0,
    after: 21,
    first: Array.from({ length: 20 }, (_, n) => ({ id: `${n}`, number: `INV-${n}`, customer: 'Marta Núñez', step: 7 })),
  });
  const user = await openSettings({ may: rightsOf.manager });
  await user.click(screen.getByRole('button', { name: 'Change reminders' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'When to remind' }));
  expect(dialog.getByText('To turn reminders off, clear all the days and save.')).toBeTruthy();
  await dialog.findByText('INV-0, Marta Núñez: 7 days after the due date');
  dialog.getByText('and 2 more');
  await dialog.findByText(/An invoice reminded 3 days before the due date gets no reminder on the due date\.$/);
});

it('requests no forecast if no day is selected', async () => {
  const user = await openSettings({ may: rightsOf.manager });
  await user.click(screen.getByRole('button', { name: 'Change reminders' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'When to remind' }));
  await dialog.findByText(/^With these days 11 invoices are reminded/);
  const searches: string[] = [];
  calls.answer(
    ({ pathname }) => pathname === '/api/reminders/forecast',
    ({ url, fulfill }) => {
      searches.push(url.search);
      return fulfill({ json: { day: '2026-03-04', before: 1, on: 0, after: 0, first: [] } });
    },
  );
  for (const checkbox of dialog.getAllByRole('checkbox', { checked: true })) await user.click(checkbox);
  await dialog.findByText('No day is selected: saving this turns reminders off.');
  expect(searches).not.toContain('?steps=');
});

it.each([
  ['/account/pay-page', '#bill-lines'],
  ['/account/parts', '#partial-payments'],
  ['/account/write-back', '#recording'],
])('redirects the former URL %s to the section %s', async (former, section) => {
  await openSettings({}, former);
  await waitFor(() => expect(window.location.pathname + window.location.hash).toBe(`/account/payments${section}`));
});

it('has a working link to each section', async () => {
  await openSettings({});
  const nav = screen.getByRole('navigation', { name: 'On this page' });
  for (const link of within(nav).getAllByRole('link'))
    expect(document.querySelector(link.getAttribute('href') ?? ''), link.textContent ?? '').not.toBeNull();
});

it('always lists unrecorded payments, but offers recording only if the operator does', async () => {
  await openSettings({}, '/account/payments', { ...recording, is_offered: false });
  expect(screen.getByRole('region', { name: 'Paid here, not in HubSpot' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Record payments in HubSpot' })).toBeNull();
  await openSettings({}, '/account/payments', { ...recording, is_offered: false, is_on: true });
  expect(screen.getByRole('button', { name: 'Switch off' })).toBeTruthy();
});

it('shows at most eight entries in the account menu, and a bookkeeper no links to forbidden screens', async () => {
  const user = await openSettings({});
  await user.click(screen.getAllByRole('button', { name: /^Account, / })[0] as HTMLElement);
  const menu = (await screen.findByRole('link', { name: 'Log Out' })).parentElement as HTMLElement;
  const entries = [...menu.children]
    .filter((element) => element.matches('a, button'))
    .map(({ textContent }) => textContent);
  expect(entries.length).toBeLessThanOrEqual(8);
  expect(entries).toEqual(expect.arrayContaining(['User Info', 'Payments settings', 'Switch person', 'Log Out']));

  await openSettings(bookkeeperView);
  const links = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(links).toEqual(expect.arrayContaining(['Approvals', 'Audit trail', 'Payments settings']));
  for (const name of ['Take Payment', 'Team', 'Records and closing']) expect(links, name).not.toContain(name);
});
