import { jsonAnswer } from '../answers.ts';
import type { VendorWorld, WireAnswer } from '../vendor.ts';
import { noSuchPath, objectNotFound, unreadable } from './problems.ts';
import { type CrmInvoiceRecord, iso, type Properties, stateOf } from './records.ts';

/** A payment recorded in the CRM. */
export type PaymentRecord = { id: string; invoiceId: string; properties: Properties };

const TO_INVOICE = 542;
const cents = (decimal: string | null | undefined): number => Math.round(Number(decimal ?? 0) * 100);
/** Amount in cents that the record counts for at its invoice. */
const counted = ({ hs_initial_amount, hs_refunds_amount }: Properties) =>
  cents(hs_initial_amount) - cents(hs_refunds_amount);

type Body = { properties?: Properties; inputs?: { id: string }[]; associations?: Association[] };
type Association = { to: { id: string }; types: { associationTypeId: number }[] };

/** The CRM's payment records. Each changes its invoice's balance, as in an account set up for payments. */
export function createPaymentRecords(world: VendorWorld, find: (invoiceId: string) => CrmInvoiceRecord | undefined) {
  const records: PaymentRecord[] = [];

  const shown = ({ id, properties }: PaymentRecord) => ({
    id,
    properties,
    createdAt: iso(world.now()),
    updatedAt: iso(world.now()),
    archived: false,
  });

  function move(invoiceId: string, takenCents: number) {
    const record = find(invoiceId);
    if (!record) return;
    const now = stateOf(record);
    if (now.balance === null) return;
    const owed = cents(now.balance) - takenCents;
    const status = owed <= 0 ? 'paid' : now.status === 'paid' ? 'open' : now.status;
    record.history.push({ ...now, balance: (owed / 100).toFixed(2), status, at: world.now(), isByRecord: true });
  }

  function create({ properties = {}, associations = [] }: Body): WireAnswer {
    const isToInvoice = ({ types }: Association) => types.some((type) => type.associationTypeId === TO_INVOICE);
    const invoiceId = associations.find(isToInvoice)?.to.id ?? '';
    if (!find(invoiceId)) return objectNotFound(invoiceId);
    const made = { id: `8${records.length + 1}`, invoiceId, properties };
    records.push(made);
    move(invoiceId, counted(properties));
    return jsonAnswer(201, shown(made));
  }

  function change(id: string, { properties = {} }: Body): WireAnswer {
    const record = records.find((known) => known.id === id);
    if (!record) return objectNotFound(id);
    const before = counted(record.properties);
    record.properties = { ...record.properties, ...properties };
    move(record.invoiceId, counted(record.properties) - before);
    return jsonAnswer(200, shown(record));
  }

  const done = (results: object[]) =>
    jsonAnswer(200, { status: 'COMPLETE', results, startedAt: iso(world.now()), completedAt: iso(world.now()) });

  return {
    records,
    /** Null if the path is not one of payment records. */
    answer(method: string, path: string, text: string): WireAnswer | null {
      const one = /^\/crm\/objects\/commerce_payments\/([^/]+)$/.exec(path)?.[1];
      const isList = path === '/crm/objects/commerce_payments/batch/read';
      const isLinks = path === '/crm/associations/invoices/commerce_payments/batch/read';
      const isOwn = path === '/crm/objects/commerce_payments';
      if (!one && !isList && !isLinks && !isOwn) return null;
      const body = bodyOf(text);
      if (!body) return unreadable();
      const ids = body.inputs?.map(({ id }) => String(id)) ?? [];
      if (method === 'PATCH' && one) return change(one, body);
      if (method !== 'POST') return noSuchPath();
      if (isOwn) return create(body);
      if (isList) return done(records.filter(({ id }) => ids.includes(id)).map(shown));
      return done(ids.flatMap(linksOf));
    },
  };

  function linksOf(id: string): object[] {
    const own = records.filter(({ invoiceId }) => invoiceId === id);
    if (own.length === 0) return [];
    const associationTypes = [{ category: 'HUBSPOT_DEFINED', typeId: 541, label: null }];
    return [{ from: { id }, to: own.map((record) => ({ toObjectId: Number(record.id), associationTypes })) }];
  }
}

function bodyOf(text: string): Body | null {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return null;
  }
}
