import type { Context } from 'hono';
import type { RestoreBegun } from '#shared/contracts/operate';
import { RestoreBody, RestoreEndBody, RestorePieceBody } from '#shared/contracts/operate-request';
import type { Deps, Env } from '#worker/deps';
import { type ArchiveBegun, beginArchive, endArchive, restorePart } from '#worker/domain/leaving/restore-archive';
import type { PutOutcome } from '#worker/domain/operate/outcomes';
import { abandonRestoration, beginRestoration, endRestorationOf, restorePiece } from '#worker/domain/operate/restore';
import { accountIn, type Handle, notFound, numberIn, operatorOnly } from '#worker/http/guards/operator-program';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** A clinic's records, put back out of an archive or a dump. */
export function restorationRoutes(app: App, depsOf: (c: C) => Deps): void {
  const own = (handle: Handle) => operatorOnly(depsOf, handle);
  route(app, '/api/operate/restorations', { POST: own(begin) });
  route(app, '/api/operate/restorations/archive/:account', { POST: own(beginOfArchive) });
  route(app, '/api/operate/restorations/:clinic/parts/:part', { PUT: own(putPart) });
  route(app, '/api/operate/restorations/:clinic/pieces/:piece', { PUT: own(putPiece) });
  route(app, '/api/operate/restorations/:clinic/end', { POST: own(end) });
  route(app, '/api/operate/restorations/:clinic', { DELETE: own(abandon) });
}

const begin: Handle = async (c, deps) => {
  const body = await readJson(c, RestoreBody);
  if ('refusal' in body) return body.refusal;
  const begun = await beginRestoration(deps, body.data.account, body.data.schema);
  return begunAnswer(c, begun.kind === 'begun' ? { ...begun, parts: [] } : begun);
};

const bytesOf = async (c: C) => new Uint8Array(await c.req.arrayBuffer());

const beginOfArchive: Handle = async (c, deps) =>
  begunAnswer(c, await beginArchive(deps, accountIn(c), await bytesOf(c)));

function begunAnswer(c: C, begun: ArchiveBegun): Response {
  switch (begun.kind) {
    case 'begun':
      return c.json({ clinic: begun.clinic, parts: begun.parts } satisfies RestoreBegun, 201);
    case 'not-ours':
      return apiError(
        c,
        409,
        'conflict',
        'The archive is not one that this installation signed, or not as it was made.',
      );
    case 'of-another':
      return apiError(c, 409, 'conflict', `The archive is of account ${begun.account}.`);
    case 'there-is-one':
      return apiError(c, 409, 'conflict', 'The account has a clinic with records. Erase it first.');
    case 'newer':
      return apiError(
        c,
        409,
        'conflict',
        `The export is newer than this installation, which is at migration ${begun.schema}.`,
      );
    case 'too-old':
      return apiError(c, 409, 'conflict', 'The export is from before the first release and cannot be put back.');
  }
}

const putPart: Handle = async (c, deps) =>
  answerOf(c, await restorePart(deps, numberIn(c, 'clinic'), numberIn(c, 'part'), await bytesOf(c)));

const putPiece: Handle = async (c, deps) => {
  const body = await readJson(c, RestorePieceBody);
  if ('refusal' in body) return body.refusal;
  return answerOf(c, await restorePiece(deps, numberIn(c, 'clinic'), body.data.folder, numberIn(c, 'piece')));
};

function answerOf(c: C, outcome: PutOutcome): Response {
  switch (outcome.kind) {
    case 'back':
      return c.body(null, 204);
    case 'not-found':
      return notFound(c);
    case 'refused':
      return apiError(c, 409, 'conflict', `These rows were not taken: ${outcome.why}.`);
  }
}

const end: Handle = async (c, deps) => {
  const body = await readJson(c, RestoreEndBody);
  if ('refusal' in body) return body.refusal;
  const { data } = body;
  const clinic = numberIn(c, 'clinic');
  const outcome = await (data.folder === undefined
    ? endArchive(deps, clinic, data.account)
    : endRestorationOf(deps, clinic, data.account, data.folder));
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
        'The account was connected anew meanwhile. Erase that clinic and begin again.',
      );
    case 'differs':
      return apiError(c, 409, 'conflict', `What came back is not what was exported: ${outcome.what.join('; ')}.`);
  }
};

const abandon: Handle = async (c, deps) =>
  (await abandonRestoration(deps, numberIn(c, 'clinic'))) ? c.body(null, 204) : notFound(c);
