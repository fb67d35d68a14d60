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

const showSwitchRoute = (name: PayPageSwitch, summary: string) =>
  route({
    access: 'staff: oversee',
    summary,
    answers: { 200: SwitchSetting },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewSwitch(deps, caller, name)),
  });

const changeSwitchRoute = (name: PayPageSwitch, summary: string) =>
  route({
    access: 'staff: configure',
    summary,
    body: SwitchBody,
    answers: { 200: SwitchSetting },
    handle: async ({ c, deps, merchant: caller, body }) => c.json(await setSwitch(deps, caller, name, body.is_on)),
  });

/** Routes for the switches that change an account's pay pages. */
export const payPageSwitchRoutes: Routes = {
  'GET /api/apple-pay': route({
    access: 'staff: oversee',
    summary: 'Show whether payers may pay with Apple Pay',
    answers: { 200: ApplePaySetting },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewApplePay(deps, caller)),
  }),
  'PUT /api/apple-pay': route({
    access: 'staff: configure',
    summary: 'Set whether payers may pay with Apple Pay',
    body: SwitchBody,
    answers: { 200: ApplePaySetting },
    handle: async ({ c, deps, merchant: caller, body }) => c.json(await setApplePay(deps, caller, body.is_on)),
  }),
  'GET /api/bank-payments': showSwitchRoute('bank-payments', 'Show whether payers may pay from a bank account'),
  'PUT /api/bank-payments': changeSwitchRoute('bank-payments', 'Set whether payers may pay from a bank account'),
  'GET /api/google-pay': showSwitchRoute('google-pay', 'Show whether payers may pay with Google Pay'),
  'PUT /api/google-pay': changeSwitchRoute('google-pay', 'Set whether payers may pay with Google Pay'),
  'GET /api/bill-lines': showSwitchRoute('bill-lines', 'Show whether payers see line items'),
  'PUT /api/bill-lines': changeSwitchRoute('bill-lines', 'Set whether payers see line items'),
};

/** Routes for the default language of payers. */
export const payerLanguageRoutes: Routes = {
  'GET /api/payer-language': route({
    access: 'staff: oversee',
    summary: 'Show the default language for payers',
    answers: { 200: PayerLanguageSetting },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewPayerLanguage(deps, caller)),
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
  merchant: caller,
  body,
}: StaffRequest<typeof PayerLanguageBody>): Promise<Response> {
  return c.json(await setPayerLanguage(deps, caller, body.language));
}
