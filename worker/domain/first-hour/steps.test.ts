import { describe, expect, it } from 'vitest';
import type { FirstHourRow } from '#worker/data/first-hour/first-hour';
import { stepsOf, syncTimes } from './first-hour.ts';

/** A clinic that has just consented; times in ms. */
const newClinic: FirstHourRow = {
  connectedAt: 1000,
  endedAt: null,
  mailsSeenAt: null,
  business: 'Harbor Physio',
  status: null,
  claimedAt: null,
  toldAt: null,
  terminals: 0,
  online: 0,
  isCut: 0,
  failingSince: null,
  completeAt: null,
  copied: 0,
  expected: 0,
  invoices: 0,
  invoicesOf: null,
  pass: 0,
  beganAt: null,
  members: 1,
  invited: 0,
  email: 'noor@harbor.example',
  testSentAt: null,
};
const firstPayment = { receiptId: 'r', cents: 2000, currency: 'USD', at: 9000 };

/** Maps each step to "done", or to the party that it waits for and the start of the wait. */
const describeSteps = (facts: Partial<FirstHourRow>, payment?: typeof firstPayment) =>
  Object.fromEntries(
    stepsOf({ ...newClinic, ...facts }, payment).map(({ name, isDone, waitsFor, since }) => [
      name,
      isDone ? 'done' : `${waitsFor ?? 'nobody'} ${since ?? 'ever'}`,
    ]),
  );

describe('the first-hour steps', () => {
  it('begin with an application that has waited for the clinic since consent', () => {
    expect(describeSteps({})).toEqual({
      papers: 'you 1000',
      connect: 'crm 1000',
      application: 'you 1000',
      terminals: 'nobody ever',
      'test-link': 'nobody ever',
      staff: 'you ever',
      mails: 'you ever',
    });
  });

  it.each([
    ['applying', 'you 1000', 'you 1000'],
    ['applied', 'you 5000', 'you 5000'],
    ['pended', 'you 5000', 'you 5000'],
    ['in-review', 'provider 5000', 'done'],
    ['declined', 'nobody ever', 'done'],
    ['approved', 'done', 'done'],
    ['boarded', 'done', 'done'],
  ] as const)('show who has to act on an application that is %s', (status, application, papers) => {
    expect(describeSteps({ status, claimedAt: 4000, toldAt: status === 'applying' ? null : 5000 })).toMatchObject({
      application,
      papers,
    });
  });

  it('wait for the provider’s terminals only after its approval', () => {
    expect(describeSteps({ status: 'in-review', claimedAt: 4000 }).terminals).toBe('nobody ever');
    expect(describeSteps({ status: 'approved', claimedAt: 4000, toldAt: 6000 }).terminals).toBe('provider 6000');
    expect(describeSteps({ status: 'boarded', terminals: 3, online: 1 }).terminals).toBe('done');
  });

  it('offer the test link once online payments work, and end with the first payment', () => {
    expect(describeSteps({ terminals: 2, online: 0 })['test-link']).toBe('nobody ever');
    expect(describeSteps({ terminals: 3, online: 1 })['test-link']).toBe('you ever');
    expect(describeSteps({ terminals: 3, online: 1, testSentAt: 7000 })['test-link']).toBe('you 7000');
    expect(describeSteps({ terminals: 3, online: 1 }, firstPayment)['test-link']).toBe('done');
  });

  it('distinguish a CRM that does not answer from an ended connection', () => {
    expect(describeSteps({ failingSince: 3000 }).connect).toBe('crm 3000');
    expect(describeSteps({ completeAt: 4000, isCut: 1 }).connect).toBe('you ever');
    expect(describeSteps({ completeAt: 4000 }).connect).toBe('done');
  });

  it('mark the staff step done once an invitation is open, and the emails step once they were viewed', () => {
    expect(describeSteps({ members: 2, mailsSeenAt: 1 })).toMatchObject({ staff: 'done', mails: 'done' });
    expect(describeSteps({ invited: 1 }).staff).toBe('done');
  });
});

describe('first sync times', () => {
  it('show how long the sync took until a later scan begins', () => {
    expect(syncTimes({ ...newClinic, completeAt: 7500, beganAt: 5000, pass: 1 }, 99_000)).toEqual({
      tookS: 3,
      leftS: null,
    });
    expect(syncTimes({ ...newClinic, completeAt: 7500, beganAt: 90_000, pass: 2 }, 99_000)).toEqual({
      tookS: null,
      leftS: null,
    });
  });

  it('estimate the time left after two seconds of reading', () => {
    const running = { ...newClinic, beganAt: 10_000, copied: 1000, expected: 4000, pass: 1 };
    expect(syncTimes(running, 11_000).leftS).toBeNull();
    expect(syncTimes(running, 20_000).leftS).toBe(30);
    expect(syncTimes({ ...running, copied: 0 }, 20_000).leftS).toBeNull();
  });
});
