import { RefreshedToken } from '../../../../shared/contracts/session.ts';
import { readWith } from '../../ui/api/read-with.ts';

export type { ClientError } from '../../ui/api/parse-response.ts';

export const readRefreshed = readWith(RefreshedToken);
