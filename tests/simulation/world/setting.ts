import { testSettings } from '#tests/support/unit/settings';
import type { GatewaySetUp } from '../gateway/truth.ts';

/** Fixed setup of every run before its first event: one account, two terminals, eight invoices. */

export const START = Date.UTC(2026, 2, 4, 15, 0, 0);
export const ACCOUNT = 7;
/** Its number in the directory. */
export const CLINIC = 1;

const GATEWAY = 'https://gateway.example';
const CRM = 'https://crm.example';
const MAIL = 'https://mail.example';

export const settings = {
  ...testSettings(GATEWAY),
  HUBSPOT_API_BASE: CRM,
  HUBSPOT_AUTHORIZE_BASE: CRM,
  MAIL_API_BASE: MAIL,
};

export const crmApp = {
  baseUrl: CRM,
  clientId: settings.HUBSPOT_CLIENT_ID,
  clientSecret: settings.HUBSPOT_CLIENT_SECRET,
};
export const mailService = { baseUrl: MAIL, apiKey: settings.MAIL_API_KEY };

export const WEB = 'T-WEB';
export const DESK = 'T-DESK';
export const WEBHOOK_PATH = `/api/webhooks/transactions/${settings.TRANSACTION_WEBHOOK_SECRET}`;

export const gatewaySetUp: GatewaySetUp = {
  baseUrl: GATEWAY,
  merchants: [
    {
      merchantId: '6588000000012345',
      name: 'Maple Street Dental',
      webhookUrl: `${settings.APP_URL}${WEBHOOK_PATH}`,
      terminals: [
        { terminalId: WEB, name: 'Web', apiKey: 'a'.repeat(32), publicKey: '307a1', commerceType: 'ECOMMERCE' },
        { terminalId: DESK, name: 'Front desk', apiKey: 'b'.repeat(32), publicKey: '', commerceType: 'RETAIL' },
      ],
    },
  ],
};

/** The terminal with which the provider replaces the web terminal. */
export const SPARE = {
  terminalId: 'T-WEB-2',
  name: 'Web 2',
  apiKey: 'c'.repeat(32),
  publicKey: '307a2',
  commerceType: 'ECOMMERCE' as const,
};

export type Bill = { invoiceId: string; number: string; balance: string; email: string };

/** The third bill has the number and amount of the first: the gateway's duplicate check must keep them apart. */
export const bills: Bill[] = [
  { invoiceId: '501', number: 'INV-501', balance: '120.00', email: 'ana@payer.example' },
  { invoiceId: '502', number: 'INV-502', balance: '75.50', email: 'ben@payer.example' },
  { invoiceId: '503', number: 'INV-501', balance: '120.00', email: 'cleo@payer.example' },
  // A payer without an address gets no receipt.
  { invoiceId: '504', number: 'INV-504', balance: '9.99', email: '' },
  // Still open after a prologue has used the others.
  { invoiceId: '505', number: 'INV-505', balance: '64.00', email: 'dan@payer.example' },
  { invoiceId: '506', number: 'INV-506', balance: '31.20', email: 'eva@payer.example' },
  { invoiceId: '507', number: 'INV-507', balance: '250.00', email: 'finn@payer.example' },
  { invoiceId: '508', number: 'INV-508', balance: '18.75', email: 'gus@payer.example' },
];

/** The first user of the account, and therefore its administrator. */
export const staff = { crmUserId: 11, email: 'desk@clinic.example' };
