import type { Deps } from '#worker/deps';

/** When an account's records were put back last (UTC ms), with all clinics or (`own`) with its clinic alone; 0: never. */
export const restoredAtOf = ({ RESTORED_AT }: Pick<Deps['settings'], 'RESTORED_AT'>, own: number | null): number =>
  Math.max(RESTORED_AT ?? 0, own ?? 0);
