import type { Page } from 'playwright-core';
import type { DESKTOP, Theme, useBrowser } from '#tests/support/browser/browser';
import type { Translation } from '#tests/support/browser/translator';
import type { useProduct } from '#tests/support/product/product';
import { serveAnalytics } from '#tests/support/servers/analytics-server';
import { serveCustomer } from '#tests/support/servers/customer-server';
import { serveTakings, takingsOf } from '#tests/support/servers/takings-server';
import { largeToday, serveToday } from '#tests/support/servers/today-server';
import { useColleagues } from './colleagues.ts';
import { useMerchant } from './merchant.ts';
import { useOperators } from './operators.ts';
import { openForm, payerPage } from './payer.ts';
import { invite, newPerson } from './staff.ts';
import {
  askForProof,
  serveApprovals,
  serveFactors,
  serveFirstHour,
  servePeople,
  serveRecords,
  serveWriteBack,
} from './staff-screens.ts';
import { useWriter, useWriters } from './writer.ts';

type Options = { theme?: Theme; viewport?: typeof DESKTOP; expected?: RegExp; translates?: Translation };
type Open = (options: Options) => Promise<Page>;

/** The main pages of each area, by the name that appears in findings. */
export function useScreens(
  product: ReturnType<typeof useProduct>,
  newPage: ReturnType<typeof useBrowser>,
): Record<string, Open> {
  const merchantPage = useMerchant(newPage, product.appUrl);
  const { adminPage, paidInvoice } = useColleagues(product, newPage);
  const writers = useWriters(product);
  const { writerPage } = useWriter(newPage, writers);
  /** Opens an address and waits for its heading. */
  const screenAt =
    (path: string, ready: RegExp | string, openPage: (options: Options) => Promise<Page> = newPage): Open =>
    async (options) => {
      const page = await openPage(options);
      await page.goto(`${product.appUrl}${path}`);
      await page.getByRole('heading', { name: ready }).first().waitFor();
      await page.waitForLoadState('networkidle');
      return page;
    };
  const staffScreen = (path: string, ready: RegExp | string) => screenAt(path, ready, merchantPage);
  /** Opens a staff screen with canned responses instead of the Worker's. */
  const servedScreen = (path: string, ready: RegExp | string, serve: (page: Page) => Promise<unknown>) =>
    screenAt(path, ready, async (options) => {
      const page = await merchantPage(options);
      await serve(page);
      return page;
    });
  /** Opens a dialog on top of a screen. */
  const withDialog = (screen: Open, open: (page: Page) => Promise<void>): Open => {
    return async (options) => {
      const page = await screen(options);
      await open(page);
      await page.getByRole('dialog').last().waitFor();
      await page.waitForLoadState('networkidle');
      return page;
    };
  };
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

  /** Opens the dialog that asks for a proof of identity before a void or refund. */
  const stepUp = (ways: Parameters<typeof askForProof>[1]): Open => {
    return async (options) => {
      const { invoiceId } = await paidInvoice();
      const screen = servedScreen(`/invoice/${invoiceId}`, /./, (page) => askForProof(page, ways));
      const proofDialog = withDialog(screen, async (page) => {
        await press(page, 'Void or refund');
        await page.getByLabel('Reason').fill('Billed twice');
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Void \$/ })
          .click();
        await page.getByRole('dialog', { name: 'Is it still you?' }).waitFor();
      });
      return proofDialog({ ...options, expected: /status of 403/ });
    };
  };
  const operatorPage = useOperators(product).operatorPage(newPage);
  const operatorScreen = (path: string, ready: RegExp | string) => screenAt(`/operator${path}`, ready, operatorPage);
  const contentScreen = (path: string, ready: RegExp | string) => screenAt(path, ready, writerPage);

  return {
    'pay page': async (options) => {
      const page = await payerPage(newPage, options);
      await openForm(page, (await product.makeLink()).address);
      return page;
    },
    receipt: async (options) => {
      const { payId } = await product.makeLink();
      const payment = (await (await product.pay(payId, await product.form())).json()) as { receiptUrl?: string };
      return screenAt(payment.receiptUrl ?? '', /./)(options);
    },
    'no such link': (options) =>
      screenAt('/make/payment/nothing-of-ours', /./)({ ...options, expected: /status of 404/ }),
    login: screenAt('/login', /./),
    'login by a code': async (options) => {
      const page = await screenAt('/login', /./)({ ...options, expected: /status of 401/ });
      await press(page, 'Email me a code');
      await page.getByLabel('Email', { exact: true }).fill('nobody@clinic.example');
      await press(page, 'Email me a code');
      await page.getByLabel('Code', { exact: true }).fill('00000000');
      await press(page, 'Log in');
      await page.getByText('This code is wrong or has expired.').waitFor();
      return page;
    },
    join: async (options) => {
      // A test of another file may have made the shared session too old for invitations.
      const link = await invite(product, await adminPage(), newPerson('Ana'), 'Front desk');
      return screenAt(new URL(link).pathname, /^Join/)(options);
    },
    'an invitation that has ended': (options) =>
      screenAt('/join/nothing-of-ours', 'This invitation has ended')({ ...options, expected: /status of 4/ }),
    dashboard: staffScreen('/', 'Batches Dashboard'),
    'open invoices': staffScreen('/openInvoices', 'Open Invoices'),
    analytics: staffScreen('/analytics', 'Payment Analytics'),
    checks: staffScreen('/checks', /./),
    'card takings': staffScreen('/takings', 'Card takings'),
    payments: staffScreen('/transactions/all', 'Payments'),
    customers: staffScreen('/customers', 'Customers'),
    customer: servedScreen('/customers/7', 'Owes', (page) => serveCustomer(page)),
    invoices: staffScreen('/invoices', 'Invoices'),
    'take payment': staffScreen('/payments', 'Take Payment'),
    'user info': staffScreen('/userinfo', 'Sessions'),
    'first hour': async (options) => {
      const page = await servedScreen('/', 'Your first hour', (tab) => serveFirstHour(tab, product.appUrl))(options);
      await page.getByRole('link', { name: 'Invite staff' }).waitFor();
      return page;
    },
    team: staffScreen('/account/team', 'Members'),
    'change of a role': withDialog(staffScreen('/account/team', 'Members'), (page) =>
      press(page, /^Change role of grace/),
    ),
    'passkeys and PIN': servedScreen('/userinfo', 'Passkeys and PIN', serveFactors),
    'a new PIN': withDialog(servedScreen('/userinfo', 'Passkeys and PIN', serveFactors), (page) =>
      press(page, 'Change PIN'),
    ),
    approvals: servedScreen('/account/approvals', 'Waiting', serveApprovals),
    'payments settings': staffScreen('/account/payments', 'Partial payments'),
    'payments missing in the CRM': servedScreen('/account/payments', 'Paid here, not in HubSpot', serveWriteBack),
    records: staffScreen('/account/records', 'Close the account'),
    'records being prepared, account closing': servedScreen('/account/records', 'Download everything', (page) =>
      serveRecords(page, 'making'),
    ),
    'records to download': servedScreen('/account/records', 'Download everything', (page) =>
      serveRecords(page, 'ready'),
    ),
    help: staffScreen('/help', 'Help'),
    'switch of the person': withDialog(servedScreen('/customers', 'Customers', servePeople), async (page) => {
      await press(page, /^Account, /);
      await press(page, 'Switch person');
    }),
    palette: withDialog(staffScreen('/customers', 'Customers'), (page) => press(page, 'Search or jump to')),
    'step-up by PIN': stepUp(['pin', 'passkey']),
    'step-up by a new login': stepUp(['login', 'admin']),
    'audit trail': staffScreen('/audit', /./),
    home: screenAt('/', 'Secure Payment Solutions for Modern Business'),
    demo: screenAt('/demo', /./),
    proof: screenAt('/proof', /./),
    claims: screenAt('/claims', /./),
    blog: screenAt('/blog', /./),
    post: screenAt('/blog/why-patients-pay-late', /Why patients pay late/),
    page: screenAt('/pages/accessibility', 'Accessibility'),
    terms: screenAt('/terms', 'Terms of Service'),
    'content login': screenAt('/cms/login', /./),
    'content dashboard': contentScreen('/cms', 'Dashboard'),
    posts: contentScreen('/cms/posts', 'Posts'),
    // A page that was never saved has no draft.
    editor: (options) => contentScreen('/cms/pages/new', /./)({ ...options, expected: /status of 404/ }),
    media: contentScreen('/cms/media', 'Media'),
    'content account': contentScreen('/cms/account', 'Passkeys'),
    'operator login': (options) =>
      screenAt('/operator', 'Log in to operate')({ ...options, expected: /status of 401/ }),
    'operator overview': operatorScreen('', 'Alerts'),
    'operator clinics': operatorScreen('/clinics', 'Clinics'),
    'operator clinic': operatorScreen('/clinics/1', 'Contact'),
    'operator health': operatorScreen('/health', 'Checks'),
    'operator mails': operatorScreen('/mails', 'Sent'),
    'operator builds': operatorScreen('/builds', 'Newest builds'),
    runbook: operatorScreen('/runbook', 'Alerts'),
    'section of the runbook': operatorScreen('/runbook?event=payment-needs-a-person', /A payment is waiting/),
    'operator audit trail': operatorScreen('/audit', 'Newest seal'),
    restore: operatorScreen('/restore', 'Restore'),
    'restore of a clinic': operatorScreen('/restore?clinic=1', 'Choose a dump'),
    operators: operatorScreen('/operators', 'Let another operator in'),
    'a large clinic’s dashboard': servedScreen('/', 'Latest payments', (page) => serveToday(page, largeToday())),
    'a large clinic’s takings': servedScreen('/takings', 'Card takings', (page) =>
      serveTakings(page, { terminals: 8, takings: takingsOf(6) }),
    ),
    'a large clinic’s analytics': servedScreen('/analytics', 'Payment Methods', serveAnalytics),
  };
}
