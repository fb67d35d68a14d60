import { cmsRows } from './cms-rows.ts';
import { contentRows } from './content-rows.ts';
import { listRows } from './list-rows.ts';
import { merchantRows } from './merchant-rows.ts';
import { type Line, type Row, route, rows, type TestRef } from './rows.ts';
import { siteRows } from './site-rows.ts';
import { deskRows } from './terminal-rows.ts';

const form = 'tests/browser/pay-form.test.ts';
const provider = 'tests/browser/pay-provider.test.ts';
const site = 'tests/browser/site.test.ts';
const reply = 'site/islands/pay/reply.test.ts';

const MISSING_FIELDS: TestRef = [
  form,
  'lists missing fields in one banner that takes the focus and links to each field',
];
const DECLINE: TestRef = [
  form,
  'keeps fields and signature after a decline, and accepts another card on the same page',
];
const SENDING: TestRef = [form, 'is locked and shows that it is sending, and sends once however often Pay is pressed'];
const PAYMENT: TestRef = [
  'tests/browser/pay.test.ts',
  'reads the bill, signs and pays by card, with one charge, one receipt and one mail that agree',
];
const SIGNATURE: TestRef = [
  'tests/browser/signature.test.ts',
  'becomes an image by Save and a pad again by Clear, and announces both',
];
const HOME: TestRef = [site, 'finds the offer, its claims and a way to start on the homepage'];
const LEGAL: TestRef = [site, 'finds the required facts in the …'];
const PAYER_FIELDS: TestRef = ['tests/whole/payment.test.ts', 'shows exactly the fields a payer may see'];
const PREVIEW_FIELDS: TestRef = [
  'worker/routes/invoices/preview.test.ts',
  'returns every field of an open invoice, with empty values where nothing is known',
];
/** The properties of a CRM invoice in the preview. */
const PREVIEW_PROPERTIES =
  'hs_number hs_amount_billed hs_balance_due hs_due_date hs_createdate hs_lastmodifieddate hs_invoice_status clinic_name clinic_address clinic_phone customer_name customer_address payment_method payment_date paid_via transaction_id receipt_id';
const CHARGE: TestRef = [
  'tests/whole/payment.test.ts',
  'is charged and settled once, and its receipt agrees with the ledger everywhere',
];
const DECLINE_REPLY: TestRef = [
  'tests/whole/payment.test.ts',
  'shows the reason of a decline, leaves the link open, and lets the next card pay',
];
const REFUSAL: TestRef = ['tests/whole/bad-inputs.test.ts', 'refuses a payment with %s'];
const NO_SESSION: TestRef = ['tests/whole/bad-addresses.test.ts', 'returns 401 whatever it contains: %s %s'];
const NOT_FOUND: TestRef = ['tests/whole/bad-addresses.test.ts', 'is not found: %s'];
const TOKEN: TestRef = [provider, "shows '…' when it responds without the requested token"];

const CONSENT: TestRef = [
  'tests/browser/consent.test.ts',
  'is requested on the homepage, at the login and in the app until given once, never on the pay page',
];
const INSTALL = 'appears after consent once the browser offers it, and closes when Install is pressed';

/**
 * Every literal text, address, field and constant that the product's specification fixes, with its place and the test
 * that fails if it changes. New screens add their rows.
 */
