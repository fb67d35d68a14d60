import { analyticsRows } from './analytics-rows.ts';
import { type Reached, type Row, route, rows } from './rows.ts';

const list = 'site/islands/merchant/lists/InvoiceList.test.tsx';
const states = 'site/islands/merchant/lists/list-states.test.tsx';
const dashboard = 'site/islands/merchant/shell/Dashboard.test.tsx';

const READS: Reached = [list, 'shows every field of an invoice'];
const SIZES: Reached = [list, 'chooses the number of rows of a page'];
const CUSTOMERS: Reached = [states, 'has name, email, phone and company, sorted and searched like invoices'];
const OPENS: Reached = [dashboard, 'opens on the batches and has read the first customers'];
const LOG_OUT: Reached = [
  'tests/browser/dashboard.test.ts',
  'ends the session from its account menu, by the keyboard alone, and every other tab is closed with it',
];
const NO_CUSTOMERS: Reached = [dashboard, 'shows the error and a way out when the customers cannot be read'];
const LOGIN_FIRST: Reached = [
  'tests/whole/onboarding.test.ts',
  'sees the homepage before login and after logout, and an app address leads to the login',
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
    ['Invoices', READS],
    ['Invoice ID', READS],
    ['Invoice Number', READS],
    ['Amount Billed', READS],
    ['Balance Due', READS],
    ['Due Date', READS],
    ['Created Date', READS],
    ['Last Modified Date', READS],
    ['Status', READS],
    ['Actions', READS],
    ['Preview', READS],
    ['Loading invoices...', [states, 'says that it is loading']],
    ['No invoices available.', [states, 'of a clinic without invoices says so']],
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
    ['User Info', ['tests/browser/invoice-list.test.ts', 'returns from an invoice to the same page']],
    ['Dashboard', OPENS],
    ['Open Invoices', OPENS],
    ['Account', LOG_OUT],
    ['Log Out', LOG_OUT],
    ['Logout', [states, 'is emptied when the server cannot answer, and Customers shows the error']],
    ['Refresh Access Token', NO_CUSTOMERS],
    ['Refresh token failed try again or logout and back in.', NO_CUSTOMERS],
  ]),
  ...rows('list-limit', 'constant', { shownBy: 'its test' }, [['10, 20, 30, 40 or 50 rows', SIZES]]),
  ...rows('cut-limit', 'constant', { shownBy: 'its test' }, [
    ['50 characters', [list, 'is cut after 50 characters and opened by the mouse that stays over it']],
  ]),
  ...rows('chunk-limit', 'constant', { shownBy: 'its test' }, [
    [
      '120 seconds for the code of a screen',
      ['site/islands/ui/routing/lazy-screen.test.ts', 'is waited for 120 seconds and not a moment longer'],
    ],
  ]),
];
