/**
 * Start of the trailer of a clinic's archive. The trailer consists of this marker, the offset of the last part, and a
 * signature over that part up to the signature itself.
 */
export const ARCHIVE_MARK = 'tillway archive 1 ';

const TRAILER = new RegExp(`${ARCHIVE_MARK}(\\d{1,15}) ([0-9a-f]{64})$`);
/** Maximum length of the trailer (characters). */
export const MAX_TRAILER_LENGTH = ARCHIVE_MARK.length + 15 + 1 + 64;

/** Returns the offset and the signature of the last part. Null if the text is not the end of an archive. */
export function parseArchiveTrailer(last: string): { at: number; signature: string } | null {
  const [, at = '', signature = ''] = TRAILER.exec(last) ?? [];
  return signature === '' ? null : { at: Number(at), signature };
}
