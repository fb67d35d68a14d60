import type { Env } from '#worker/deps';

/** `INSTALLATION_0`, `MEDIA_0` and so on, one of each per world, and the objects of all worlds. */
export type Worlds = Record<string, unknown>;

export const OWN_D1 = ['INSTALLATION'];
export const OWN_BUCKETS = ['MEDIA', 'AUDIT_ANCHORS', 'BACKUPS'];

/** The env of one world, as the product has it. */
export function worldEnv(worlds: Worlds, world: number, settings: Record<string, string | number>): Env {
  const own = [...OWN_D1, ...OWN_BUCKETS].map((name) => [name, worlds[`${name}_${world}`]]);
  return { CLINICS: worlds.CLINICS, ...Object.fromEntries(own), ...settings } as Env;
}

/** Each world has one clinic, with a number of its own: the worlds share the objects. */
export const clinicOfWorld = (world: number): number => world + 1;
