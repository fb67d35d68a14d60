import * as z from 'zod/mini';

/** What the operator's programs send to `/api/operate`. */

const whole = z.number().check(z.int(), z.gte(0));
/** Names a dump. */
const folder = z.string().check(z.regex(/^(nightly|monthly)\/\d{1,15}\/[0-9TZ-]{1,30}\/$/));
const cell = z.union([z.string(), z.number(), z.null()]);

/** Out of the manifest of an export or a dump; account 0 is the installation. */
export const RestoreBody = z.object({
  account: whole,
  schema: whole,
});

export const RestoreRowsBody = z.object({
  rows: z.array(z.record(z.string().check(z.regex(/^[a-z_0-9]{1,40}$/)), cell)).check(z.maxLength(1000)),
});

/** What the export had, so that the end of the restore can be held against it; or which dump it was, which says it itself. */
export const RestoreEndBody = z.union([
  z.object({
    account: whole.check(z.gte(1)),
    counts: z.record(z.string(), whole),
    ledgerCents: z.number().check(z.int()),
  }),
  z.object({ account: whole, folder }),
]);

/** A piece of which dump. */
export const RestorePieceBody = z.object({ folder });

export const PersonBody = z.object({
  email: z.string().check(z.regex(/^\s*[^\s@]+@[^\s@]+\s*$/, 'Give the address of a person.'), z.maxLength(320)),
  erase: z.boolean(),
});

export const EraseBody = z.object({ name: z.string().check(z.maxLength(300)) });
