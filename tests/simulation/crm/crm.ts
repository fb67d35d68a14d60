import { htmlAnswer, never, slowly, soon } from '../answers.ts';
import { createFaults, type FaultSpan } from '../faults.ts';
import type { VendorModel, VendorStep, VendorWorld, WireAnswer, WireRequest } from '../vendor.ts';
import { createPaymentRecords, type PaymentRecord } from './payment-records.ts';
import { expiredCredentials, noCredentials, outOfOrder, tooManyCalls } from './problems.ts';
import { type CrmRead, createReads } from './reads.ts';
import { type CrmInvoiceRecord, type CrmInvoiceState, type CrmMoment, type NewCrmInvoice, stateOf } from './records.ts';
import { type CrmApp, createTokens, type Renewal } from './tokens.ts';

/** Faults of the CRM. `401` rejects a valid token as expired; `500-after` fails after the change was made. */
export const crmFaults = ['silent', 'slow', '500', '500-after', 'html-502', '429', '401', 'bad-json'] as const;
export type CrmFault = (typeof crmFaults)[number];
/** The token endpoint, or the records. */
export type CrmCall = 'tokens' | 'records';

export type CrmTruth = {
  /** With the history of each balance, oldest first. */
  invoices: readonly CrmInvoiceRecord[];
  /** Every invoice state that a response contained, in order. */
  reads: readonly CrmRead[];
  /** Payments recorded in it. */
  payments: readonly PaymentRecord[];
  renewals: readonly Renewal[];
  /** Calls with a refresh token that a renewal had revoked: a CRM may revoke the whole grant for it. */
  spent: readonly Renewal[];
};

export type CrmModel = VendorModel & {
  /** Staff connect an account. With `rotates`, each refresh revokes the refresh token it used. */
  connect(
    accountId: number,
    options?: { rotates?: boolean },
  ): { accessToken: string; refreshToken: string; expiresInS: number };
  /** Staff grant more than the app needs to read. */
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

  function known(accountId: number, invoiceId: string): CrmInvoiceRecord {
    const record = invoices.get(keyOf(accountId, invoiceId));
    if (!record) throw new Error(`no invoice ${invoiceId} in account ${accountId}`);
    return record;
  }

  function records({ method, url, headers, body }: WireRequest): WireAnswer {
    const token = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    const access = token ? tokens.findAccess(token) : undefined;
    if (!access) return noCredentials();
    if (access.expiresAt <= world.now()) return expiredCredentials(access.expiresAt, world.now());
    const own = [...invoices.values()].filter(({ accountId }) => accountId === access.accountId);
    const path = url.pathname.replace(/\/(2025-09|2026-03|2026-09)(?=\/|$)/, '');
    const paid = payments.answer(method, path, body);
    if (paid) return paid;
    return reads.answer(access.accountId, own, method, url, body);
  }

  return {
    serves: (url) => url.host === host,

    receive(request) {
      const isTokens = /^\/oauth\/[^/]+\/token$/.test(request.url.pathname);
      const work = isTokens ? () => tokens.redeem(request.body) : () => records(request);
      return disturbed(world, faults.take(isTokens ? 'tokens' : 'records'), work);
    },

    connect: tokens.connect,
    grant: tokens.grant,
    disconnect: tokens.disconnect,

    add({ accountId, invoiceId, number, balance, status = 'open', currency = 'USD', contact, company }) {
      const first = { at: world.now(), status, currency, balance, billed: balance, isArchived: false };
      invoices.set(keyOf(accountId, invoiceId), {
        accountId,
        invoiceId,
        number,
        contact: contact ?? null,
        company: company ?? null,
        history: [first],
      });
    },

    edit(accountId, invoiceId, change) {
      const record = known(accountId, invoiceId);
      record.history.push({ ...unmoved(stateOf(record)), ...change, at: world.now() });
    },

    renumber(accountId, invoiceId, number) {
      known(accountId, invoiceId).number = number;
    },
    merge(accountId, invoiceId, into) {
      known(accountId, invoiceId).contact = known(accountId, into).contact;
    },

    fail: faults.set,
    heal: faults.clear,
    truth: () => ({
      invoices: [...invoices.values()],
      reads: reads.reads,
      payments: payments.records,
      renewals: tokens.renewals,
      spent: tokens.spent,
    }),
  };
}

const unmoved = ({ isByRecord: _, ...state }: CrmMoment): CrmMoment => state;

function disturbed(world: VendorWorld, fault: CrmFault | null, work: () => WireAnswer): VendorStep {
  switch (fault) {
    case null:
      return soon(world, work);
    case 'silent':
      return never();
    case 'slow':
      return slowly(world, work);
    case '500':
      return soon(world, outOfOrder);
    case '500-after':
      return soon(world, () => {
        work();
        return outOfOrder();
      });
    case 'html-502':
      return soon(world, () => htmlAnswer(502));
    case '429':
      return soon(world, tooManyCalls);
    case '401':
      return soon(world, () => expiredCredentials(world.now(), world.now()));
    case 'bad-json':
      return soon(world, () => {
        const answer = work();
        return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
      });
  }
}
