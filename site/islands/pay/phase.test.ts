import { expect, it } from 'vitest';
import { payPageWords } from '#shared/words/pay-words';
import { problemOf } from './phase.ts';
import { reasonIn } from './words.ts';

const words = payPageWords('en');

it('shows the reason for a payment that was declined during the wait', () => {
  const failure = { message: 'Insufficient funds', resultCode: '051' };
  const error = { 'error-message': failure.message, 'result-code': failure.resultCode };
  const message = reasonIn(words, failure);
  expect(message).not.toBe(words.outcome.tryAgain);
  expect(problemOf({ state: 'declined', error }, words)).toMatchObject({ kind: 'refused', message, failure });
});

it('asks the payer to try again after a decline without a reason', () => {
  expect(problemOf({ state: 'declined' }, words)).toMatchObject({ kind: 'refused', message: words.outcome.tryAgain });
});

it('shows that a payment was not charged after all, with its time', () => {
  const since = '2026-03-04T15:39:00.000Z';
  expect(problemOf({ state: 'none', since, notCharged: true }, words)).toMatchObject({
    kind: 'not-charged',
    at: since,
  });
  expect(problemOf({ state: 'none', since }, words)).toBeNull();
});
