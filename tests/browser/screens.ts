import type { Page } from 'playwright-core';
import type { DESKTOP, Theme, useBrowser } from '#tests/support/browser/browser';
import type { Translation } from '#tests/support/browser/translator';
import type { useProduct } from '#tests/support/product/product';
import { serveAnalytics } from '#tests/support/servers/analytics-server';
import { serveCustomer } from '#tests/support/servers/customer-server';
import { serveTakings, takingsOf } from '#tests/support/servers/takings-server';
import { large, serveToday } from '#tests/support/servers/today-server';
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

/** The main pages of each area, by the name under which a finding is told. */
export function useScreens(
  product: ReturnType<typeof useProduct>,
  newPage: ReturnType<typeof useBrowser>,
): Record<string, Open> {
  const merchantPage = useMerchant(newPage, product.appUrl);
  const { adminPage, paidInvoice } = useColleagues(product, newPage);
  const writers = useWriters(product);
  const { writing } = useWriter(newPage, writers);
  /** An address that is there once the locator of its heading is. */
  const at =
    (path: string, ready: RegExp | string, as: (options: Options) => Promise<Page> = newPage): Open =>
    async (options) => {
      const page = await as(options);
      await page.goto(`${product.appUrl}${path}`);
      await page.getByRole('heading', { name: ready }).first().waitFor();
      await page.waitForLoadState('networkidle');
      return page;
    };
  const staff = (path: string, ready: RegExp | string) => at(path, ready, merchantPage);
  /** With answers of the test's own in place of the Worker's. */
  const served = (path: string, ready: RegExp | string, serve: (page: Page) => Promise<unknown>) =>
    at(path, ready, async (options) => {
      const page = await merchantPage(options);
      await serve(page);
      return page;
    });
  /** A person's dialog over the screen beneath it. */
  const over = (screen: Open, open: (page: Page) => Promise<void>): Open => {
    return async (options) => {
      const page = await screen(options);
      await open(page);
      await page.getByRole('dialog').last().waitFor();
      await page.waitForLoadState('networkidle');
      return page;
    };
  };
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

  /** The dialog that asks for a proof of identity before money goes back. */
  const stepUp = (ways: Parameters<typeof askForProof>[1]): Open => {
    return async (options) => {
      const { invoiceId } = await paidInvoice();
      const screen = served(`/invoice/${invoiceId}`, /./, (page) => askForProof(page, ways));
      const asked = over(screen, async (page) => {
        await press(page, 'Void or refund');
        await page.getByLabel('Reason').fill('Billed twice');
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Void \$/ })
          .click();
        await page.getByRole('dialog', { name: 'Is it still you?' }).waitFor();
      });
      return asked({ ...options, expected: /status of 403/ });
    };
  };
  const operatorPage = useOperators(product).operatorPage(newPage);
  const operating = (path: string, ready: RegExp | string) => at(`/operator${path}`, ready, operatorPage);
  const cms = (path: string, ready: RegExp | string) => at(path, ready, writing);

  return {
    'pay page': async (options) => {
      const page = await payerPage(newPage, options);
      await openForm(page, (await product.makeLink()).address);
      return page;
    },
    receipt: async (options) => {
      const { payId } = await product.makeLink();
      const paid = (await (await product.pay(payId, await product.form())).json()) as { receiptUrl?: string };
      return at(paid.receiptUrl ?? '', /./)(options);
    },
    'no such link': (options) => at('/make/payment/nothing-of-ours', /./)({ ...options, expected: /status of 404/ }),
    login: at('/login', /./),
    'login by a code': async (options) => {
      const page = await at('/login', /./)({ ...options, expected: /status of 401/ });
      await press(page, 'Email me a code');
      await page.getByLabel('Email', { exact: true }).fill('nobody@clinic.example');
      await press(page, 'Email me a code');
      await page.getByLabel('Code', { exact: true }).fill('00000000');
      await press(page, 'Log in');
      await page.getByText('This code is wrong or has expired.').waitFor();
      return page;
    },
    join: async (options) => {
      // Another file's test may have made the shared session too old to invite anybody.
      const link = await invite(product, await adminPage(), newPerson('Ana'), 'Front desk');
      return at(new URL(link).pathname, /^Join/)(options);
    },
    'an invitation that has ended': (options) =>
      at('/join/nothing-of-ours', 'This invitation has ended')({ ...options, expected: /status of 4/ }),
    dashboard: staff('/', 'Batches Dashboard'),
    'open invoices': staff('/openInvoices', 'Open Invoices'),
    analytics: staff('/analytics', 'Payment Analytics'),
    checks: staff('/checks', /./),
    'card takings': staff('/takings', 'Card takings'),
    payments: staff('/transactions/all', 'Payments'),
    customers: staff('/customers', 'Customers'),
    customer: served('/customers/7', 'Owes', (page) => serveCustomer(page)),
    invoices: staff('/invoices', 'Invoices'),
    'take payment': staff('/payments', 'Take Payment'),
    'user info': staff('/userinfo', 'Sessions'),
    'first hour': async (options) => {
      const page = await served('/', 'Your first hour', (one) => serveFirstHour(one, product.appUrl))(options);
      await page.getByRole('link', { name: 'Invite staff' }).waitFor();
      return page;
    },
    team: staff('/account/team', 'Members'),
    'change of a role': over(staff('/account/team', 'Members'), (page) => press(page, /^Change role of grace/)),
    'passkeys and PIN': served('/userinfo', 'Passkeys and PIN', serveFactors),
    'a new PIN': over(served('/userinfo', 'Passkeys and PIN', serveFactors), (page) => press(page, 'Change PIN')),
    approvals: served('/account/approvals', 'Waiting', serveApprovals),
    'payments settings': staff('/account/payments', 'Partial payments'),
    'payments missing in the CRM': served('/account/payments', 'Paid here, not in HubSpot', serveWriteBack),
    records: staff('/account/records', 'Close the account'),
    'records in the making, account closing': served('/account/records', 'Download everything', (page) =>
      serveRecords(page, 'making'),
    ),
    'records to download': served('/account/records', 'Download everything', (page) => serveRecords(page, 'ready')),
    help: staff('/help', 'Help'),
    'switch of the person': over(served('/customers', 'Customers', servePeople), async (page) => {
      await press(page, /^Account, /);
      await press(page, 'Switch person');
    }),
    palette: over(staff('/customers', 'Customers'), (page) => press(page, 'Search or jump to')),
    'step-up by PIN': stepUp(['pin', 'passkey']),
    'step-up by a new login': stepUp(['login', 'admin']),
    'audit trail': staff('/audit', /./),
    home: at('/', 'Secure Payment Solutions for Modern Business'),
    demo: at('/demo', /./),
    proof: at('/proof', /./),
    claims: at('/claims', /./),
    blog: at('/blog', /./),
    post: at('/blog/why-patients-pay-late', /Why patients pay late/),
    page: at('/pages/accessibility', 'Accessibility'),
    terms: at('/terms', 'Terms of Service'),
    'content login': at('/cms/login', /./),
    'content dashboard': cms('/cms', 'Dashboard'),
    posts: cms('/cms/posts', 'Posts'),
    // A page that was never saved has no draft.
    editor: (options) => cms('/cms/pages/new', /./)({ ...options, expected: /status of 404/ }),
    media: cms('/cms/media', 'Media'),
    'content account': cms('/cms/account', 'Passkeys'),
    'operator login': (options) => at('/operator', 'Log in to operate')({ ...options, expected: /status of 401/ }),
    'operator overview': operating('', 'Alerts'),
    'operator clinics': operating('/clinics', 'Clinics'),
    'operator clinic': operating('/clinics/1', 'Contact'),
    'operator health': operating('/health', 'Checks'),
    'operator mails': operating('/mails', 'Sent'),
    'operator builds': operating('/builds', 'Newest builds'),
    runbook: operating('/runbook', 'Alerts'),
    'section of the runbook': operating('/runbook?event=payment-needs-a-person', /A payment waits/),
    restore: operating('/restore', 'Restore'),
    'restore of a clinic': operating('/restore?clinic=1', 'Choose a dump'),
    operators: operating('/operators', 'Let another operator in'),
    'a large clinic’s dashboard': served('/', 'Latest payments', (page) => serveToday(page, large())),
    'a large clinic’s takings': served('/takings', 'Card takings', (page) =>
      serveTakings(page, { terminals: 8, takings: takingsOf(6) }),
    ),
    'a large clinic’s analytics': served('/analytics', 'Payment Methods', serveAnalytics),
  };
}
