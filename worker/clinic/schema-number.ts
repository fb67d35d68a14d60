/** How many migrations a clinic's database has. `npm run registers` writes this file, out of migrations/clinic/. */
export const CLINIC_SCHEMA = 47;
