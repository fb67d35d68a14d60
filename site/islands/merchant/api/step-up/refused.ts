import type { ApiClient } from '#site/islands/ui/api/api-client.ts';
import type { ClientError, Reader } from '#site/islands/ui/api/parse-response.ts';

/** A call that the Worker does only for somebody who just proved who they are; `ways`: how, as it said. */
export type Refused<T> = {
  error: ClientError & { ways?: unknown };
  path: string;
  read: Reader<T>;
  init: RequestInit | undefined;
  client: ApiClient;
};
