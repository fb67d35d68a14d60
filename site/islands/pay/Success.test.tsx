import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PayView } from '#shared/contracts/payment';
import { payPageWords } from '#shared/words/pay-words';
import { AlreadyPaidPanel, SubmittedPanel, Success } from './Success.tsx';
import { PayWords } from './words.ts';

const transaction = {
  id: '2184903',
  amount: '184.00',
  card: 'VISA •••• 1111',
  'authorization-code': 'TAS472',
  result: 'APPROVED',
  date: '2026-03-04',
};
const view = { invoice: { currency: 'USD' } } as PayView;
const rowTexts = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );

test.each([
  ['en', { Amount: '$184.00', Date: 'Mar 4, 2026', Result: 'Approved' }],
  ['es', { Monto: '$184.00', Fecha: '4 mar 2026', Resultado: 'Aprobado' }],
] as const)('shows the date and the result of a payment in the page’s language (%s)', (language, expected) => {
  render(
    <PayWords value={payPageWords(language)}>
      <Success transaction={transaction} view={view} remainingCents={null} receiptUrl={null} />
    </PayWords>,
  );
  expect(rowTexts()).toMatchObject(expected);
});

test.each([
  ['an invoice that was already paid', AlreadyPaidPanel],
  ['a bank payment that was submitted', SubmittedPanel],
])('shows only the amount and the date for %s', (_title, Panel) => {
  render(
    <PayWords value={payPageWords('en')}>
      <Panel transaction={transaction} currency="USD" receiptUrl={null} />
    </PayWords>,
  );
  expect(rowTexts()).toEqual({ Amount: '$184.00', Date: 'Mar 4, 2026' });
});
