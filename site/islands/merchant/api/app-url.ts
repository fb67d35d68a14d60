import * as z from 'zod/mini';
import { ask } from '#site/islands/ui/api/api-client.ts';
import { readWith } from '#site/islands/ui/api/read-with.ts';

const readAppUrl = readWith(z.object({ appUrl: z.string() }), ({ appUrl }) => appUrl);

let known: string | null = null;

/** Asks for the product's public address when the app loads: this browser may use another host name. */
export async function loadAppUrl(): Promise<void> {
  const answer = await ask({ fetch: (path, init) => fetch(path, init) }, '/app_url', readAppUrl, {});
  if (answer.ok) known = answer.value;
}

/** The start of a link that is sent to other people. */
export const appUrl = (): string => known ?? window.location.origin;
