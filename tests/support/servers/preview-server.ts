import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import type { PayLinkReply } from '#shared/contracts/payments/pay-links';
import type { InvoiceReminders } from '#shared/contracts/payments/reminders';
import { answerCalls, type Call, type Caller } from './answer-calls.ts';

type Properties = InvoicePreviewReply['properties'];
type Line = InvoicePreviewReply['lineItemData'][number]['properties'];
export type Changes = Partial<Omit<InvoicePreviewReply, 'properties' | 'lineItemData'>> & {
  properties?: Partial<Properties>;
  lines?: Line[];
};

const EMAIL = 'marta@payer.example';
const LINES: Line[] = [
  { name: 'Cleaning', amount: '92.00', quantity: '2' },
  { name: 'Fluoride treatment', amount: '36.50', quantity: null },
];

const linkOf = (name: string): PayLinkReply => ({
  id: name.padEnd(22, '0'),
  url: `https://tillway.example/make/payment/${name.padEnd(22, '0')}`,
  ends_at: '2099-01-23T15:00:00.000Z',
});

/** The history of an invoice without any events. */
export const NOTHING_YET: InvoicePreviewReply['life'] = {
  sent: null,
  reminded: null,
  opened: null,
  payments: [],
  returned: [],
  undecided: null,
  given_back: [],
  paid: '0.00',
  refunded: '0.00',
  mails: [],
};

/** The history of an invoice whose pay link was mailed. */
function mailedLife({ mailed, mailed_at: at, delivery = null, email = EMAIL }: Changes): InvoicePreviewReply['life'] {
  if (mailed !== 'pay-link' || !at) return NOTHING_YET;
  const sent = { first_at: at, last_at: at, times: 1, to: email };
  return { ...NOTHING_YET, sent, mails: [{ kind: 'pay-link', at, state: 'sent', delivery }] };
}

/** An invoice in the Worker's reply form, with the changes that a test needs. */
export function makePreview(id: string, { properties, lines = LINES, ...fields }: Changes = {}): InvoicePreviewReply {
  return {
    id,
    properties: {
      hs_number: 'INV-1042',
      hs_amount_billed: '220.50',
      hs_balance_due: '220.50',
      hs_due_date: '2099-12-24',
      hs_createdate: '2026-03-01T15:00:00.000Z',
      hs_lastmodifieddate: '2026-03-02T15:00:00.000Z',
      hs_invoice_status: 'open',
      hs_currency: 'USD',
      hs_invoice_date: '2026-03-01',
      amount_paid: null,
      paid_elsewhere: null,
      unpaid_change: null,
      clinic_name: 'Maple Street Dental',
      clinic_address: '12 Maple Street\nIndianapolis, IN 46204',
      clinic_phone: '317-555-0100',
      customer_name: 'Marta Núñez',
      customer_address: '4 Elm St, Carmel, IN 46032',
      payment_method: '',
      payment_date: null,
      paid_via: '',
      transaction_id: '',
      receipt_id: '',
      ...properties,
    },
    crm_status: 'open',
    lineItemData: lines.map((line, at) => ({ id: `l${at}`, properties: line })),
    lines_match: true,
    footer_text: 'Thank you. Please call us with any question about this invoice.',
    can_edit_footer: true,
    signature_saved_at: null,
    is_deleted_in_crm: false,
    payer_signature: null,
    pay_link: linkOf('first'),
    email: EMAIL,
    customer_id: '',
    mailed_at: null,
    mailed: null,
    delivery: null,
    bad_address: null,
    receipt_url: null,
    payment_id: null,
    can_collect_again: false,
    life: mailedLife(fields),
    parts: { is_on: false, is_frozen: false, crm_allows: null, base: null, paid: '0.00' },
    ...fields,
  };
}

