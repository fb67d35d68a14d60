import type { Context } from 'hono';
import type { InvitedOperator, Operators } from '#shared/contracts/operator';
import { listOpenCodes, listOperators } from '#worker/data/operators/operators';
import type { Deps, Env } from '#worker/deps';
import { inviteOperator, removeOperator } from '#worker/domain/operators/enrol';
import type { Operator } from '#worker/domain/operators/session';
import { operatorOnly } from '#worker/http/guards/require-operator';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Who the operators are: one invites and removes others. */
export function operatorRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/operator/operators', { GET: operatorOnly(depsOf, getOperators) });
  route(app, '/api/operator/operators/invitations', { POST: operatorOnly(depsOf, postInvitation) });
  route(app, '/api/operator/operators/:id', { DELETE: operatorOnly(depsOf, deleteOperator) });
}

const iso = (at: number) => new Date(at).toISOString();

async function getOperators(c: C, { installation, now }: Deps, { operatorId }: Operator): Promise<Response> {
  const [operators, codes] = await Promise.all([listOperators(installation), listOpenCodes(installation, now())]);
  const names = new Map(operators.map(({ id, name }) => [id, name]));
  return c.json({
    operators: operators.map(({ id, name, createdAt, lastSeenAt }) => ({
      ...{ id, name, created_at: iso(createdAt), is_you: id === operatorId },
      last_seen_at: lastSeenAt === null ? null : iso(lastSeenAt),
    })),
    codes: codes.map(({ invitedBy, endsAt }) => ({ by: names.get(invitedBy) ?? '', ends_at: iso(endsAt ?? 0) })),
  } satisfies Operators);
}

async function postInvitation(c: C, deps: Deps, operator: Operator): Promise<Response> {
  const { code, endsAt } = await inviteOperator(deps, operator);
  return c.json({ code, ends_at: iso(endsAt) } satisfies InvitedOperator, 201);
}

async function deleteOperator(c: C, deps: Deps): Promise<Response> {
  if (await removeOperator(deps, c.req.param('id') ?? '')) return c.body(null, 204);
  return apiError(c, 409, 'conflict', 'This operator is gone already, or is the only one.');
}
