/** Thrown for a number under which no clinic exists. Nothing was written. */
export class NoSuchClinic extends Error {
  override name = 'NoSuchClinic';
}

/** Resolves to undefined instead of rejecting if the clinic no longer exists. */
export const unlessErased = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((cause: unknown) => {
    if (isNoSuchClinic(cause)) return undefined;
    throw cause;
  });

/** True if an error, or one of its causes, is NoSuchClinic. */
export function isNoSuchClinic(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof NoSuchClinic) return true;
  return false;
}
