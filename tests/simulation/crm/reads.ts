import { jsonAnswer } from '../answers.ts';
import type { VendorWorld, WireAnswer } from '../vendor.ts';
import { invalidJson, noSuchPath, objectNotFound } from './problems.ts';
import {
  type CrmInvoiceRecord,
  companyProperties,
  contactProperties,
  invoiceProperties,
  iso,
  type Properties,
  selectProperties,
  stateOf,
} from './records.ts';

/** The state of an invoice in a CRM response, even if that response was lost. */
export type CrmRead = {
  /** Number of the read, counting up. */
  seq: number;
  at: number;
  accountId: number;
  invoiceId: string;
  status: string;
  currency: string;
  balance: string | null;
};

type Input = { id: string };
type BatchBody = { inputs: Input[]; properties: string[] };
type LinkedKind = 'contacts' | 'companies';

/** Answers reads of records in the format of the dated API. Every property value is text or null. */
export function createReads(
  world: VendorWorld,
  findInvoice: (accountId: number, id: string) => CrmInvoiceRecord | null,
) {
  const reads: CrmRead[] = [];

  const toObject = (id: string, properties: Properties, at: number, created = at) =>
    ({ id, properties, createdAt: iso(created), updatedAt: iso(at), archived: false }) as const;

  function invoice(accountId: number, id: string, names: string[]): WireAnswer {
    const record = findInvoice(accountId, id);
    if (!record || stateOf(record).isArchived) return objectNotFound(id);
    const { at, status, currency, balance } = stateOf(record);
    reads.push({ seq: reads.length + 1, at: world.now(), accountId, invoiceId: id, status, currency, balance });
    return jsonAnswer(200, toObject(id, selectProperties(invoiceProperties(record), names), at, record.history[0]?.at));
  }

  function invoices(accountId: number, { inputs, properties }: BatchBody): WireAnswer {
    const results = inputs.flatMap(({ id }) => {
      const record = findInvoice(accountId, id);
      if (!record || stateOf(record).isArchived) return [];
      const selected = selectProperties(invoiceProperties(record), properties);
      return [toObject(id, selected, stateOf(record).at, record.history[0]?.at)];
    });
    return jsonAnswer(200, { status: 'COMPLETE', results, ...timestamps() });
  }

  /** Contacts and companies are stored with their invoices; several invoices may share a contact. */
  function linked(records: CrmInvoiceRecord[], kind: LinkedKind, { inputs, properties }: BatchBody): WireAnswer {
    const results = inputs.flatMap(({ id }) => {
      const invoiceRecord = records.find(
        (record) => (kind === 'contacts' ? record.contact : record.company)?.id === id,
      );
      if (!invoiceRecord) return [];
      const all =
        kind === 'contacts'
          ? invoiceRecord.contact && contactProperties(invoiceRecord.contact)
          : invoiceRecord.company && companyProperties(invoiceRecord.company);
      return all ? [toObject(id, selectProperties(all, properties), invoiceRecord.history[0]?.at ?? 0)] : [];
    });
    return jsonAnswer(200, { status: 'COMPLETE', results, ...timestamps() });
  }

  /** A record without links is missing from the results. */
  function links(accountId: number, to: string, { inputs }: BatchBody): WireAnswer {
    const results = inputs.flatMap(({ id }) => {
      const record = findInvoice(accountId, id);
      const target = to === 'contacts' ? record?.contact : to === 'companies' ? record?.company : null;
      if (!target) return [];
      const typeId = to === 'contacts' ? 177 : 179;
      const associationTypes = [{ category: 'HUBSPOT_DEFINED', typeId, label: null }];
      return [{ from: { id }, to: [{ toObjectId: Number(target.id), associationTypes }] }];
    });
    return jsonAnswer(200, { status: 'COMPLETE', results, ...timestamps() });
  }

  const timestamps = () => ({ startedAt: iso(world.now()), completedAt: iso(world.now()) });

  return {
    reads,
    answer(accountId: number, records: CrmInvoiceRecord[], method: string, url: URL, body: string): WireAnswer {
      const path = url.pathname.replace(/\/(2025-09|2026-03|2026-09)\//, '/');
      const single = /^\/crm\/objects\/invoices\/([^/]+)$/.exec(path);
      if (single && method === 'GET') {
        const names = url.searchParams.getAll('properties').flatMap((value) => value.split(','));
        return invoice(accountId, decodeURIComponent(single[1] ?? ''), names);
      }
      if (method !== 'POST') return noSuchPath();
      const batch = readBatch(body);
      if (path === '/crm/objects/invoices/batch/read') return batch ? invoices(accountId, batch) : invalidJson();
      const objects = /^\/crm\/objects\/(contacts|companies)\/batch\/read$/.exec(path);
      const associations = /^\/crm\/associations\/invoices\/(contacts|companies|line_items)\/batch\/read$/.exec(path);
      if (!objects && !associations) return noSuchPath();
      if (!batch) return invalidJson();
      return objects
        ? linked(records, objects[1] as LinkedKind, batch)
        : links(accountId, associations?.[1] ?? '', batch);
    },
  };
}

function readBatch(body: string): BatchBody | null {
  try {
    const { inputs, properties = [] } = JSON.parse(body) as { inputs?: { id: unknown }[]; properties?: string[] };
    return inputs ? { inputs: inputs.map(({ id }) => ({ id: String(id) })), properties } : null;
  } catch {
    return null;
  }
}
