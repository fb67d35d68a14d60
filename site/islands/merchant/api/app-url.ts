import { ask } from '../../ui/api/api-client.ts';
import { isRecord, isText, type Reader } from '../../ui/api/parse-response.ts';

const readAppUrl: Reader<string> = (body) => (isRecord(body) && isText(body.appUrl) ? body.appUrl : null);

let known: string | null = null;

/** Ask, when the app is loaded, for the product's own address: this browser may have come by another name. */
export async function loadAppUrl(): Promise<void> {
  const answer = await ask({ fetch: (path, init) => fetch(path, init) }, '/app_url', readAppUrl, {});
  if (answer.ok) known = answer.value;
}

/** What a link begins with that goes out to somebody else. */
export const appUrl = (): string => known ?? window.location.origin;