/** Answers the calls of one invoice's screen. Stores changes and can refuse them. */
export type PreviewServer = {
  invoice: InvoicePreviewReply | null;
  signature: string | null;
  /** Every call that changes something: `request` is its method and path. */
  writes: { request: string; body: unknown }[];
  /** The answer to every call whose method and path match, for example "GET /900$". */
  refusal: { on: RegExp; status: number; code: string; message: string } | null;
  /** True between a revocation and its undo or its final execution. */
  isRevoked: boolean;
  headers: Record<string, string>;
  /** If set, answers wait until it resolves. */
  hold: Promise<void> | null;
  mail: { status: 'sent' | 'queued' };
  reminders: InvoiceReminders;
};

const isFor = (id: string) => (url: URL) =>
  new RegExp(`^/api/(invoices/([\\w]+/)?${id}(/[\\w-]+)*|token/footer-text)$`).test(url.pathname);

export async function servePreview(caller: Caller, id: string, changes: Changes = {}): Promise<PreviewServer> {
  const server: PreviewServer = {
    invoice: makePreview(id, changes),
    signature: null,
    writes: [],
    refusal: null,
    isRevoked: false,
    headers: {},
    hold: null,
    mail: { status: 'sent' },
    reminders: {
      is_on: false,
      is_excluded: false,
      stopped_at: null,
      last: null,
      next_at: null,
      why_none: 'off',
    },
  };
  await answerCalls(caller, isFor(id), async (call) => {
    await server.hold;
    await answer(call, server);
  });
  return server;
}

async function answer(call: Call, server: PreviewServer): Promise<void> {
  const request = `${call.method} ${call.url.pathname.replace('/api', '')}`;
  const { refusal } = server;
  if (refusal?.on.test(request)) {
    return call.fulfill({ status: refusal.status, json: { error: { code: refusal.code, message: refusal.message } } });
  }
  if (call.method !== 'GET') server.writes.push({ request: request, body: call.readBody() });
  const { invoice } = server;
  if (!invoice)
    return call.fulfill({ status: 404, json: { error: { code: 'not-found', message: 'No invoice found' } } });
  const json = (body: unknown) => call.fulfill({ json: body, headers: server.headers });
  if (request.endsWith('/footer-text'))
    return json({ footer_text: call.readBody<{ footer_text: string }>().footer_text });
  if (request.endsWith('/reminders')) {
    if (call.method === 'PUT') server.reminders.is_excluded = call.readBody<{ is_excluded: boolean }>().is_excluded;
    return json({ ...server.reminders, ...(server.reminders.is_excluded && { next_at: null, why_none: 'excluded' }) });
  }
  if (request.endsWith('/link/revocation')) {
    server.isRevoked = false;
    return json(linkOf('first'));
  }
  if (request.endsWith('/link')) {
    const link = linkOf(server.isRevoked && request.startsWith('POST') ? 'second' : 'first');
    server.isRevoked = request.startsWith('DELETE');
    return json(link);
  }
  if (/\/(send|itemised)/.test(request)) {
    const sent_at = new Date().toISOString();
    if (server.mail.status === 'sent') {
      const kind = request.includes('sendPaymentLink') ? 'pay-link' : 'receipt';
      Object.assign(invoice, { mailed: kind, mailed_at: sent_at, delivery: null });
      const { sent } = invoice.life;
      const first_at = sent?.first_at ?? sent_at;
      invoice.life = {
        ...invoice.life,
        ...(kind === 'pay-link' && {
          sent: { first_at, last_at: sent_at, times: (sent?.times ?? 0) + 1, to: invoice.email },
        }),
        mails: [{ kind, at: sent_at, state: 'sent', delivery: null }, ...invoice.life.mails],
      };
    }
    return json({ status: server.mail.status, to: invoice.email, sent_at });
  }
  if (!request.endsWith('/signature')) return json(invoice);
  if (request.startsWith('GET')) {
    return call.fulfill({ contentType: 'image/png', body: Buffer.from(server.signature ?? '', 'base64') });
  }
  server.signature = request.startsWith('PUT')
    ? (call.readBody<{ signature: string }>().signature.split(',')[1] ?? null)
    : null;
  invoice.signature_saved_at = server.signature && new Date().toISOString();
  return json({ signature_saved_at: invoice.signature_saved_at });
}