export const table: readonly Row[] = [
  ...rows('pay-label', 'text', { page: 'open invoice' }, [
    ['First Name', MISSING_FIELDS],
    ['Last Name', MISSING_FIELDS],
    ['Address', MISSING_FIELDS],
    ['Address2', MISSING_FIELDS],
    ['City', MISSING_FIELDS],
    ['State', MISSING_FIELDS],
    ['Zip', MISSING_FIELDS],
    ['Signature', MISSING_FIELDS],
  ]),
  // A payer whose name is on file signs by a checkbox; the pad opens on request.
  ...rows('pay-sign', 'text', { client: 'pay' }, [
    ['Save Signature', SIGNATURE],
    ['Clear Signature', SIGNATURE],
  ]),
  ...rows('pay-says', 'text', { client: 'pay' }, [
    ['Processing...', SENDING],
    ['Payment Successful!', PAYMENT],
    ['Thank you for your payment.', PAYMENT],
    ['Payment Failed!', DECLINE],
    ['There was an error processing your payment.', DECLINE],
    ['Error Message', DECLINE],
    ['Result Code', DECLINE],
    ['Okay', DECLINE],
    ['Please fill in all required fields:', MISSING_FIELDS],
    ['Validation error: ', [form, "shows the errors of the card frame after 'Validation error: ' and sends nothing"]],
    ['Invalid payment token received', TOKEN],
    ['Invalid payment response received', TOKEN],
    [
      'Failed to load ',
      [provider, 'leaves bill and contact visible when it fails to load; Pay explains why and Retry loads the form'],
    ],
    [
      'Payment SDK not initialized',
      [provider, 'leaves bill and contact visible when it fails to load; Pay explains why and Retry loads the form'],
    ],
    [
      'Failed to initiate payment process',
      [provider, "shows 'Failed to initiate payment process' when it throws on a token request"],
    ],
    [
      'Payment token generation failed',
      [provider, "shows 'Payment token generation failed' when its own frame cannot reach it"],
    ],
    [
      'Failed to process payment on server.',
      [
        'tests/browser/pay-unknown.test.ts',
        "shows 'Failed to process payment on server.' for a server error without a message",
      ],
    ],
    [
      'Payment failed. Please try again.',
      [reply, 'is shown with our message, or the default, if the provider gives no reason'],
    ],
    [
      'Unexpected response from payment system. Please try again.',
      [
        'tests/browser/pay-unknown.test.ts',
        'keeps the form closed until the invoice state was read, then asks to try again',
      ],
    ],
    ['Payment submitted', [form, "shows 'Payment submitted' after a bank payment and never that it succeeded"]],
  ]),
  ...rows('pay-missing', 'text', { page: 'unknown invoice' }, [['No invoice found', NOT_FOUND]]),
  ...rows('home', 'text', { page: '/' }, [
    ['Secure Payment Solutions for Modern Business', HOME],
    ['Get Started', HOME],
    ['Schedule Demo', HOME],
    ['99.9% uptime', HOME],
    ['24/7 support', HOME],
    ['10k+ merchants', HOME],
    ['PCI DSS', HOME],
    ['ISO 27001', HOME],
    ['GDPR', HOME],
    ['Secure Payments', HOME],
    ['Instant Processing', HOME],
    ['Analytics', HOME],
    ['Create Account', HOME],
    ['Terms of Service', HOME],
    ['Privacy Policy', HOME],
    ['Cookie Policy', HOME],
  ]),
  ...rows('prompt', 'text', { page: '/' }, [
    ['Accept', CONSENT],
    ['Install', ['tests/browser/consent.test.ts', INSTALL]],
  ]),
  ...rows('consent-kept', 'constant', { shownBy: 'its test' }, [["localStorage.cookieConsent = 'accepted'", CONSENT]]),
  ...rows('terms', 'fact', { page: '/terms' }, [
    ['Effective December 8, 2024', LEGAL],
    ['refund is not given for services provided', LEGAL],
    ['Indiana', LEGAL],
  ]),
  ...rows('privacy', 'fact', { page: '/privacy' }, [
    ['December 8, 2024', LEGAL],
    ['PCI compliance', LEGAL],
    ['CCPA opt-out', LEGAL],
    ['right to deletion', LEGAL],
  ]),
  ...rows('cookies', 'fact', { page: '/cookie-policy' }, [['December 8, 2024', LEGAL]]),
  ...rows('nowhere', 'text', { page: '/nowhere' }, [
    ['Page not found', [site, 'gets a 404 page with a link to the homepage for an unknown path']],
  ]),
  ...route('page', 200, LEGAL, ['GET /', 'GET /terms', 'GET /privacy', 'GET /cookie-policy']),
  ...route('pay-page', 200, PAYMENT, ['GET /make/payment/{invoiceId}']),
  ...route('invoice', 200, PAYER_FIELDS, ['GET /api/invoices/{invoiceId}']),
  ...route('pay', 400, REFUSAL, ['POST /api/invoices/takePaymentSDK/{invoiceId}']),
  ...route('merchant', 401, NO_SESSION, [
    'GET /api/token/status/{authToken}',
    'GET /api/refresh-access-token',
    'GET /api/invoices',
    'GET /api/invoices/getCustomer/{id}',
    'GET /api/invoices/getOpenInvoices',
    'GET /api/customers',
    'GET /api/token/get-merchant',
    'POST /api/token/setup-merchant',
    'GET /api/token/get-merchant-data',
    'GET /api/token/get-merchant-logs',
    'GET /api/terminals',
    'GET /api/terminals/{terminalId}/batches',
    'PUT /api/terminals/{terminalId}/batches/close',
    'GET /api/terminals/{terminalId}/batches/{batchId}',
    'POST /api/invoices/sendPaymentSuccessEmail/{invoiceId}',
    'POST /api/invoices/sendPaymentLink/{invoiceId}',
    'GET /api/analytics/payments?timeframe=week',
  ]),
  ...rows('app-error', 'text', { client: 'app' }, [
    [
      'Unexpected Application Error!',
      ['tests/browser/app-errors.test.ts', 'shows an error inside the app for an unknown address, with a link back'],
    ],
  ]),
  ...merchantRows,
  ...deskRows,
  ...siteRows,
  ...cmsRows,
  ...contentRows,
  ...listRows,
  ...route(
    'ticket',
    303,
    [
      'worker/routes/merchants/handoff-code.test.ts',
      'opens no session, even if it is an access token or a refresh token, made up or sent twice',
    ],
    ['GET /?authToken=nonsense'],
  ),
  ...rows('invoice-field', 'field', { answer: 'invoice' }, [
    ['invoice.invoice_number', PAYER_FIELDS],
    ['invoice.amount_due', PAYER_FIELDS],
    ['invoice.due_date', PAYER_FIELDS],
    ['customer.first_name', PAYER_FIELDS],
    ['customer.last_name', PAYER_FIELDS],
    ['company.name', PAYER_FIELDS],
    ['company.address', PAYER_FIELDS],
    ['company.city', PAYER_FIELDS],
    ['company.state', PAYER_FIELDS],
    ['company.zip', PAYER_FIELDS],
    ['publicKey', PAYER_FIELDS],
    ['sandbox', PAYER_FIELDS],
  ]),
  ...rows('preview-field', 'field', { answer: 'preview' }, [
    ['id', PREVIEW_FIELDS],
    ...PREVIEW_PROPERTIES.split(' ').map((name): Line => [`properties.${name}`, PREVIEW_FIELDS]),
    ...['name', 'amount', 'quantity'].map((name): Line => [`lineItemData.0.properties.${name}`, PREVIEW_FIELDS]),
  ]),
  ...rows('paid-field', 'field', { answer: 'approved' }, [
    ['code', CHARGE],
    ['status', CHARGE],
    ['payload.payloadType', CHARGE],
    ['payload.transaction.id', CHARGE],
    ['payload.transaction.amount', CHARGE],
    ['payload.transaction.card', CHARGE],
    ['payload.transaction.authorization-code', CHARGE],
    ['payload.transaction.result', CHARGE],
  ]),
  ...rows('declined-field', 'field', { answer: 'declined' }, [
    ['code', DECLINE_REPLY],
    ['status', DECLINE_REPLY],
    ['payload.payloadType', DECLINE_REPLY],
    ['payload.error.error-message', DECLINE_REPLY],
    ['payload.error.result-code', DECLINE_REPLY],
  ]),
  ...rows('refused-field', 'field', { answer: 'refused' }, [
    ['code', REFUSAL],
    ['status', REFUSAL],
    ['payload', REFUSAL],
    ['error.message', REFUSAL],
  ]),
  ...rows('error-field', 'field', { answer: 'unauthorized' }, [['error.message', NO_SESSION]]),
  {
    id: 'signature-height',
    kind: 'constant',
    exact: '150 pixels',
    place: { shownBy: 'its test' },
    test: [
      'tests/browser/signature.test.ts',
      'makes a PNG exactly 150 pixels high on a screen with … device pixels per pixel',
    ],
  },
  {
    id: 'script-limit',
    kind: 'constant',
    exact: '120 seconds for the script of the provider',
    place: { shownBy: 'its test' },
    test: ['tests/spec/script-limit.test.ts', 'waits for the card provider’s script for exactly 120 seconds'],
  },
  ...rows('breakpoint', 'constant', { styles: 'built' }, [
    ['576px', ['tests/spec/spec-table.test.ts', 'lists every width at which the built pages change']],
    ['768px', ['tests/spec/spec-table.test.ts', 'lists every width at which the built pages change']],
    ['992px', ['tests/spec/spec-table.test.ts', 'lists every width at which the built pages change']],
    ['1400px', ['tests/spec/spec-table.test.ts', 'lists every width at which the built pages change']],
  ]),
];
