import * as z from 'zod/mini';
import {
  AnchorReply,
  PersonBody,
  PersonErased,
  PersonShown,
  TrailEnds,
  TrailRows,
} from '#shared/contracts/operators/operate';
import { ArchiveStatus } from '#shared/contracts/staff/archive-and-closing';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import type { Deps } from '#worker/deps';
import { fetchPart, requestArchive, viewArchive } from '#worker/domain/leaving/archive';
import { newestAnchor, viewTrailEnds, viewTrailRows } from '#worker/domain/operate/trail';
import { databaseOf } from '#worker/domain/operate/view';
import { erasePerson, findPersonData, presentErased, presentShown } from '#worker/domain/retention/erase';
import { accountIdOf, notFound, numberParamOf } from '#worker/http/guards/program-secret';
import { bytes, type C, type Routes, route } from '#worker/http/routes';

/** Routes for the records of one clinic, or of the installation, which is account 0. */
export const operateRecordRoutes: Routes = {
  'GET /api/operate/clinics/:account/archive': route({
    access: 'operator program',
    summary: 'Show the status of the archive of a clinic',
    answers: { 200: ArchiveStatus },
    handle: (request) =>
      replyForClinic(request, async (c, accountDeps) => c.json(await viewArchive(accountDeps, 'operator'))),
  }),
  'POST /api/operate/clinics/:account/archive': route({
    access: 'operator program',
    summary: 'Request an archive of a clinic',
    answers: { 202: ArchiveStatus },
    handle: (request) =>
      replyForClinic(request, async (c, accountDeps, account) =>
        c.json(await requestArchive(accountDeps, account, 'operator'), 202),
      ),
  }),
  'GET /api/operate/clinics/:account/archive/:id/parts/:part': route({
    access: 'operator program',
    summary: 'Download a part of the archive of a clinic',
    answers: { 200: bytes },
    handle: (request) => replyForClinic(request, getPart),
  }),
  'GET /api/operate/clinics/:account/trail': route({
    access: 'operator program',
    summary: 'Show the first and last event number of an audit trail',
    answers: { 200: TrailEnds },
    handle: (request) =>
      replyForAccount(request, async (c, accountDeps, account) => c.json(await viewTrailEnds(accountDeps, account))),
  }),
  'GET /api/operate/clinics/:account/trail/:rows': route({
    access: 'operator program',
    summary: 'List events or seals of an audit trail',
    query: z.object({ from: z.string(), to: z.string() }),
    answers: { 200: TrailRows },
    handle: (request) => replyForAccount(request, getRows),
  }),
  'POST /api/operate/clinics/:account/person': route({
    access: 'operator program',
    summary: 'Show or erase the data stored about a person',
    body: PersonBody,
    answers: { 200: [PersonShown, PersonErased] },
    handle: (request) =>
      replyForAccount(request, (c, accountDeps, accountId) => postPerson(c, accountDeps, accountId, request.body)),
  }),
  'GET /api/operate/anchor': route({
    access: 'operator program',
    summary: 'Show the latest anchor of the audit trails',
    answers: { 200: AnchorReply },
    handle: async ({ c, deps }) => c.json({ anchor: await newestAnchor(deps) }),
  }),
};

type AccountHandler = (c: C, accountDeps: Deps, account: number) => Promise<Response>;
type ProgramRequest = { c: C; deps: Deps };

/** Responds from the database of the account in the path; 0 is the installation. */
async function replyForAccount({ c, deps }: ProgramRequest, answer: AccountHandler): Promise<Response> {
  const account = accountIdOf(c);
  const accountDeps = account < 0 ? null : await databaseOf(deps, account);
  return accountDeps ? answer(c, accountDeps, account) : notFound(c);
}

const replyForClinic = (request: ProgramRequest, answer: AccountHandler): Promise<Response> =>
  accountIdOf(request.c) === 0 ? Promise.resolve(notFound(request.c)) : replyForAccount(request, answer);

async function getPart(c: C, accountDeps: Deps, accountId: number): Promise<Response> {
  const partRef = { accountId, kind: 'operator', id: c.req.param('id') ?? '', part: numberParamOf(c, 'part') } as const;
  const part = await fetchPart(accountDeps, partRef);
  return part ? c.body(part.body, 200, { 'content-type': 'application/octet-stream' }) : notFound(c);
}

async function getRows(c: C, accountDeps: Deps, account: number): Promise<Response> {
  const kind = c.req.param('rows');
  const [from, to] = ['from', 'to'].map((name) => Number(c.req.query(name) ?? Number.NaN));
  const isValid = (kind === 'events' || kind === 'seals') && Number.isSafeInteger(from) && Number.isSafeInteger(to);
  return isValid
    ? c.json(await viewTrailRows(accountDeps, account, { kind, from: from ?? 0, to: to ?? 0 }))
    : notFound(c);
}

async function postPerson(
  c: C,
  accountDeps: Deps,
  accountId: number,
  { email, erase }: z.output<typeof PersonBody>,
): Promise<Response> {
  const person = { accountId, email };
  // A listed clinic without a database has no records, and must not abort a loop over all clinics.
  if (erase) return c.json(presentErased((await unlessErased(erasePerson(accountDeps, person))) ?? []));
  return c.json(presentShown((await unlessErased(findPersonData(accountDeps, person))) ?? []));
}
