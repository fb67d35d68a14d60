import type { Deps } from '#worker/deps';

/** The deps for what is done for a clinic. */
export const ofClinic = (deps: Deps, clinic: number): Deps => ({ ...deps, db: deps.clinics.db(clinic) });
