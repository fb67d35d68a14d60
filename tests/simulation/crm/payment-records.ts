import { jsonAnswer } from '../answers.ts';
import type { VendorWorld, WireAnswer } from '../vendor.ts';
import { invalidJson, noSuchPath, objectNotFound } from './problems.ts';
import { type CrmInvoiceRecord, iso, type Properties, stateOf } from './records.ts';

/** A payment recorded in the CRM. */
export type PaymentRecord = { id: string; invoiceId: string; properties: Properties };

const INVOICE_ASSOCIATION_TYPE = 542;
const cents = (decimal: string | null | undefined): number => Math.round(Number(decimal ?? 0) * 100);
/** Cents by which the record reduces the balance of its invoice. */
const countedCents = ({ hs_initial_amount, hs_refunds_amount }: Properties) =>
  cents(hs_initial_amount) - cents(hs_refunds_amount);

type Body = { properties?: Properties; inputs?: { id: string }[]; associations?: Association[] };
type Association = { to: { id: string }; types: { associationTypeId: number }[] };

/** The CRM's payment records. Each changes its invoice's balance, as in an account set up for payments. */
export function createPaymentRecords(world: VendorWorld, find: (invoiceId: string) => CrmInvoiceRecord | undefined) {
  const records: PaymentRecord[] = [];

  const toObject = ({ id, properties }: PaymentRecord) => ({
    id,
    properties,
    createdAt: iso(world.now()),
    updatedAt: iso(world.now()),
    archived: false,
  });

  function moveBalance(invoiceId: string, takenCents: number) {
    const record = find(invoiceId);
    if (!record) return;
    const current = stateOf(record);
    if (current.balance === null) return;
    const owed = cents(current.balance) - takenCents;
    const status = owed <= 0 ? 'paid' : current.status === 'paid' ? 'open' : current.status;
    record.history.push({ ...current, balance: (owed / 100).toFixed(2), status, at: world.now(), isByRecord: true });
  }

  function create({ properties = {}, associations = [] }: Body): WireAnswer {
    const isToInvoice = ({ types }: Association) =>
      types.some((type) => type.associationTypeId === INVOICE_ASSOCIATION_TYPE);
    const invoiceId = associations.find(isToInvoice)?.to.id ?? '';
    if (!find(invoiceId)) return objectNotFound(invoiceId);
    const record = { id: `8${records.length + 1}`, invoiceId, properties };
    records.push(record);
    moveBalance(invoiceId, countedCents(properties));
    return jsonAnswer(201, toObject(record));
  }

  function change(id: string, { properties = {} }: Body): WireAnswer {
    const record = records.find((candidate) => candidate.id === id);
    if (!record) return objectNotFound(id);
    const before = countedCents(record.properties);
    record.properties = { ...record.properties, ...properties };
    moveBalance(record.invoiceId, countedCents(record.properties) - before);
    return jsonAnswer(200, toObject(record));
  }

  const batchAnswer = (results: object[]) =>
    jsonAnswer(200, { status: 'COMPLETE', results, startedAt: iso(world.now()), completedAt: iso(world.now()) });

  return {
    records,
    /** Returns null if the path does not belong to payment records. */
    answer(method: string, path: string, text: string): WireAnswer | null {
      const recordId = /^\/crm\/objects\/commerce_payments\/([^/]+)$/.exec(path)?.[1];
      const isList = path === '/crm/objects/commerce_payments/batch/read';
      const isLinks = path === '/crm/associations/invoices/commerce_payments/batch/read';
      const isCreation = path === '/crm/objects/commerce_payments';
      if (!recordId && !isList && !isLinks && !isCreation) return null;
      const body = parseBody(text);
      if (!body) return invalidJson();
      const ids = body.inputs?.map(({ id }) => String(id)) ?? [];
      if (method === 'PATCH' && recordId) return change(recordId, body);
      if (method !== 'POST') return noSuchPath();
      if (isCreation) return create(body);
      if (isList) return batchAnswer(records.filter(({ id }) => ids.includes(id)).map(toObject));
      return batchAnswer(ids.flatMap(linksOf));
    },
  };

  function linksOf(id: string): object[] {
    const linkedRecords = records.filter(({ invoiceId }) => invoiceId === id);
    if (linkedRecords.length === 0) return [];
    const associationTypes = [{ category: 'HUBSPOT_DEFINED', typeId: 541, label: null }];
    return [{ from: { id }, to: linkedRecords.map((record) => ({ toObjectId: Number(record.id), associationTypes })) }];
  }
}

function parseBody(text: string): Body | null {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return null;
  }
}
