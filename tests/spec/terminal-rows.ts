import { type Line, type Row, rows, type TestRef } from './rows.ts';

const journeys = 'tests/browser/batches.test.ts';
const FIELDS: TestRef = [
  'tests/whole/batches.test.ts',
  'show every field of a batch, its transactions, and a file with the confirmation code',
];
const CARDS: TestRef = [journeys, 'lists batches by device with all gateway details (%s)'];
const CLOSE: TestRef = [
  journeys,
  'closes a batch after confirmation, reloads the list, and exports it with the confirmation code',
];
const DETAILS: TestRef = [journeys, 'shows sortable transactions, selectable by batch (%s)'];
const FAILURE: TestRef = [
  'site/islands/merchant/batches/Batches.test.tsx',
  'shows and logs a failed load, and reloads on Retry',
];

const BATCH =
  'id status terminal_name terminal-id date-opened settled sales-count sales-total refund-count refund-total net-amount confirmation-code';
const TRANSACTION = 'id amount type result card-type card billing.first-name billing.last-name created';

/** Rows about batches and their transactions. */
export const deskRows: readonly Row[] = [
  ...rows('batches', 'text', { client: 'app' }, [
    ['Batches Dashboard', CARDS],
    ['More Details', DETAILS],
    ['Close Batch', CLOSE],
    ['No batches found.', FAILURE],
    ['Failed to fetch batches', FAILURE],
    [
      'Failed to close batch',
      [
        'site/islands/merchant/batches/Batches.test.tsx',
        'warns of unconfirmed and possibly duplicate payments, and shows why closing failed',
      ],
    ],
  ]),
  ...rows('batches-reload', 'constant', { shownBy: 'its test' }, [['two seconds after a close', CLOSE]]),
  ...rows(
    'batch-field',
    'field',
    { answer: 'batches' },
    BATCH.split(' ').map((name): Line => [`batch.0.${name}`, FIELDS]),
  ),
  ...rows(
    'transaction-field',
    'field',
    { answer: 'transactions' },
    TRANSACTION.split(' ').map((name): Line => [`0.${name}`, FIELDS]),
  ),
];
