import * as z from 'zod/mini';
import { actorKinds, auditActions } from '#shared/audit';
import { listLimits } from '#shared/limits';
import { auditGroups } from './audit.ts';

const number = (max: number, error: string) =>
  z.coerce.number({ error }).check(z.int({ error }), z.gte(1, { error }), z.lte(max, { error }));

const day = z
  .string()
  .check(
    z.refine(
      (text) =>
        /^\d{4}-\d\d-\d\d$/.test(text) &&
        !Number.isNaN(Date.parse(text)) &&
        new Date(text).toISOString().startsWith(text),
      { error: 'A day is written as 2026-03-04.' },
    ),
  );

const PERSON = new RegExp(`^(?:${actorKinds.join('|')})(?::[\\w-]{1,64})?$`);

/**
 * Parameters of GET /api/audit and GET /api/cms/audit. `before`: events below this number, from `next` of the previous
 * page. `person`: a kind of actor, or one actor such as `user:123`. `from` and `to`: days in the account's time zone,
 * inclusive. `about`: id of the subject, or an invoice number. `format=csv` returns all matching events.
 */
export const AuditQuery = z.object({
  before: z.optional(number(Number.MAX_SAFE_INTEGER, 'The page begins before an event, by its number.')),
  size: z._default(number(listLimits.rows, `The size must be a number from 1 to ${listLimits.rows}.`), 50),
  group: z.optional(
    z.enum(Object.keys(auditGroups) as (keyof typeof auditGroups)[], { error: 'There is no such kind of event.' }),
  ),
  person: z.optional(z.string().check(z.regex(PERSON, { error: 'There is no such person.' }))),
  from: z.optional(day),
  to: z.optional(day),
  about: z.optional(
    z.string().check(z.trim(), z.maxLength(listLimits.typedWords, { error: 'Please search for less.' })),
  ),
  format: z._default(z.enum(['json', 'csv'], { error: 'The format must be json or csv.' }), 'json'),
});
export type AuditQuery = z.output<typeof AuditQuery>;

/** Parameters of GET /api/operator/audit. `clinic`: its number in the directory. */
export const OperatorAuditQuery = z.extend(AuditQuery, {
  action: z.optional(z.enum(auditActions, { error: 'There is no such action.' })),
  clinic: z.optional(number(Number.MAX_SAFE_INTEGER, 'A clinic is given by its number.')),
});
export type OperatorAuditQuery = z.output<typeof OperatorAuditQuery>;

/** A query of any trail; only the operator's has the further filters. */
export type TrailRequest = AuditQuery & Partial<Pick<OperatorAuditQuery, 'action' | 'clinic'>>;

/** PUT /api/audit/mail */
export const AuditMailBody = z.strictObject({ weekly: z.boolean() });
export type AuditMailBody = z.input<typeof AuditMailBody>;
