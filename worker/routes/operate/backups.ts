import * as z from 'zod/mini';
import {
  DumpList,
  DumpManifest,
  RestoreBegun,
  RestoreBody,
  RestoreEndBody,
  RestoreEnded,
  RestorePieceBody,
} from '#shared/contracts/operators/operate';
import {
  type BeginArchiveOutcome,
  beginArchiveRestore,
  endArchiveRestore,
  restorePart,
} from '#worker/domain/leaving/restore-archive';
import { findManifest, viewDumps } from '#worker/domain/operate/dump';
import { abandonRestoration, beginRestoration, endDumpRestoration, restorePiece } from '#worker/domain/operate/restore';
import type { PutOutcome } from '#worker/domain/operate/restore-installation';
import { accountIdOf, notFound, numberParamOf } from '#worker/http/guards/program-secret';
import { apiError } from '#worker/http/reply/errors';
import { bytes, type C, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes that restore a clinic's records from an archive or a dump. */
export const restorationRoutes: Routes = {
  'POST /api/operate/restorations': route({
    access: 'operator program',
    summary: 'Start restoring a clinic from a backup',
    body: RestoreBody,
    answers: { 201: RestoreBegun },
    errors: [409],
    handle: postRestoration,
  }),
  'POST /api/operate/restorations/archive/:account': route({
    access: 'operator program',
    summary: 'Start restoring a clinic from an archive',
    body: bytes,
    answers: { 201: RestoreBegun },
    errors: [409],
    handle: beginFromArchive,
  }),
  'PUT /api/operate/restorations/:clinic/parts/:part': route({
    access: 'operator program',
    summary: 'Restore a part of an archive',
    body: bytes,
    answers: { 204: noBody },
    errors: [409],
    handle: putPart,
  }),
  'PUT /api/operate/restorations/:clinic/pieces/:piece': route({
    access: 'operator program',
    summary: 'Restore a piece of a backup',
    body: RestorePieceBody,
    answers: { 204: noBody },
    errors: [409],
    handle: putPiece,
  }),
  'POST /api/operate/restorations/:clinic/end': route({
    access: 'operator program',
    summary: 'Complete the restoration of a clinic',
    body: RestoreEndBody,
    answers: { 200: RestoreEnded },
    errors: [409],
    handle: postEnd,
  }),
  'DELETE /api/operate/restorations/:clinic': route({
    access: 'operator program',
    summary: 'Abandon the restoration of a clinic',
    answers: { 204: noBody },
    handle: deleteRestoration,
  }),
};

async function postRestoration({ c, deps, body }: PublicRequest<typeof RestoreBody>): Promise<Response> {
  const restoration = await beginRestoration(deps, body.account, body.schema);
  return beginReply(c, restoration.kind === 'begun' ? { ...restoration, parts: [] } : restoration);
}

const bytesOf = async (c: C) => new Uint8Array(await c.req.arrayBuffer());

async function beginFromArchive({ c, deps }: PublicRequest): Promise<Response> {
  return beginReply(c, await beginArchiveRestore(deps, accountIdOf(c), await bytesOf(c)));
}

function beginReply(c: C, outcome: BeginArchiveOutcome): Response {
  switch (outcome.kind) {
    case 'begun':
      return c.json({ clinic: outcome.clinic, parts: outcome.parts } satisfies RestoreBegun, 201);
    case 'not-ours':
      return apiError(
        c,
        409,
        'conflict',
        'The archive is not one that this installation signed, or not as it was made.',
      );
    case 'of-another':
      return apiError(c, 409, 'conflict', `The archive is of account ${outcome.account}.`);
    case 'there-is-one':
      return apiError(c, 409, 'conflict', 'The account has a clinic with records. Erase it first.');
    case 'newer':
      return apiError(
        c,
        409,
        'conflict',
        `The export is newer than this installation, which is at migration ${outcome.schema}.`,
      );
    case 'too-old':
      return apiError(c, 409, 'conflict', 'The export is from before the first release and cannot be put back.');
  }
}

async function putPart({ c, deps }: PublicRequest): Promise<Response> {
  return putReply(c, await restorePart(deps, numberParamOf(c, 'clinic'), numberParamOf(c, 'part'), await bytesOf(c)));
}

async function putPiece({ c, deps, body }: PublicRequest<typeof RestorePieceBody>): Promise<Response> {
  return putReply(c, await restorePiece(deps, numberParamOf(c, 'clinic'), body.folder, numberParamOf(c, 'piece')));
}

function putReply(c: C, outcome: PutOutcome): Response {
  switch (outcome.kind) {
    case 'back':
      return c.body(null, 204);
    case 'not-found':
      return notFound(c);
    case 'refused':
      return apiError(c, 409, 'conflict', `These rows were not taken: ${outcome.reason}.`);
  }
}

async function postEnd({ c, deps, body }: PublicRequest<typeof RestoreEndBody>): Promise<Response> {
  const clinic = numberParamOf(c, 'clinic');
  const outcome = await (body.folder === undefined
    ? endArchiveRestore(deps, clinic, body.account)
    : endDumpRestoration(deps, clinic, body.account, body.folder));
  switch (outcome.kind) {
    case 'ended':
      return c.json(outcome.ended);
    case 'not-found':
      return notFound(c);
    case 'taken':
      return apiError(
        c,
        409,
        'conflict',
        'The account has been connected again since. Erase that clinic and begin again.',
      );
    case 'differs':
      return apiError(
        c,
        409,
        'conflict',
        `What came back is not what was exported: ${outcome.differences.join('; ')}.`,
      );
  }
}

async function deleteRestoration({ c, deps }: PublicRequest): Promise<Response> {
  return (await abandonRestoration(deps, numberParamOf(c, 'clinic'))) ? c.body(null, 204) : notFound(c);
}

/** Routes that list the nightly dumps and show the content of a dump. */
export const dumpRoutes: Routes = {
  'GET /api/operate/clinics/:account/dumps': route({
    access: 'operator program',
    summary: 'List the backups of a clinic',
    query: z.object({ clinic: z.optional(z.string()) }),
    answers: { 200: DumpList },
    handle: getDumps,
  }),
  'GET /api/operate/dumps': route({
    access: 'operator program',
    summary: 'Show the manifest of a backup',
    query: z.object({ folder: z.string() }),
    answers: { 200: DumpManifest },
    handle: getManifest,
  }),
};

/** The query parameter `clinic` is the clinic number, which is needed if the account no longer has a clinic. */
async function getDumps({ c, deps }: PublicRequest): Promise<Response> {
  const clinic = c.req.query('clinic');
  const number = clinic !== undefined && /^\d{1,15}$/.test(clinic) ? Number(clinic) : null;
  const dumps = await viewDumps(deps, accountIdOf(c), number);
  return dumps ? c.json(dumps) : notFound(c);
}

async function getManifest({ c, deps }: PublicRequest): Promise<Response> {
  const manifest = await findManifest(deps, c.req.query('folder') ?? '');
  return manifest ? c.json(manifest) : notFound(c);
}
