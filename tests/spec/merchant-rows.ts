import { type Row, rows, type TestRef } from './rows.ts';

const preview = 'site/islands/merchant/preview/InvoicePreview.test.tsx';
const previewSign = 'tests/browser/preview-sign.test.ts';
const previewLink = 'site/islands/merchant/preview/preview-actions.test.tsx';

const take = 'tests/browser/take-payment.test.ts';
const SALE: TestRef = [
  take,
  'starts in the order device, customer, invoice, waits, and is approved when the card is tapped',
];

const FALLBACKS: TestRef = [
  preview,
  'labels a missing customer name, address and phone, and shows N/A for other missing values',
];
const EMPTY_PAD: TestRef = [previewSign, 'is requested when Save Invoice finds none'];
const SIGNATURE: TestRef = [
  previewSign,
  'becomes an image when drawn, is saved by Save Invoice, and is shown when the invoice is reopened',
];
const LINK_MAIL: TestRef = [previewLink, "emails the payment link, reports 'Payment link sent' and lists the email"];
const RECEIPT_MAIL: TestRef = [previewLink, 'emails the receipt of a paid invoice, and reports whether that failed'];

/** Texts of the merchants' screens. */
export const merchantRows: readonly Row[] = [
  ...rows('preview', 'text', { client: 'app' }, [
    ['Customer Name', FALLBACKS],
    ['Customer Address', FALLBACKS],
    ['Customer Phone', FALLBACKS],
    ['N/A', FALLBACKS],
    ['No invoice data available.', [preview, "shows 'No invoice data available.' when the invoice does not exist"]],
    ['Clear', EMPTY_PAD],
    ['Save signature', SIGNATURE],
    ['Clear Signature', SIGNATURE],
    ['Save Invoice', SIGNATURE],
    [
      'Cancel',
      [
        'tests/browser/preview.test.ts',
        'returns by Cancel to the previous screen, or to the invoices when opened by its address',
      ],
    ],
  ]),
  ...rows('take', 'text', { client: 'app' }, [
    ['Take Payment', SALE],
    ['Device', SALE],
    ['Customer', SALE],
    ['Invoice', SALE],
    ['Proceed to Payment', SALE],
    [
      'No devices found',
      [
        'site/islands/merchant/terminals/Devices.test.tsx',
        "shows 'No devices found' if there are no card readers at the counter",
      ],
    ],
  ]),
  ...rows('mail', 'text', { client: 'app' }, [
    ['Email Payment Link', LINK_MAIL],
    ['Payment link sent', LINK_MAIL],
    [
      'Error sending payment link',
      [previewLink, "shows 'Error sending payment link' with the reason when an email fails"],
    ],
    ['Email Receipt', RECEIPT_MAIL],
    ['Payment success email sent', RECEIPT_MAIL],
    ['Error sending payment success email', RECEIPT_MAIL],
  ]),
];
