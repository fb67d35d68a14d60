import * as z from 'zod/mini';

/** The caller's own id of what it asks for, a UUID, so that asking again is asking once. */
export const requestId = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
