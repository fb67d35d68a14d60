import type { RefreshedToken } from '../../../../shared/contracts/session.ts';
import { isRecord, isText, type Reader } from '../../ui/api/parse-response.ts';

export { type ClientError, isRecord, isText, isTextOrNull, type Reader } from '../../ui/api/parse-response.ts';

export const readRefreshed: Reader<RefreshedToken> = (body) =>
  isRecord(body) && isText(body.accessToken) ? { accessToken: body.accessToken } : null;
