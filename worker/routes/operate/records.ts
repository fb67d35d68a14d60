import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { PersonErased, PersonShown } from '#shared/contracts/operate';
import { PersonBody } from '#shared/contracts/operate-request';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import type { Deps, Env } from '#worker/deps';
import { exportPiece, planExport } from '#worker/domain/operate/export';
import { databaseOf } from '#worker/domain/operate/find';
import { newestAnchor, viewTrailEnds, viewTrailRows } from '#worker/domain/operate/records';
import { erasePerson, showPerson } from '#worker/domain/retention/person';
import { accountIn, type Handle, notFound, operatorOnly } from '#worker/http/guards/operator-program';
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
  route(app, '/api/operate/clinics/:account/export', { GET: operatorOnly(depsOf, plan) });
  route(app, '/api/operate/clinics/:account/export/:table', { GET: operatorOnly(depsOf, piece) });
  route(app, '/api/operate/clinics/:account/trail', { GET: own(ends) });
  route(app, '/api/operate/clinics/:account/trail/:rows', { GET: own(rows) });
  route(app, '/api/operate/clinics/:account/person', { POST: own(person) });
  route(app, '/api/operate/anchor', { GET: operatorOnly(depsOf, anchor) });
}

const plan: Handle = async (c, deps) => {
  const found = await planExport(deps, accountIn(c));
  return found ? c.json(found) : notFound(c);
};

const After = z.union([z.null(), z.array(z.union([z.string(), z.number()])).check(z.maxLength(4))]);

function afterIn(c: C): z.output<typeof After> | undefined {
  try {
    return After.safeParse(JSON.parse(c.req.query('after') ?? 'null')).data;
  } catch {
    return undefined;
  }
}

const piece: Handle = async (c, deps) => {
  const after = afterIn(c);
  const found = after === undefined ? null : await exportPiece(deps, accountIn(c), c.req.param('table') ?? '', after);
  return found ? c.json(found) : notFound(c);
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
