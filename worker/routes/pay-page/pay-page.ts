import type { GooglePayOptions } from '#shared/contracts/payment';
import { operator } from '#shared/operator';
import { payPath, receiptPath } from '#shared/paths';
import { scriptJson } from '#shared/text/escape';
import { billRows, payPageFill } from '#shared/text/pay-page-fill';
import { GOOGLE_PAY_ORIGIN, paymentOrigins } from '#shared/wallet-origins';
import { wordsIn } from '#shared/words/bilingual';
import { billWords } from '#shared/words/bill-and-receipt-words';
import { dayIn, moneyIn } from '#shared/words/formats';
import type { Language } from '#shared/words/language';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { isCrmId } from '#worker/domain/invoices/merchant-invoice';
import { readReceipt, readReceiptSignature } from '#worker/domain/mail/receipt';
import type { LinkOutcome } from '#worker/domain/pay-links/merchant-pay-link';
import { findMerchantPayLink } from '#worker/domain/pay-links/merchant-pay-link';
import { type LinkView, viewLink } from '#worker/domain/pay-page/view-payable';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { isPaused } from '#worker/domain/payments/pause';
import { withStaffActor } from '#worker/http/actor-deps';
import { sessionOf } from '#worker/http/guards/browser-session';
import { keepLanguage, languageOf, otherPages, STATE_SHELL, shellPathOf } from '#worker/http/read/browser';
import { showOrErrorPage } from '#worker/http/reply/errors';
import { sendFilledPage } from '#worker/http/reply/page-template';
import { permissionsPolicy } from '#worker/http/reply/permissions-policy';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, htmlPage, noBody, type PublicRequest, png, type Routes, route } from '#worker/http/routes';

const PAY_PAGE_SHELL = '/make/payment/shell';
const RECEIPT_SHELL = '/receipt-shell';

/** Routes for the payer's pages, which the Worker fills so that they display without further calls or scripts. */
export const payPageRoutes: Routes = {
  'GET /make/payment/:payId': route({
    access: 'holder of a pay link',
    summary: 'Open the payment page of an invoice',
    answers: { 200: htmlPage, 302: noBody, 404: htmlPage, 410: htmlPage, 503: htmlPage },
    handle: ({ c, deps }) => showOrStatePage(c, () => getPayPage(c, deps)),
  }),
  'GET /make/payment/*': route({
    access: 'anyone',
    summary: 'Show the not-found page for an unknown payment link',
    answers: { 404: htmlPage },
    handle: ({ c }) => sendStatePage(c, 'unknown', 404, supportContact()),
  }),
  'GET /receipt/:receiptId': route({
    access: 'holder of a receipt link',
    summary: 'Open a receipt',
    answers: { 200: htmlPage, 404: htmlPage, 503: htmlPage },
    handle: ({ c, deps }) => showOrStatePage(c, () => getReceipt(c, deps)),
  }),
  'GET /receipt/:receiptId/signature.png': route({
    access: 'holder of a receipt link',
    summary: 'Show the signature on a receipt',
    answers: { 200: png, 404: htmlPage },
    handle: getReceiptSignature,
  }),
};

/** On failure, sends a page that states nothing about the payment, which may have succeeded. */
const showOrStatePage = (c: C, show: () => Promise<Response>) =>
  showOrErrorPage(c, show, (status) =>
    sendStatePage(c, status === 404 ? 'unknown' : 'failed', status, supportContact()),
  );

async function getPayPage(c: C, requestDeps: Deps): Promise<Response> {
  const payId = c.req.param('payId') ?? '';
  if (isCrmId(payId)) return redirectToPayPage(c, requestDeps, payId);
  const deps = depsOfCapability(requestDeps, payId);
  const link = deps && (await viewLink(deps, payId));
  if (!link || link.kind === 'not-found') return sendStatePage(c, 'unknown', 404, supportContact());
  if (link.kind === 'ended' || link.kind === 'revoked')
    return sendStatePage(c, link.kind, 410, {
      ...supportContact(),
      business: link.business,
      account: link.payerLanguage,
    });
  if (link.dueCheck) runToCompletion(c, inquirePaymentStatus(deps, link.dueCheck));
  if (link.kind === 'ready' || link.kind === 'pending') return sendFormPage(c, deps, link);
  return sendStateOf(c, link);
}

/** Redirects a merchant from the CRM's invoice id to the pay page. Everyone else gets the page for an unknown id. */
async function redirectToPayPage(c: C, deps: Deps, invoiceId: string): Promise<Response> {
  const merchant = await sessionOf(c, deps);
  let outcome: LinkOutcome = { kind: 'not-found' };
  if (merchant) {
    // Payers never reach this branch.
    outcome = await findMerchantPayLink(await withStaffActor(c, deps, merchant), merchant, invoiceId);
  }
  switch (outcome.kind) {
    case 'link':
      return c.redirect(keepLanguage(c, payPath(outcome.link.payId)), 302);
    case 'not-found':
    case 'not-payable-online':
      return sendStatePage(c, 'unknown', 404, supportContact());
    case 'crm-unavailable':
      return sendStatePage(c, 'unavailable', 503, supportContact());
  }
}

