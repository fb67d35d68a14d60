import { z } from 'zod';

/** HubSpot's answers, as far as we read them. Every property is a string or null on the wire, numbers included. */

const properties = z.record(z.string(), z.string().nullish());

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
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
  scopes: z.array(z.string()).default([]),
});

export const ErrorReply = z.object({
  error: z.string().optional(),
  status: z.string().optional(),
  category: z.string().optional(),
  message: z.string().optional(),
  correlationId: z.string().optional(),
});
