import { ceilings } from '#tests/ceilings';
import { dollarsOf } from './bill.ts';

/** A quiet clinic's month, from the simulated day of a thousand clinics (the sources are in docs/scale.md). */
const CLINIC = { turns: 7891, rowsOfTurn: 15, directoryRows: 3385, turnSeconds: 1, calls: 5286, gigabytes: 0.0008 };
/** Indexes add about a tenth to the rows that the runtime counts. */
const INDEXES = 1.1;
const OBJECT_GB = 0.128;
/** Cron runs in a month, one a minute. */
const CRONS = 43_200;
/** Requests of one payment, as measured at full size. Its turns send the mails and settle the payment. */
const ROUTES = [
  'POST /api/invoices/sendPaymentLink/:id',
  'GET /make/payment/:payId',
  'POST /api/invoices/:payId/opened',
  'POST /api/invoices/takePaymentSDK/:payId',
];
const TURNS_OF_PAYMENT = 3;
/** Time that a payment keeps the object awake while vendors respond. */
const PAYMENT_SECONDS = 4;

/** Monthly platform bill in dollars for `clinics` clinics with `payments` payments in total. */
export function monthOf(clinics: number, payments: number): number {
  const rowsOfPayment = ROUTES.reduce(
    (sum, route) => sum + (ceilings[route]?.[2] ?? 0),
    TURNS_OF_PAYMENT * CLINIC.rowsOfTurn,
  );
  const turns = clinics * CLINIC.turns + payments * TURNS_OF_PAYMENT;
  const lines = dollarsOf({
    rows: (clinics * CLINIC.turns * CLINIC.rowsOfTurn + payments * rowsOfPayment) * INDEXES,
    d1Rows: clinics * CLINIC.directoryRows * INDEXES,
    calls: turns + clinics * CLINIC.calls + payments * ROUTES.length * 4,
    gigabyteSeconds: (clinics * CLINIC.turns * CLINIC.turnSeconds + payments * PAYMENT_SECONDS) * OBJECT_GB,
    gigabytes: clinics * CLINIC.gigabytes,
    requests: CRONS + clinics * CLINIC.calls + payments * ROUTES.length,
  });
  return Math.round(Object.values(lines).reduce((sum, amount) => sum + amount, 0));
}

export const CLINICS = [1, 100, 10_000];
export const PAYMENTS = [10, 1000, 100_000];

/** The table of docs/scale.md. */
export const monthTable = (): string =>
  PAYMENTS.map((payments) => {
    const cells = CLINICS.map((clinics) => `$${monthOf(clinics, payments).toLocaleString('en-US')}`);
    return `| ${payments.toLocaleString('en-US')} | ${cells.join(' | ')} |`;
  }).join('\n');
