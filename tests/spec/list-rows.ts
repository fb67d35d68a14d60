import { analyticsRows } from './analytics-rows.ts';
import { type Row, route, rows, type TestRef } from './rows.ts';

const list = 'site/islands/merchant/lists/InvoiceList.test.tsx';
const states = 'site/islands/merchant/lists/list-states.test.tsx';
const dashboard = 'site/islands/merchant/shell/Dashboard.test.tsx';

const FIELDS: TestRef = [list, 'shows every field of an invoice'];
const PAGE_SIZES: TestRef = [list, 'changes the number of rows per page'];
const CUSTOMERS: TestRef = [states, 'shows name, email, phone and company, and sorts and searches like invoices'];
const DASHBOARD: TestRef = [dashboard, 'opens with the batches, and preloads the first page of customers'];
const LOG_OUT: TestRef = [
  'tests/browser/dashboard.test.ts',
  'logs out from the account menu by keyboard alone, and closes the session in all other tabs',
];
const CUSTOMER_FAILURE: TestRef = [
  dashboard,
  'shows an error if the customers cannot be loaded, and recovers on Retry',
];
const LOGIN_FIRST: TestRef = [
  'tests/whole/onboarding.test.ts',
  'sees the homepage before login and after logout, and is sent to the login from an app address',
];

/** Texts of the merchants' lists, the frame around them and its views. */
export const listRows: readonly Row[] = [
  ...analyticsRows,
  ...route('app', 303, LOGIN_FIRST, [
    'GET /customers',
    'GET /userinfo',
    'GET /invoices',
    'GET /invoice/{invoiceId}',
    'GET /openInvoices',
    'GET /payments',
  ]),
  ...rows('invoice-list', 'text', { client: 'app' }, [
    ['Invoices', FIELDS],
    ['Invoice ID', FIELDS],
    ['Invoice Number', FIELDS],
    ['Amount Billed', FIELDS],
    ['Balance Due', FIELDS],
    ['Due Date', FIELDS],
    ['Created Date', FIELDS],
    ['Last Modified Date', FIELDS],
    ['Status', FIELDS],
    ['Actions', FIELDS],
    ['Preview', FIELDS],
    ['Loading invoices...', [states, 'shows a loading message']],
    ['No invoices available.', [states, 'shows a message when the clinic has no invoices']],
  ]),
  ...rows('customer-list', 'text', { client: 'app' }, [
    ['Customers', CUSTOMERS],
    ['Name', CUSTOMERS],
    ['Email', CUSTOMERS],
    ['Phone', CUSTOMERS],
    ['Company', CUSTOMERS],
    ['Loading...', CUSTOMERS],
  ]),
  ...rows('shell', 'text', { client: 'app' }, [
    ['User Info', ['tests/browser/invoice-list.test.ts', 'returns from another screen to the same page of the list']],
    ['Dashboard', DASHBOARD],
    ['Open Invoices', DASHBOARD],
    ['Account', LOG_OUT],
    ['Log Out', LOG_OUT],
    ['Logout', [states, 'removes its rows on a server error, which Customers then shows too']],
    ['Refresh Access Token', CUSTOMER_FAILURE],
    ['Refresh token failed try again or logout and back in.', CUSTOMER_FAILURE],
  ]),
  ...rows('list-limit', 'constant', { shownBy: 'its test' }, [['10, 20, 30, 40 or 50 rows', PAGE_SIZES]]),
  ...rows('cut-limit', 'constant', { shownBy: 'its test' }, [
    ['50 characters', [list, 'is truncated after 50 characters and expands on hover']],
  ]),
  ...rows('chunk-limit', 'constant', { shownBy: 'its test' }, [
    [
      '120 seconds for the code of a screen',
      ['site/islands/ui/routing/lazy-screen.test.ts', 'fails after 120 seconds'],
    ],
  ]),
];
