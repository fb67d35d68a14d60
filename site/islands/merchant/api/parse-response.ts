import { RefreshedToken } from '#shared/contracts/session';
import { readWith } from '#site/islands/ui/api/read-with.ts';

export type { ClientError } from '#site/islands/ui/api/parse-response.ts';

export const readRefreshed = readWith(RefreshedToken);
