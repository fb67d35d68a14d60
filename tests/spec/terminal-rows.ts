import { type Line, type Reached, type Row, rows } from './rows.ts';

const journeys = 'tests/browser/batches.test.ts';
const FIELDS: Reached = [
  'tests/whole/batches.test.ts',
  'show every field of a batch, its transactions, and a file with the confirmation code',
];
const CARDS: Reached = [journeys, 'are listed by device with all gateway details (%s)'];
const CLOSED: Reached = [journeys, 'are closed after confirmation, reloaded, and exported with the confirmation code'];
const OPENED: Reached = [journeys, 'show their transactions, selectable by batch and sortable (%s)'];
const FAILED: Reached = [
  'site/islands/merchant/batches/Batches.test.tsx',
  'distinguishes a failed load from an empty one, logs it and reloads on Retry',
];

const BATCH =
  'id status terminal_name terminal-id date-opened settled sales-count sales-total refund-count refund-total net-amount confirmation-code';
const TRANSACTION = 'id amount type result card-type card billing.first-name billing.last-name created';

/** Rows about batches and their transactions. */
export const deskRows: readonly Row[] = [
  ...rows('batches', 'text', { client: 'app' }, [
    ['Batches Dashboard', CARDS],
    ['More Details', OPENED],
    ['Close Batch', CLOSED],
    ['No batches found.', FAILED],
    ['Failed to fetch batches', FAILED],
    [
      'Failed to close batch',
      [
        'site/islands/merchant/batches/Batches.test.tsx',
        'warns of unrecorded and possibly duplicate payments and shows why a close failed',
      ],
    ],
  ]),
  ...rows('batches-reload', 'constant', { shownBy: 'its test' }, [['two seconds after a close', CLOSED]]),
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
