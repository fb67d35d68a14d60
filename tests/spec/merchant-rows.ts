import { type Reached, type Row, rows } from './rows.ts';

const preview = 'site/islands/merchant/preview/InvoicePreview.test.tsx';
const previewSign = 'tests/browser/preview-sign.test.ts';
const previewLink = 'site/islands/merchant/preview/acts.test.tsx';

const take = 'tests/browser/take-payment.test.ts';
const SOLD: Reached = [
  take,
  'is started in the order device, customer, invoice, waits, and is approved when the card is tapped',
];

const FALLBACKS: Reached = [preview, 'says whose name, address and phone are missing, and N/A for the rest'];
const EMPTY_PAD: Reached = [previewSign, 'is requested when Save Invoice finds none'];
const SIGNED_HERE: Reached = [
  previewSign,
  'is drawn, fixed as an image, kept by Save Invoice, and is there when the invoice is opened again',
];
const LINK_SENT: Reached = [
  previewLink,
  "the payment link is mailed: 'Payment link sent', and it stands among the mails",
];
const RECEIPT_SENT: Reached = [
  previewLink,
  "a paid invoice mails its receipt: 'Payment success email sent', or 'Error sending payment success email'",
];

/** Texts of the merchants' screens. */
export const merchantRows: readonly Row[] = [
  ...rows('preview', 'text', { client: 'app' }, [
    ['Customer Name', FALLBACKS],
    ['Customer Address', FALLBACKS],
    ['Customer Phone', FALLBACKS],
    ['N/A', FALLBACKS],
    ['No invoice data available.', [preview, "says 'No invoice data available.' where there is none"]],
    ['Clear', EMPTY_PAD],
    ['Save signature', SIGNED_HERE],
    ['Clear Signature', SIGNED_HERE],
    ['Save Invoice', SIGNED_HERE],
    [
      'Cancel',
      [
        'tests/browser/preview.test.ts',
        'returns by Cancel to the screen before, and to the invoices when it was opened by its address',
      ],
    ],
  ]),
  ...rows('take', 'text', { client: 'app' }, [
    ['Take Payment', SOLD],
    ['Device', SOLD],
    ['Customer', SOLD],
    ['Invoice', SOLD],
    ['Proceed to Payment', SOLD],
    [
      'No devices found',
      ['site/islands/merchant/terminals/Devices.test.tsx', "says 'No devices found' where the counter has none"],
    ],
  ]),
  ...rows('mail', 'text', { client: 'app' }, [
    ['Email Payment Link', LINK_SENT],
    ['Payment link sent', LINK_SENT],
    [
      'Error sending payment link',
      [previewLink, "a mail that fails says 'Error sending payment link', why and what to do"],
    ],
    ['Email Receipt', RECEIPT_SENT],
    ['Payment success email sent', RECEIPT_SENT],
    ['Error sending payment success email', RECEIPT_SENT],
  ]),
];
