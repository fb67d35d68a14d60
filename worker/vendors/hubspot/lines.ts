import { lineFields } from './fields.ts';
import { type HubSpotHttp, paths } from './http.ts';
import { lineOf } from './line-item.ts';
import type { CrmLine } from './port.ts';
import { Associations, CrmObjects } from './wire.ts';

const BATCH = 100;
/** A bound, so that an answer that always names a next page ends. */
const MAX_LINES = 2000;

export type ReadLines = (token: string, invoiceId: string) => Promise<CrmLine[]>;

/** Reads the lines of one invoice. */
export function lineReader({ read }: HubSpotHttp): ReadLines {
  async function lineIds(token: string, invoiceId: string): Promise<string[]> {
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const page = await read(Associations, token, paths.associations('invoices', 'line_items'), {
        inputs: [{ id: invoiceId, ...(after === undefined ? {} : { after }) }],
      });
      const links = page?.results.find((link) => link.from.id === invoiceId);
      ids.push(...(links?.to ?? []).map(({ toObjectId }) => toObjectId));
      after = links?.paging?.next?.after;
    } while (after !== undefined && ids.length < MAX_LINES);
    return [...new Set(ids)];
  }

  return async (token, invoiceId) => {
    const ids = await lineIds(token, invoiceId);
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, n) =>
      ids.slice(n * BATCH, (n + 1) * BATCH),
    );
    const found = await Promise.all(
      batches.map((batch) =>
        read(CrmObjects, token, paths.batchRead('line_items'), {
          inputs: batch.map((id) => ({ id })),
          properties: lineFields,
          propertiesWithHistory: [],
        }),
      ),
    );
    // Answers come in any order; the links are in the order in which the lines were made.
    const byId = new Map(found.flatMap((page) => page?.results ?? []).map((object) => [object.id, object]));
    return ids.flatMap((id) => byId.get(id) ?? []).map(lineOf);
  };
}
