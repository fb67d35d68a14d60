import { InvitedOperator, Operators } from '#shared/contracts/operator';
import { listOpenCodes, listOperators } from '#worker/data/operators/operators';
import { inviteOperator, removeOperator } from '#worker/domain/operators/enrol';
import { apiError } from '#worker/http/reply/errors';
import { nothing, type OperatorRequest, type Routes, route } from '#worker/http/routes';

/** Who the operators are: one invites and removes others. */
export const operatorRoutes: Routes = {
  'GET /api/operator/operators': route({
    who: 'operator',
    summary: 'List operators and open invitations',
    answers: { 200: Operators },
    handle: getOperators,
  }),
  'POST /api/operator/operators/invitations': route({
    who: 'operator who just showed the passkey',
    summary: 'Invite an operator',
    answers: { 201: InvitedOperator },
    handle: postInvitation,
  }),
  'DELETE /api/operator/operators/:id': route({
    who: 'operator who just showed the passkey',
    summary: 'Remove an operator',
    answers: { 204: nothing },
    errors: [409],
    handle: deleteOperator,
  }),
};

const iso = (at: number) => new Date(at).toISOString();

async function getOperators({
  c,
  deps: { installation, now },
  operator: { operatorId },
}: OperatorRequest): Promise<Response> {
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

async function postInvitation({ c, deps, operator }: OperatorRequest): Promise<Response> {
  const { code, endsAt } = await inviteOperator(deps, operator);
  return c.json({ code, ends_at: iso(endsAt) } satisfies InvitedOperator, 201);
}

async function deleteOperator({ c, deps }: OperatorRequest): Promise<Response> {
  if (await removeOperator(deps, c.req.param('id') ?? '')) return c.body(null, 204);
  return apiError(c, 409, 'conflict', 'This operator is gone already, or is the only one.');
}
