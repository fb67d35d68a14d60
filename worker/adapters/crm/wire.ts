import * as z from 'zod/mini';

/** HubSpot's answers, as far as we read them. Every property is a string or null on the wire, numbers included. */

const properties = z.record(z.string(), z.nullish(z.string()));

export const CrmObject = z.object({ id: z.coerce.string(), properties });
export const CrmObjects = z.object({ results: z.array(CrmObject) });

/** `toObjectId` is a number in the docs' samples and a string in the schema. */
export const Associations = z.object({
  results: z.array(
    z.object({
      from: z.object({ id: z.coerce.string() }),
      to: z.array(z.object({ toObjectId: z.coerce.string() })),
    }),
  ),
});

export const TokenReply = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_in: z.number().check(z.positive()),
  scopes: z._default(z.array(z.string()), []),
});

export const Introspection = z.object({
  active: z._default(z.boolean(), true),
  hub_id: z.coerce.number(),
  user_id: z.coerce.number(),
  user: z._default(z.string(), ''),
  hub_domain: z._default(z.string(), ''),
  scopes: z._default(z.array(z.string()), []),
});

export const AccountDetails = z.object({ timeZone: z._default(z.string(), 'UTC') });

export const ErrorReply = z.object({
  error: z.optional(z.string()),
  status: z.optional(z.string()),
  category: z.optional(z.string()),
  message: z.optional(z.string()),
  correlationId: z.optional(z.string()),
});
