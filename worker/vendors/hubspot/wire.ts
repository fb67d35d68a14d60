import * as z from 'zod/mini';
import { plainText } from '#shared/text/safe-text';

/** HubSpot's responses, limited to the fields that we read. Every property, even a number, is a string or null. */

/** The maximum length of a stored text (characters), because several longer ones would exceed the maximum row size. */
const MAX_TEXT = 4000;

const properties = z.record(z.string(), z.nullish(z.pipe(z.string(), z.transform(plainText))));

function truncateTexts<T extends { properties: z.output<typeof properties> }>(object: T): T & { cut: number } {
  const truncated = { ...object.properties };
  let cut = 0;
  for (const [name, text] of Object.entries(truncated)) {
    if (!text || text.length <= MAX_TEXT) continue;
    // Do not split a surrogate pair.
    truncated[name] = text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
    cut += 1;
  }
  return { ...object, properties: truncated, cut };
}

const InlineLinks = z.object({
  results: z.array(z.object({ id: z.coerce.string(), type: z._default(z.string(), '') })),
});

/** `cut` counts the truncated texts of the record. */
export const CrmObject = z.pipe(
  z.object({
    id: z.coerce.string(),
    properties,
    createdAt: z.optional(z.string()),
    updatedAt: z.optional(z.string()),
    associations: z.optional(z.object({ contacts: z.optional(InlineLinks), companies: z.optional(InlineLinks) })),
  }),
  z.transform(truncateTexts),
);
export type CrmObject = z.output<typeof CrmObject>;

export const CrmObjects = z.object({ results: z.array(CrmObject) });

const paging = z.optional(z.object({ next: z.optional(z.object({ after: z.coerce.string() })) }));

export const CrmPage = z.object({ results: z.array(CrmObject), paging });
export const SearchPage = z.object({ total: z.number(), results: z.array(CrmObject), paging });

/** `toObjectId` is a number in the docs' samples and a string in the schema. */
export const Associations = z.object({
  results: z.array(
    z.object({
      from: z.object({ id: z.coerce.string() }),
      to: z.array(
        z.object({
          toObjectId: z.coerce.string(),
          associationTypes: z._default(z.array(z.object({ label: z.nullish(z.string()) })), []),
        }),
      ),
      /** Present where a record has more links than fit on a page. */
      paging,
    }),
  ),
});
export type AssociationLink = z.output<typeof Associations>['results'][number]['to'][number];

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

export type Introspection = z.output<typeof Introspection>;

/** The newest API version documents only this field. */
export const LiveToken = z.object({ active: z.literal(true) });

export const AccountDetails = z.object({ timeZone: z._default(z.string(), 'UTC') });

export const ErrorReply = z.object({
  error: z.optional(z.string()),
  status: z.optional(z.string()),
  category: z.optional(z.string()),
  message: z.optional(z.string()),
  correlationId: z.optional(z.string()),
  policyName: z.optional(z.string()),
});
