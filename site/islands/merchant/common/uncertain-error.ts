import { hasNoMessage } from '#site/islands/ui/api/parse-response.ts';
import type { ClientError } from '../api/api.ts';

/** True if a sale may have started, because there was no reply, an unreadable one, or a server error. */
export const isUncertain = (error: ClientError): boolean => hasNoMessage(error) || error.status === 500;
