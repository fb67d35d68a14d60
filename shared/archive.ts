/**
 * What an archive of a clinic's records ends with: this mark, the place in the file where its last part begins, and a
 * signature over that part up to the signature itself.
 */
export const ARCHIVE_MARK = 'tillway archive 1 ';

const END = new RegExp(`${ARCHIVE_MARK}(\\d{1,15}) ([0-9a-f]{64})$`);
/** Characters of it at most. */
export const ARCHIVE_END = ARCHIVE_MARK.length + 15 + 1 + 64;

/** Where the last part begins, and its signature; null: these are not the last characters of an archive. */
export function archiveEndIn(last: string): { at: number; signature: string } | null {
  const [, at = '', signature = ''] = END.exec(last) ?? [];
  return signature === '' ? null : { at: Number(at), signature };
}
