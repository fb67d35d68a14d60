import * as z from 'zod/mini';
import { Email } from './person-request.ts';

/** What the operator's programs send to `/api/operate`. */

const whole = z.number().check(z.int(), z.gte(0));
/** Names a dump. */
const folder = z.string().check(z.regex(/^(nightly|monthly)\/\d{1,15}\/[0-9TZ-]{1,30}\/$/));

/** Out of the manifest of a dump; account 0 is the installation. */
export const RestoreBody = z.object({
  account: whole,
  schema: whole,
});

/** Of which dump; without one, of the archive that the restore was begun with. */
export const RestoreEndBody = z.object({ account: whole, folder: z.optional(folder) });

/** A piece of which dump. */
export const RestorePieceBody = z.object({ folder });

export const PersonBody = z.object({
  email: z.string().check(z.regex(/^\s*[^\s@]+@[^\s@]+\s*$/, 'Give the address of a person.'), z.maxLength(320)),
  erase: z.boolean(),
});

export const HandOverBody = z.object({ email: Email });

export const EraseBody = z.object({ name: z.string().check(z.maxLength(300)) });
