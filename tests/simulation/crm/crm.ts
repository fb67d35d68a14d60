import { answerSlowly, answerSoon, htmlAnswer, neverAnswer } from '../answers.ts';
import { createFaults, type FaultSpan } from '../faults.ts';
import type { VendorModel, VendorStep, VendorWorld, WireAnswer, WireRequest } from '../vendor.ts';
import { createPaymentRecords, type PaymentRecord } from './payment-records.ts';
import { expiredCredentials, internalError, noCredentials, tooManyCalls } from './problems.ts';
import { type CrmRead, createReads } from './reads.ts';
import { type CrmInvoiceRecord, type CrmInvoiceState, type CrmMoment, type NewCrmInvoice, stateOf } from './records.ts';
import { type CrmApp, createTokens, type Renewal } from './tokens.ts';

/** Faults of the CRM. `401` rejects a valid token as expired; `500-after` fails after the change was made. */
export const crmFaults = ['silent', 'slow', '500', '500-after', 'html-502', '429', '401', 'bad-json'] as const;
export type CrmFault = (typeof crmFaults)[number];
/** The token endpoint, or the records. */
export type CrmCall = 'tokens' | 'records';

export type CrmTruth = {
  /** Each with the history of its balance, oldest first. */
  invoices: readonly CrmInvoiceRecord[];
  /** Every invoice state that a response contained, in order. */
  reads: readonly CrmRead[];
  /** Payments recorded in the CRM. */
  payments: readonly PaymentRecord[];
  renewals: readonly Renewal[];
  /** Calls with a refresh token that a renewal had revoked; a CRM may revoke the whole grant for such a call. */
  revokedUses: readonly Renewal[];
};

export type CrmModel = VendorModel & {
  /** Staff connect an account. With `rotates`, each refresh revokes the refresh token it used. */
  connect(
    accountId: number,
    options?: { rotates?: boolean },
  ): { accessToken: string; refreshToken: string; expiresInS: number };
  /** Staff grant additional scopes beyond those for reading. */
  grant(accountId: number, scopes: string[]): void;
  /** Staff uninstall the app: all tokens of the account are dead at once. */
  disconnect(accountId: number): void;
  add(invoice: NewCrmInvoice): void;
  /** Staff change an invoice. Throws if there is none. */
  edit(accountId: number, invoiceId: string, change: Partial<CrmInvoiceState>): void;
  /** Staff change an invoice's number. */
  renumber(accountId: number, invoiceId: string, number: string): void;
  /** Staff merge the contact of an invoice into that of another invoice. */
  merge(accountId: number, invoiceId: string, into: string): void;
  fail(call: CrmCall, fault: CrmFault, span: FaultSpan): void;
  heal(): void;
  truth(): CrmTruth;
};

/**
 * HubSpot as payments use it: token renewal, and invoices with their contact and company. A balance changes only by
 * staff or by payment records.
 */
export function createCrm(world: VendorWorld, { baseUrl, ...app }: CrmApp & { baseUrl: string }): CrmModel {
  const invoices = new Map<string, CrmInvoiceRecord>();
  const keyOf = (accountId: number, invoiceId: string) => `${accountId}/${invoiceId}`;
  const tokens = createTokens(world, app);
  const payments = createPaymentRecords(world, (id) =>
    [...invoices.values()].find(({ invoiceId }) => invoiceId === id),
  );
  const reads = createReads(world, (accountId, id) => invoices.get(keyOf(accountId, id)) ?? null);
  const faults = createFaults<CrmCall, CrmFault>(world);
  const host = new URL(baseUrl).host;

  function requireInvoice(accountId: number, invoiceId: string): CrmInvoiceRecord {
    const record = invoices.get(keyOf(accountId, invoiceId));
    if (!record) throw new Error(`no invoice ${invoiceId} in account ${accountId}`);
    return record;
  }

  function records({ method, url, headers, body }: WireRequest): WireAnswer {
    const token = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    const access = token ? tokens.findAccess(token) : undefined;
    if (!access) return noCredentials();
    if (access.expiresAt <= world.now()) return expiredCredentials(access.expiresAt, world.now());
    const accountInvoices = [...invoices.values()].filter(({ accountId }) => accountId === access.accountId);
    const path = url.pathname.replace(/\/(2025-09|2026-03|2026-09)(?=\/|$)/, '');
    const paymentAnswer = payments.answer(method, path, body);
    if (paymentAnswer) return paymentAnswer;
    return reads.answer(access.accountId, accountInvoices, method, url, body);
  }

  return {
    serves: (url) => url.host === host,

    receive(request) {
      const isTokens = /^\/oauth\/[^/]+\/token$/.test(request.url.pathname);
      const work = isTokens ? () => tokens.redeem(request.body) : () => records(request);
      return withFault(world, faults.take(isTokens ? 'tokens' : 'records'), work);
    },

    connect: tokens.connect,
    grant: tokens.grant,
    disconnect: tokens.disconnect,

    add({ accountId, invoiceId, number, balance, status = 'open', currency = 'USD', contact, company }) {
      const initialState = { at: world.now(), status, currency, balance, billed: balance, isArchived: false };
      invoices.set(keyOf(accountId, invoiceId), {
        accountId,
        invoiceId,
        number,
        contact: contact ?? null,
        company: company ?? null,
        history: [initialState],
      });
    },

    edit(accountId, invoiceId, change) {
      const record = requireInvoice(accountId, invoiceId);
      record.history.push({ ...withoutRecordFlag(stateOf(record)), ...change, at: world.now() });
    },

    renumber(accountId, invoiceId, number) {
      requireInvoice(accountId, invoiceId).number = number;
    },
    merge(accountId, invoiceId, into) {
      requireInvoice(accountId, invoiceId).contact = requireInvoice(accountId, into).contact;
    },

    fail: faults.set,
    heal: faults.clear,
    truth: () => ({
      invoices: [...invoices.values()],
      reads: reads.reads,
      payments: payments.records,
      renewals: tokens.renewals,
      revokedUses: tokens.revokedUses,
    }),
  };
}

const withoutRecordFlag = ({ isByRecord: _, ...state }: CrmMoment): CrmMoment => state;

function withFault(world: VendorWorld, fault: CrmFault | null, work: () => WireAnswer): VendorStep {
  switch (fault) {
    case null:
      return answerSoon(world, work);
    case 'silent':
      return neverAnswer();
    case 'slow':
      return answerSlowly(world, work);
    case '500':
      return answerSoon(world, internalError);
    case '500-after':
      return answerSoon(world, () => {
        work();
        return internalError();
      });
    case 'html-502':
      return answerSoon(world, () => htmlAnswer(502));
    case '429':
      return answerSoon(world, tooManyCalls);
    case '401':
      return answerSoon(world, () => expiredCredentials(world.now(), world.now()));
    case 'bad-json':
      return answerSoon(world, () => {
        const answer = work();
        return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
      });
  }
}
