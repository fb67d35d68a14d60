import {
  fetchFirst,
  type List,
  type ListClient,
  type ListSource,
  useServerList,
} from '#site/islands/ui/table/use-list.ts';
import { api, setApiError } from '../api/api.ts';

export type { List, ListSource } from '#site/islands/ui/table/use-list.ts';

const client: ListClient = { call: api.call, onOutage: setApiError };

export const useList = <Row>(source: ListSource<Row>): List<Row> => useServerList(source, client);

/** Preloads a list's first page. */
export const fetchFirstPage = <Row>(source: ListSource<Row>): Promise<void> => fetchFirst(source, client);
