import { PayerLanguageBody } from '#shared/contracts/payments/payment-request';
import { PayerLanguageSetting, SwitchBody, SwitchSetting } from '#shared/contracts/staff/account-settings';
import {
  setBankPayments,
  setBillLines,
  setPayerLanguage,
  viewBankPayments,
  viewBillLines,
  viewPayerLanguage,
} from '#worker/domain/pay-page/settings';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** The setting that shows payers the lines of their bill. */
export const billLineRoutes: Routes = {
  'GET /api/bill-lines': route({
    who: 'staff: oversee',
    summary: 'Show whether payers see line items',
    answers: { 200: SwitchSetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewBillLines(deps, you)),
  }),
  'PUT /api/bill-lines': route({
    who: 'staff: configure',
    summary: 'Set whether payers see line items',
    body: SwitchBody,
    answers: { 200: SwitchSetting },
    handle: putBillLines,
  }),
};

async function putBillLines({ c, deps, merchant: you, body }: StaffRequest<typeof SwitchBody>): Promise<Response> {
  return c.json(await setBillLines(deps, you, body.is_on));
}

/** The switch for payments from bank accounts. */
export const bankPaymentRoutes: Routes = {
  'GET /api/bank-payments': route({
    who: 'staff: oversee',
    summary: 'Show whether payers may pay from a bank account',
    answers: { 200: SwitchSetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewBankPayments(deps, you)),
  }),
  'PUT /api/bank-payments': route({
    who: 'staff: configure',
    summary: 'Set whether payers may pay from a bank account',
    body: SwitchBody,
    answers: { 200: SwitchSetting },
    handle: putBankPayments,
  }),
};

async function putBankPayments({ c, deps, merchant: you, body }: StaffRequest<typeof SwitchBody>): Promise<Response> {
  return c.json(await setBankPayments(deps, you, body.is_on));
}

/** The default language of payers. */
export const payerLanguageRoutes: Routes = {
  'GET /api/payer-language': route({
    who: 'staff: oversee',
    summary: 'Show the default language for payers',
    answers: { 200: PayerLanguageSetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewPayerLanguage(deps, you)),
  }),
  'PUT /api/payer-language': route({
    who: 'staff: configure',
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
