import { searchText } from './save.ts';

/** The words of a search, as they stand in the `search` columns; ten at most. */
export const searchWords = (q: string): string[] => searchText(q).split(/\s+/).filter(Boolean).slice(0, 10);
