import type * as z from 'zod/mini';

type Read<T> = (body: unknown) => T | null;

/**
 * A reader of what a contract's schema describes. Fields that it does not name are left out, so that a newer Worker may add
 * some while an old page is open. `pick` takes from the answer what the screen needs.
 */
export function readWith<T>(schema: z.ZodMiniType<T>): Read<T>;
export function readWith<T, Picked>(schema: z.ZodMiniType<T>, pick: (answer: T) => Picked): Read<Picked>;
export function readWith<T>(schema: z.ZodMiniType<T>, pick = (answer: T): unknown => answer): Read<unknown> {
  return (body) => {
    const read = schema.safeParse(body);
    return read.success ? pick(read.data) : null;
  };
}
