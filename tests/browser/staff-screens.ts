import type { Page } from 'playwright-core';
import type { Unrecorded, WriteBack } from '#shared/contracts/payments/write-back';
import type { ArchiveStatus, ClosingStatus } from '#shared/contracts/staff/archive-and-closing';
import type { Approval, Approvals, DeskPeople, OwnFactors, StepUpWay } from '#shared/contracts/staff/proof';
import { sampleApproval } from '#tests/support/sample-approval';

/** Responses that fill the screens about people, independent of earlier activity in the clinic. */

const AT = '2026-03-04T15:42:00.000Z';
const LATER = '2026-03-11T15:42:00.000Z';

const approval = (id: string, overrides: Partial<Approval>): Approval =>
  sampleApproval({ id, payment_id: id, asked_at: AT, ends_at: LATER, ...overrides });

const approvals: Approvals = {
  approvals: [
    approval('a1', { is_yours_to_decide: true }),
    approval('a2', { kind: 'void', is_yours_to_withdraw: true }),
    approval('a3', { state: 'approved', decided_by: 'Grace Lindqvist', decided_at: AT }),
    approval('a4', { state: 'refused', decided_by: 'Grace Lindqvist', decided_at: AT }),
    approval('a5', { state: 'ended' }),
  ],
};

const factors: OwnFactors = {
  passkeys: [
    { id: 'p1', label: 'Front desk laptop', created_at: AT, used_at: LATER },
    { id: 'p2', label: 'Phone', created_at: AT, used_at: null },
  ],
  has_pin: true,
  change_takes: 'proof',
  proved_until: null,
};

const archive = (overrides: Partial<ArchiveStatus>): ArchiveStatus => ({
  state: 'none',
  done: 0,
  total: 0,
  parts: 0,
  bytes: 0,
  id: null,
  asked_at: AT,
  ready_at: null,
  ends_at: null,
  ...overrides,
});

const closing: ClosingStatus = {
  closes_on: '2026-06-01',
  asked_at: AT,
  asked_by: 'Grace Lindqvist',
  business: 'Maple Street Dental',
  stood: ['A refund is still under way.'],
  earliest: '2026-03-06',
  latest: '2027-03-04',
};

const people: DeskPeople = {
  people: [
    { id: 2, name: 'Ana Pérez', is_you: false },
    { id: 3, name: 'tom.abara@maplestreetdental.example', is_you: false },
  ],
};

const unrecorded = (id: string, overrides: Partial<Unrecorded>): Unrecorded => ({
  id,
  kind: 'payment',
  invoice_id: '90412',
  invoice_number: 'INV-1042',
  customer: 'Núñez Studio LLC',
  amount: '184.00',
  currency: 'USD',
  paid_at: AT,
  transaction_id: '15784231',
  state: 'not-told',
  why: '',
  is_yours: true,
  ...overrides,
});

/** The fields of another payment, eight minutes earlier for each number below INV-1042. */
const earlierPayment = (number: number, customer: string, amount: string): Partial<Unrecorded> => ({
  invoice_id: String(89_370 + number),
  invoice_number: `INV-${String(number).padStart(4, '0')}`,
  customer,
  amount,
  paid_at: new Date(Date.parse(AT) + (number - 1042) * 8 * 60_000).toISOString(),
  transaction_id: String(15_783_189 + number),
});

const SET_UP = 'This account must be set up for HubSpot payments or Stripe payment processing.';

/** A page with every state of a payment and of the account. */
const writeBack: WriteBack = {
  is_on: true,
  is_offered: true,
  is_granted: true,
  trouble: 'cannot',
  recorded: 213,
  looked_at: 219,
  said: SET_UP,
  unrecorded: [
    unrecorded('w1', { ...earlierPayment(1048, 'Grace Lindqvist', '71.10'), state: 'due', is_yours: false }),
    unrecorded('w2', { ...earlierPayment(1047, 'Li Wei', '120.00'), state: 'sent', is_yours: false }),
    unrecorded('w3', { state: 'refused', why: SET_UP }),
    unrecorded('w4', {
      ...earlierPayment(1041, 'Ada Okafor', '212.00'),
      state: 'unknown',
      why: 'HubSpot did not answer, and nothing shows whether it was recorded.',
    }),
    unrecorded('w5', { ...earlierPayment(1040, 'Hartley Books', '415.90'), state: 'nothing_moved' }),
    unrecorded('w6', earlierPayment(1036, 'Brandt Cycles', '1284.50')),
    unrecorded('w7', {
      ...earlierPayment(1029, 'Daniel Raman', '38.40'),
      kind: 'refund',
      state: 'unknown',
      why: 'HubSpot did not answer.',
    }),
  ],
  next: '1772638920000.412',
};
const earlierPage: WriteBack = {
  ...writeBack,
  recorded: 499,
  looked_at: 500,
  next: null,
  unrecorded: [unrecorded('w8', earlierPayment(871, 'Fairmount Youth Soccer', '96.00'))],
};

const serveGet = (page: Page, path: string, json: object) =>
  page.route(`**${path}`, (route) => (route.request().method() === 'GET' ? route.fulfill({ json }) : route.continue()));

export const serveApprovals = (page: Page) => serveGet(page, '/api/approvals', approvals);
export const serveWriteBack = async (page: Page) => {
  await serveGet(page, '/api/write-back', writeBack);
  await serveGet(page, `/api/write-back?before=${writeBack.next}`, earlierPage);
};
export const serveFactors = (page: Page) => serveGet(page, '/api/session/factors', factors);
export const servePeople = (page: Page) => serveGet(page, '/api/session/people', people);

export async function serveRecords(page: Page, state: 'making' | 'ready'): Promise<void> {
  const ready = { id: 'r1', parts: 12, bytes: 48_200_000, ready_at: AT, ends_at: LATER };
  const status = archive({ state, done: 5, total: 12, ...(state === 'ready' ? ready : {}) });
  await serveGet(page, '/api/account/archive', status);
  if (state === 'making') await serveGet(page, '/api/account/closing', closing);
}

/** Makes voids and refunds require a proof of identity, in one of these ways. */
export const askForProof = (page: Page, ways: StepUpWay[]) =>
  page.route('**/api/payments/*/reversals', (route) =>
    route.fulfill({
      status: 403,
      json: { ways, error: { code: 'step-up-needed', message: 'Please confirm your identity again.' } },
    }),
  );

/** Shows the first-hour list on the dashboard, as for a new clinic. */
export async function serveFirstHour(page: Page, appUrl: string): Promise<void> {
  await page.route(`${appUrl}/`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"isNew":false', '"isNew":true') });
  });
  await page.route('**/api/first-hour', async (route) => {
    const answer = await route.fetch();
    const view = (await answer.json()) as { is_ended: boolean; steps: { is_done: boolean }[] };
    const steps = view.steps.map((step, at) => ({ ...step, is_done: at < 4, waits_for: at < 4 ? null : 'you' }));
    await route.fulfill({ response: answer, json: { ...view, is_ended: false, steps } });
  });
}
