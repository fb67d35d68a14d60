import * as z from 'zod/mini';
import { DumpList, DumpManifest } from '#shared/contracts/operate';
import { findManifest, viewDumps } from '#worker/domain/operate/view-dumps';
import { accountIn, notFound } from '#worker/http/guards/operator-program';
import { type PublicRequest, type Routes, route } from '#worker/http/routes';

/** The nightly dumps: which there are, and what one has. */
export const dumpRoutes: Routes = {
  'GET /api/operate/clinics/:account/dumps': route({
    who: 'operator program',
    summary: 'List the backups of a clinic',
    query: z.object({ clinic: z.optional(z.string()) }),
    answers: { 200: DumpList },
    handle: list,
  }),
  'GET /api/operate/dumps': route({
    who: 'operator program',
    summary: 'Show the manifest of a backup',
    query: z.object({ folder: z.string() }),
    answers: { 200: DumpManifest },
    handle: manifest,
  }),
};

/** `clinic`: its number, where the account leads to none any more. */
async function list({ c, deps }: PublicRequest): Promise<Response> {
  const clinic = c.req.query('clinic');
  const number = clinic !== undefined && /^\d{1,15}$/.test(clinic) ? Number(clinic) : null;
  const found = await viewDumps(deps, accountIn(c), number);
  return found ? c.json(found) : notFound(c);
}

async function manifest({ c, deps }: PublicRequest): Promise<Response> {
  const found = await findManifest(deps, c.req.query('folder') ?? '');
  return found ? c.json(found) : notFound(c);
}
