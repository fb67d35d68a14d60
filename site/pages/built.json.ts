import type { APIRoute } from 'astro';
import type { BuiltSite } from '#shared/contracts/content/content';
import { readSite } from '../content/read-site.ts';

/** The content revision of this build; the content area reads it from the live site. */
export const GET: APIRoute = async () => {
  const { revision } = await readSite();
  return Response.json({ revision, builtAt: new Date().toISOString() } satisfies BuiltSite);
};
