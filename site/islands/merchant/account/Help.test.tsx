import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerWith } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { findQuestions, questions, questionsOn, topicAt } from './help-questions.ts';

async function openHelp() {
  answerWith('/api/health', { commit: 'abcdef1', version: '' });
  answerWith('/api/support-view', { ends_at: null, may_change: true, is_support: false });
  const user = await openApp('/help');
  const part = within(await screen.findByRole('region', { name: 'Questions on Tillway' }));
  return { user, part };
}

it('finds help answers by words of the question or the answer', async () => {
  const { user } = await openHelp();
  await user.type(screen.getByRole('searchbox', { name: 'Search answers' }), 'lost laptop');
  const answers = within(await screen.findByRole('region', { name: 'Answers' }));
  expect(answers.getAllByText(/\?$/).map(({ textContent }) => textContent)).toEqual([
    'How do I log out a lost phone or laptop?',
  ]);
});

it('shows that no help answer matches a search', async () => {
  const { user } = await openHelp();
  await user.type(screen.getByRole('searchbox', { name: 'Search answers' }), 'zebra');
  await screen.findByText('Nothing matches. Try another word, or contact support below.');
});

it.each([
  ['installment', 'Can a customer pay in parts or installments?'],
  ['chargeback', 'What is a chargeback?'],
  ['paused', 'Why are online payments paused?'],
  ['last four', 'Do we see the card number?'],
])('finds a help answer for "%s"', (typed, question) => {
  expect(findQuestions(typed).map((found) => found.question)).toEqual([question]);
});

it('has at least twenty help answers in all and three for each screen with a topic', () => {
  expect(questions.length).toBeGreaterThanOrEqual(20);
  expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
  for (const path of [
    '/',
    '/transactions/all',
    '/openInvoices',
    '/invoices',
    '/payments',
    '/analytics',
    '/checks',
    '/x',
  ])
    expect(questionsOn(topicAt(path)).length, path).toBeGreaterThanOrEqual(3);
});
