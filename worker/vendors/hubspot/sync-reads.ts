import { type HubSpotHttp, paths } from './http.ts';
import type { ChangeCursor, CrmKind, CrmRecords, CrmResponse, CrmSyncReads } from './port.ts';
import { modifiedAt, orderedLinks, shapes } from './records.ts';
import { Associations, type CrmObject, CrmObjects, CrmPage, SearchPage } from './wire.ts';

const LIST_PAGE_SIZE = 100;
const SEARCH_PAGE_SIZE = 200;
const NEWEST_COUNT = 100;
/** The associations that a list page returns with its records; a batch read returns none. */
const LINKED_KINDS: Record<CrmKind, string> = { companies: '', contacts: 'companies', invoices: 'contacts,companies' };

type Filter = { propertyName: string; operator: 'GTE' | 'GT' | 'EQ'; value: string };

/** Reads many records of an account, page by page. */
export function hubSpotSyncReads({ readMany }: HubSpotHttp): CrmSyncReads {
  async function readListPage(
    token: string,
    kind: CrmKind,
    after: string | null,
    extraParameters: Record<string, string>,
  ) {
    const query = new URLSearchParams({
      limit: String(LIST_PAGE_SIZE),
      ...extraParameters,
      ...(after === null ? {} : { after }),
    });
    const { page, limit } = await readMany(CrmPage, token, `${paths.objects(kind)}?${query}`);
    return { results: page.results, next: page.paging?.next?.after ?? null, limit };
  }

  async function searchRecords(
    token: string,
    kind: CrmKind,
    filters: Filter[],
    sort: { by: string; direction: 'ASCENDING' | 'DESCENDING' },
    limit: number,
  ) {
    const { modifiedField: modified } = shapes[kind];
    return readMany(SearchPage, token, paths.search(kind), {
      filterGroups: filters.length > 0 ? [{ filters }] : [],
      sorts: [{ propertyName: sort.by, direction: sort.direction }],
      properties: [modified],
      limit,
    });
  }

  return {
    async listRecords(token, kind, after, timeZone) {
      const { results, ...rest } = await readListPage(token, kind, after, {
        properties: shapes[kind].properties.join(','),
        ...(LINKED_KINDS[kind] && { associations: LINKED_KINDS[kind] }),
      });
      return {
        records: results.map((object) => shapes[kind].recordOf(object, timeZone)),
        cut: countTruncatedTexts(results),
        ...rest,
      };
    },

    async listArchived(token, kind, after) {
      const { results, ...rest } = await readListPage(token, kind, after, {
        archived: 'true',
        properties: 'hs_object_id',
      });
      return { ids: results.map(({ id }) => id), ...rest };
    },

    async readRecords<K extends CrmKind>(token: string, kind: K, ids: string[], timeZone: string) {
      const { page, limit } = await readMany(CrmObjects, token, paths.batchRead(kind), {
        inputs: ids.map((id) => ({ id })),
        properties: shapes[kind].properties,
        propertiesWithHistory: [],
      });
      // A merged record may be returned as the record into which it was merged.
      const requested = new Set(ids);
      const records = page.results
        .map((object) => shapes[kind].recordOf(object, timeZone))
        .filter(({ id }) => requested.has(id));
      return { records, cut: countTruncatedTexts(page.results), limit } satisfies CrmResponse<{
        records: CrmRecords[K][];
      }>;
    },

    async readLinks(token, from, ids, to) {
      const { page, limit } = await readMany(Associations, token, paths.associations(from, to), {
        inputs: ids.map((id) => ({ id })),
      });
      const linkedIds = page.results.map(({ from: { id }, to: linked }) => [id, orderedLinks(linked)] as const);
      return {
        links: new Map(linkedIds.map(([id, [first = '']]) => [id, first])),
        others: new Map(linkedIds.map(([id, [, ...others]]) => [id, others])),
        limit,
      };
    },

    /**
     * The CRM pages a search by offset, which skips records if others change in the meantime, and stops after 10,000.
     * So each page is a new search that starts where the previous one ended.
     */
    async listChanged(token, kind, cursor) {
      const { modifiedField: modified } = shapes[kind];
      const { page, limit } = await searchRecords(
        token,
        kind,
        changeFilters(modified, cursor),
        changeSort(modified, cursor),
        SEARCH_PAGE_SIZE,
      );
      const changed = page.results.map((object) => ({ id: object.id, modifiedAt: modifiedAt(kind, object) }));
      return { changed, next: nextCursor(cursor, changed), limit };
    },

    async listNewest(token, kind) {
      const sort = { by: shapes[kind].createdField, direction: 'DESCENDING' } as const;
      const { page, limit } = await searchRecords(token, kind, [], sort, NEWEST_COUNT);
      return { ids: page.results.map(({ id }) => id), limit };
    },

    async countRecords(token, kind) {
      const sort = { by: shapes[kind].createdField, direction: 'ASCENDING' } as const;
      const { page, limit } = await searchRecords(token, kind, [], sort, 1);
      return { total: page.total, limit };
    },
  };
}

const countTruncatedTexts = (objects: CrmObject[]) => objects.reduce((sum, { cut }) => sum + cut, 0);

const changeFilters = (modified: string, { modifiedAt: at, tieId }: ChangeCursor): Filter[] =>
  tieId === null
    ? [{ propertyName: modified, operator: 'GTE', value: String(at) }]
    : [
        { propertyName: modified, operator: 'EQ', value: String(at) },
        { propertyName: 'hs_object_id', operator: 'GT', value: tieId },
      ];

const changeSort = (modified: string, { tieId }: ChangeCursor) =>
  ({ by: tieId === null ? modified : 'hs_object_id', direction: 'ASCENDING' }) as const;

function nextCursor(cursor: ChangeCursor, changed: { id: string; modifiedAt: number }[]): ChangeCursor | null {
  const isFull = changed.length >= SEARCH_PAGE_SIZE;
  const last = changed.at(-1);
  if (cursor.tieId !== null) {
    return isFull && last ? { ...cursor, tieId: last.id } : { modifiedAt: cursor.modifiedAt + 1, tieId: null };
  }
  if (!isFull || !last) return null;
  // A full page of one millisecond would repeat forever, so continue by id.
  return last.modifiedAt > cursor.modifiedAt
    ? { modifiedAt: last.modifiedAt, tieId: null }
    : { modifiedAt: cursor.modifiedAt, tieId: '0' };
}