type OpenView = Extract<LinkView, { view: unknown }>;

function sendFormPage(c: C, deps: Deps, { view, payerLanguage }: OpenView): Promise<Response> {
  const language = languageOf(c, payerLanguage);
  return sendFilledPage(
    c,
    shellPathOf(PAY_PAGE_SHELL, language),
    {
      texts: {
        ...textsOf(view, language),
        wallet: view.applePay || view.googlePay ? '' : null,
        googlePay: view.googlePay ? '' : null,
      },
      lists: { lines: billRows(view, language, wordsIn(billWords, language)) },
      links: { ...contactLinks(view.business), ...otherPages(c, language) },
      json: { 'pay-view': scriptJson(view.googlePay ? withGoogleButton(view, language) : view) },
    },
    // While payments are paused, a page that waits for an outcome must not load the provider's script.
    isPaused(deps) ? {} : { origins: originsOf(deps, view), headers: formHeaders(deps, view) },
  );
}

/**
 * The origins that the form needs: that of the card provider, and that of Google only if the business accepts Google
 * Pay.
 */
const originsOf = ({ gateway }: Deps, { googlePay }: OpenView['view']): string[] => [
  gateway.browser.origin,
  ...(googlePay ? [GOOGLE_PAY_ORIGIN] : []),
];

/**
 * Preloads the provider's script, which the form always requires, before the browser has parsed the page. The page may
 * open a wallet's sheet only if it offers that wallet, and so may the provider's frame.
 */
const formHeaders = ({ gateway }: Deps, view: OpenView['view']): Record<string, string> => ({
  ...(view.state === 'ready' && { link: `<${view.sdk.scriptUrl}>; rel=preload; as=script` }),
  'permissions-policy': permissionsPolicy(paymentOrigins(gateway.browser.origin, view)),
});

/** Adds the options with which the provider's script draws Google's button, for the amount that the form proposes. */
function withGoogleButton(view: OpenView['view'], language: Language): OpenView['view'] {
  const amount = view.parts?.only ?? view.invoice.amountDue ?? '';
  const googlePay: GooglePayOptions = {
    enableGooglePay: true,
    googlePayRequest: { total: { label: view.business.name, amount, type: 'final' } },
    googlePayButtonConfig: {
      buttonColor: 'default',
      buttonType: 'pay',
      buttonSizeMode: 'fill',
      buttonLocale: language,
    },
  };
  return { ...view, sdk: { ...view.sdk, googlePay } };
}

const textsOf = (view: OpenView['view'], language: Language) =>
  payPageFill(view, language, wordsIn(billWords, language));

/** Sends the unfilled page with the form, even while payments are paused, for comparison by the tamper monitor. */
export const sendEmptyPayPage = (c: C, { gateway }: Deps): Promise<Response> =>
  sendFilledPage(c, shellPathOf(PAY_PAGE_SHELL, languageOf(c)), { texts: {} }, { origins: [gateway.browser.origin] });

const PAGE_STATES: Record<Exclude<OpenView['kind'], 'ready' | 'pending'>, { state: string; status: number }> = {
  paid: { state: 'paid', status: 200 },
  submitted: { state: 'submitted', status: 200 },
  desk: { state: 'desk', status: 200 },
  unavailable: { state: 'unavailable', status: 503 },
  paused: { state: 'paused', status: 503 },
  closing: { state: 'closing', status: 503 },
  'no-terminal': { state: 'closed', status: 503 },
  'catching-up': { state: 'closed', status: 503 },
  released: { state: 'released', status: 200 },
  changed: { state: 'changed', status: 200 },
  'nothing-to-pay': { state: 'nothing', status: 200 },
  'amount-unreadable': { state: 'unreadable', status: 200 },
  'not-payable-online': { state: 'offline-only', status: 200 },
};

/** States with a receipt: the money was taken or is pending. A reversed payment keeps its invoice closed. */
const RECEIPT_STATES: Attempt['state'][] = ['approved', 'pending', 'voided', 'refunded', 'returned'];

