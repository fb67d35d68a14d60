import type { Env } from '#worker/deps';

/** The bindings of all worlds: `INSTALLATION_0`, `MEDIA_0` and so on, and the objects that all worlds share. */
export type Worlds = Record<string, unknown>;

export const OWN_D1 = ['INSTALLATION'];
export const OWN_BUCKETS = ['MEDIA', 'AUDIT_ANCHORS', 'BACKUPS'];

/** The env of one world, as the product has it. */
export function worldEnv(worlds: Worlds, world: number, settings: Record<string, string | number>): Env {
  const worldBindings = [...OWN_D1, ...OWN_BUCKETS].map((name) => [name, worlds[`${name}_${world}`]]);
  return { CLINICS: worlds.CLINICS, ...Object.fromEntries(worldBindings), ...settings } as Env;
}

/** The number of a world's only clinic. It differs per world because the worlds share the objects. */
export const clinicOfWorld = (world: number): number => world + 1;
