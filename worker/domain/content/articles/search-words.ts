import { searchText } from './save.ts';

/** What is looked for, word by word, as it stands in the searched columns. */
export const searchWords = (q: string): string[] => searchText(q).split(/\s+/).filter(Boolean).slice(0, 10);