function sendStateOf(c: C, openView: OpenView): Promise<Response> {
  const { latest, view, invoice, payerLanguage } = openView;
  const language = languageOf(c, payerLanguage);
  const isRefunded = openView.kind === 'not-payable-online' && invoiceBalance(invoice).isReopenable;
  const { state, status } = isRefunded
    ? { state: invoice.localStatus, status: 200 }
    : PAGE_STATES[openView.kind as keyof typeof PAGE_STATES];
  const receiptAttempt = latest && RECEIPT_STATES.includes(latest.state) ? latest : undefined;
  // Payers must not see drafts and voided invoices, so the page shows only the business.
  const texts = openView.kind === 'not-payable-online' && !isRefunded ? {} : textsOf(view, language);
  return sendStatePage(c, state, status, {
    business: view.business,
    texts: { ...texts, ...(receiptAttempt && paymentTexts(receiptAttempt, invoice, language)) },
    receipt: receiptAttempt ? receiptPath(receiptAttempt.receiptId) : null,
    account: payerLanguage,
  });
}

/**
 * Returns the amount of the payment that a state page shows, and its day in the time zone of the business. For an
 * invoice paid in parts, returns the amount of all parts and the day of the last part.
 */
function paymentTexts(attempt: Attempt, { partBaseCents, partPaidCents }: OpenView['invoice'], language: Language) {
  const { state, amountCents, currency, createdAt, settledAt, timeZone } = attempt;
  const isLastPart = state === 'approved' && partBaseCents !== null;
  // A debit that is pending or was returned has the date of the payer's act, because `settledAt` of a return is the
  // time of the return.
  const paidAt = state === 'pending' || state === 'returned' ? createdAt : (settledAt ?? createdAt);
  return {
    paymentAmount: moneyIn(language, isLastPart ? partPaidCents : amountCents, currency),
    paymentDay: dayIn(language, paidAt, timeZone),
  };
}

type StateFill = {
  business: { name: string; phone: string; email: string };
  texts?: Record<string, string | null>;
  receipt?: string | null;
  /** The payer language set by the business. */
  account?: string;
};

const supportContact = (): StateFill => ({
  business: { name: '', phone: operator.supportPhone, email: operator.supportEmail },
});

const NO_DETAILS = { number: null, customer: null, company: null, paymentAmount: null, paymentDay: null };

function sendStatePage(c: C, state: string, status: number, { business, texts = {}, receipt, account }: StateFill) {
  const language = languageOf(c, account);
  return sendFilledPage(
    c,
    shellPathOf(STATE_SHELL, language),
    {
      state,
      texts: {
        ...NO_DETAILS,
        ...texts,
        number: texts.number || null,
        business: business.name || null,
        phone: business.phone || null,
        email: business.email || null,
      },
      links: {
        ...contactLinks(business),
        receipt: receipt ? keepLanguage(c, receipt) : null,
        self: keepLanguage(c, new URL(c.req.url).pathname),
        ...otherPages(c, language),
      },
    },
    // An account that is closing will not take payments later either.
    { status, ...(status === 503 && state !== 'closing' ? { headers: { 'retry-after': '30' } } : {}) },
  );
}

const contactLinks = ({ phone, email }: { phone: string; email: string }) => ({
  tel: phone ? `tel:${phone.replace(/[^\d+]/g, '')}` : null,
  mail: email ? `mailto:${email}` : null,
});

/** Prevents a line break between the dots and the last four digits of a card. */
const withoutLineBreak = (text: string): string => text.replaceAll('•••• ', '••••\u00a0');

async function getReceipt(c: C, deps: Deps): Promise<Response> {
  const receiptId = c.req.param('receiptId') ?? '';
  const clinicDeps = depsOfCapability(deps, receiptId);
  const receipt =
    clinicDeps && (await readReceipt(clinicDeps, receiptId, ({ payerLanguage }) => languageOf(c, payerLanguage)));
  if (!receipt) return sendStatePage(c, 'unknown', 404, supportContact());
  const { refunds, hasSignature, lines, language, state: _, ...texts } = receipt;
  return sendFilledPage(c, shellPathOf(RECEIPT_SHELL, language), {
    texts: {
      ...texts,
      card: texts.card && withoutLineBreak(texts.card),
      paidHow: withoutLineBreak(texts.paidHow),
      paidAmount: receipt.amount,
      signature: hasSignature ? '' : null,
      lines: lines && '',
      moreLines: lines?.more ?? null,
      billed: lines?.total ?? null,
      paidBefore: lines?.paidBefore ?? null,
    },
    lists: { refunds, lines: lines?.lines ?? [] },
    links: { self: receiptPath(receiptId), ...otherPages(c, language) },
    images: { signature: hasSignature ? `${receiptPath(receiptId)}/signature.png` : null },
  });
}

async function getReceiptSignature({ c, deps }: PublicRequest): Promise<Response> {
  const receiptId = c.req.param('receiptId') ?? '';
  const clinicDeps = depsOfCapability(deps, receiptId);
  const png = clinicDeps && (await readReceiptSignature(clinicDeps, receiptId));
  if (!png) return c.notFound();
  return c.body(png, 200, {
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cache-control': 'private, no-store',
  });
}
