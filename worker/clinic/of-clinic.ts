import type { Deps } from '#worker/deps';
import { capabilityOf, clinicOf } from './capability.ts';

/** The deps for what is done for a clinic. */
export const ofClinic = (deps: Deps, clinic: number): Deps => ({
  ...deps,
  clinic,
  db: deps.clinics.db(clinic),
  newCapability: () => capabilityOf(deps.settings.CAPABILITY_KEYS, clinic, deps.newSecret()),
});

/** The deps of the clinic that a capability names. Null: we never made it, and no object is touched. */
export function ofCapability(deps: Deps, capability: string): Deps | null {
  const clinic = clinicOf(deps.settings.CAPABILITY_KEYS, capability);
  return clinic === null ? null : ofClinic(deps, clinic);
}
