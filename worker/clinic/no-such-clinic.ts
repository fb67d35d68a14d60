/** No clinic was founded under this number, or it was erased. Nothing was written. */
export class NoSuchClinic extends Error {
  override name = 'NoSuchClinic';
}

/** Whether an error, or what caused it, is that there is no such clinic. */
export function isNoSuchClinic(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof NoSuchClinic) return true;
  return false;
}
