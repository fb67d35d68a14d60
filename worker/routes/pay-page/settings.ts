import { PayerLanguageBody } from '#shared/contracts/payments/payment-request';
import {
  ApplePaySetting,
  PayerLanguageSetting,
  SwitchBody,
  SwitchSetting,
} from '#shared/contracts/staff/account-settings';
import type { PayPageSwitch } from '#worker/data/merchants/pay-page-settings';
import { setApplePay, viewApplePay } from '#worker/domain/pay-page/apple-pay';
import { setPayerLanguage, setSwitch, viewPayerLanguage, viewSwitch } from '#worker/domain/pay-page/settings';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

const showSwitch = (name: PayPageSwitch, summary: string) =>
  route({
    access: 'staff: oversee',
    summary,
    answers: { 200: SwitchSetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewSwitch(deps, you, name)),
  });

const changeSwitch = (name: PayPageSwitch, summary: string) =>
  route({
    access: 'staff: configure',
    summary,
    body: SwitchBody,
    answers: { 200: SwitchSetting },
    handle: async ({ c, deps, merchant: you, body }) => c.json(await setSwitch(deps, you, name, body.is_on)),
  });

/** Routes for the switches that change an account's pay pages. */
export const payPageSwitchRoutes: Routes = {
  'GET /api/apple-pay': route({
    access: 'staff: oversee',
    summary: 'Show whether payers may pay with Apple Pay',
    answers: { 200: ApplePaySetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewApplePay(deps, you)),
  }),
  'PUT /api/apple-pay': route({
    access: 'staff: configure',
    summary: 'Set whether payers may pay with Apple Pay',
    body: SwitchBody,
    answers: { 200: ApplePaySetting },
    handle: async ({ c, deps, merchant: you, body }) => c.json(await setApplePay(deps, you, body.is_on)),
  }),
  'GET /api/bank-payments': showSwitch('bank-payments', 'Show whether payers may pay from a bank account'),
  'PUT /api/bank-payments': changeSwitch('bank-payments', 'Set whether payers may pay from a bank account'),
  'GET /api/google-pay': showSwitch('google-pay', 'Show whether payers may pay with Google Pay'),
  'PUT /api/google-pay': changeSwitch('google-pay', 'Set whether payers may pay with Google Pay'),
  'GET /api/bill-lines': showSwitch('bill-lines', 'Show whether payers see line items'),
  'PUT /api/bill-lines': changeSwitch('bill-lines', 'Set whether payers see line items'),
};

/** Routes for the default language of payers. */
export const payerLanguageRoutes: Routes = {
  'GET /api/payer-language': route({
    access: 'staff: oversee',
    summary: 'Show the default language for payers',
    answers: { 200: PayerLanguageSetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewPayerLanguage(deps, you)),
  }),
  'PUT /api/payer-language': route({
    access: 'staff: configure',
    summary: 'Set the default language for payers',
    body: PayerLanguageBody,
    answers: { 200: PayerLanguageSetting },
    handle: putPayerLanguage,
  }),
};

async function putPayerLanguage({
  c,
  deps,
  merchant: you,
  body,
}: StaffRequest<typeof PayerLanguageBody>): Promise<Response> {
  return c.json(await setPayerLanguage(deps, you, body.language));
}
