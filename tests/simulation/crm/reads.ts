import { jsonAnswer } from '../answers.ts';
import type { VendorWorld, WireAnswer } from '../vendor.ts';
import { noSuchPath, objectNotFound, unreadable } from './problems.ts';
import {
  asked,
  type CrmInvoiceRecord,
  companyProperties,
  contactProperties,
  invoiceProperties,
  iso,
  type Properties,
  stateOf,
} from './records.ts';

/** The state of an invoice that the CRM put into an answer, whether or not that answer arrived. */
export type CrmRead = {
  /** Counts up over all reads. */
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
type Linked = 'contacts' | 'companies';

/** Reads of records, in the form of the dated API. Every value of a property is text or null. */
export function createReads(
  world: VendorWorld,
  findInvoice: (accountId: number, id: string) => CrmInvoiceRecord | null,
) {
  const reads: CrmRead[] = [];

  const object = (id: string, properties: Properties, at: number, created = at) =>
    ({ id, properties, createdAt: iso(created), updatedAt: iso(at), archived: false }) as const;

  function invoice(accountId: number, id: string, names: string[]): WireAnswer {
    const record = findInvoice(accountId, id);
    if (!record || stateOf(record).isArchived) return objectNotFound(id);
    const { at, status, currency, balance } = stateOf(record);
    reads.push({ seq: reads.length + 1, at: world.now(), accountId, invoiceId: id, status, currency, balance });
    return jsonAnswer(200, object(id, asked(invoiceProperties(record), names), at, record.history[0]?.at));
  }

  function invoices(accountId: number, { inputs, properties }: BatchBody): WireAnswer {
    const results = inputs.flatMap(({ id }) => {
      const record = findInvoice(accountId, id);
      if (!record || stateOf(record).isArchived) return [];
      return [object(id, asked(invoiceProperties(record), properties), stateOf(record).at, record.history[0]?.at)];
    });
    return jsonAnswer(200, { status: 'COMPLETE', results, ...times() });
  }

  /** Contacts and companies stand with their invoices: the same person may stand with several. */
  function linked(records: CrmInvoiceRecord[], kind: Linked, { inputs, properties }: BatchBody): WireAnswer {
    const found = inputs.flatMap(({ id }) => {
      const own = records.find((record) => (kind === 'contacts' ? record.contact : record.company)?.id === id);
      if (!own) return [];
      const all =
        kind === 'contacts'
          ? own.contact && contactProperties(own.contact)
          : own.company && companyProperties(own.company);
      return all ? [object(id, asked(all, properties), own.history[0]?.at ?? 0)] : [];
    });
    return jsonAnswer(200, { status: 'COMPLETE', results: found, ...times() });
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
    return jsonAnswer(200, { status: 'COMPLETE', results, ...times() });
  }

  const times = () => ({ startedAt: iso(world.now()), completedAt: iso(world.now()) });

  return {
    reads,
    answer(accountId: number, records: CrmInvoiceRecord[], method: string, url: URL, body: string): WireAnswer {
      const path = url.pathname.replace(/\/(2025-09|2026-03|2026-09)\//, '/');
      const one = /^\/crm\/objects\/invoices\/([^/]+)$/.exec(path);
      if (one && method === 'GET') {
        const names = url.searchParams.getAll('properties').flatMap((value) => value.split(','));
        return invoice(accountId, decodeURIComponent(one[1] ?? ''), names);
      }
      if (method !== 'POST') return noSuchPath();
      const batch = readBatch(body);
      if (path === '/crm/objects/invoices/batch/read') return batch ? invoices(accountId, batch) : unreadable();
      const objects = /^\/crm\/objects\/(contacts|companies)\/batch\/read$/.exec(path);
      const associations = /^\/crm\/associations\/invoices\/(contacts|companies|line_items)\/batch\/read$/.exec(path);
      if (!objects && !associations) return noSuchPath();
      if (!batch) return unreadable();
      return objects ? linked(records, objects[1] as Linked, batch) : links(accountId, associations?.[1] ?? '', batch);
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
