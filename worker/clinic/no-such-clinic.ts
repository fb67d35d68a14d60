/** No clinic was founded under this number, or it was erased. Nothing was written. */
export class NoSuchClinic extends Error {
  override name = 'NoSuchClinic';
}

/** What was read of a clinic; undefined where there is none any more. */
export const unlessErased = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((cause: unknown) => {
    if (isNoSuchClinic(cause)) return undefined;
    throw cause;
  });

/** Whether an error, or what caused it, is that there is no such clinic. */
export function isNoSuchClinic(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof NoSuchClinic) return true;
  return false;
}
