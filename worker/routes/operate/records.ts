import type { Context } from 'hono';
import type { PersonErased, PersonShown } from '#shared/contracts/operate';
import { PersonBody } from '#shared/contracts/operate-request';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import type { Deps, Env } from '#worker/deps';
import { askArchive, fetchPart, viewArchive } from '#worker/domain/leaving/archive';
import { databaseOf } from '#worker/domain/operate/find';
import { newestAnchor, viewTrailEnds, viewTrailRows } from '#worker/domain/operate/records';
import { erasePerson, showPerson } from '#worker/domain/retention/person';
import { accountIn, type Handle, notFound, numberIn, operatorOnly } from '#worker/http/guards/operator-program';
import { readJson } from '#worker/http/read/json';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;
type Own = (c: C, own: Deps, account: number) => Promise<Response>;

/** Records of one clinic, or of the installation as account 0. */
export function operateRecordRoutes(app: App, depsOf: (c: C) => Deps): void {
  const own = (handle: Own) =>
    operatorOnly(depsOf, async (c, deps) => {
      const account = accountIn(c);
      const found = account < 0 ? null : await databaseOf(deps, account);
      return found ? handle(c, found, account) : notFound(c);
    });
  const clinic = (handle: Own) =>
    own((c, found, account) => (account === 0 ? Promise.resolve(notFound(c)) : handle(c, found, account)));
  route(app, '/api/operate/clinics/:account/archive', { GET: clinic(archive), POST: clinic(ask) });
  route(app, '/api/operate/clinics/:account/archive/:id/parts/:part', { GET: clinic(part) });
  route(app, '/api/operate/clinics/:account/trail', { GET: own(ends) });
  route(app, '/api/operate/clinics/:account/trail/:rows', { GET: own(rows) });
  route(app, '/api/operate/clinics/:account/person', { POST: own(person) });
  route(app, '/api/operate/anchor', { GET: operatorOnly(depsOf, anchor) });
}

const archive: Own = async (c, own) => c.json(await viewArchive(own, 'operator'));

const ask: Own = async (c, own, account) => c.json(await askArchive(own, account, 'operator'), 202);

const part: Own = async (c, own, accountId) => {
  const asked = { accountId, kind: 'operator', id: c.req.param('id') ?? '', part: numberIn(c, 'part') } as const;
  const found = await fetchPart(own, asked);
  return found ? c.body(found.body, 200, { 'content-type': 'application/octet-stream' }) : notFound(c);
};

const ends: Own = async (c, own, account) => c.json(await viewTrailEnds(own, account));

const rows: Own = async (c, own, account) => {
  const kind = c.req.param('rows');
  const [from, to] = ['from', 'to'].map((name) => Number(c.req.query(name) ?? Number.NaN));
  const isGood = (kind === 'events' || kind === 'seals') && Number.isSafeInteger(from) && Number.isSafeInteger(to);
  return isGood ? c.json(await viewTrailRows(own, account, { kind, from: from ?? 0, to: to ?? 0 })) : notFound(c);
};

const person: Own = async (c, own) => {
  const body = await readJson(c, PersonBody);
  if ('refusal' in body) return body.refusal;
  const { email, erase } = body.data;
  // A clinic of the directory that was never made holds nothing, and must not end a walk over all of them.
  if (erase) {
    const erased = (await unlessErased(erasePerson(own, email))) ?? [];
    return c.json({
      erased: erased.map(({ name, found, erased: n, stays }) => ({ name, found, erased: n, stays })),
    } satisfies PersonErased);
  }
  const shown = (await unlessErased(showPerson(own, email))) ?? [];
  return c.json({
    shown: shown.map(({ name, rows: some, erasable, stays }) => ({ name, rows: some, erasable, stays })),
  } satisfies PersonShown);
};

const anchor: Handle = async (c, deps) => c.json({ anchor: await newestAnchor(deps) });
