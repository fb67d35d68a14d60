import { type StaffRole, staffRoles } from '#shared/contracts/team-values';

/** Whether staff of a role may do what asks for at least another one. */
export const reaches = (role: StaffRole, least: StaffRole): boolean =>
  staffRoles.indexOf(role) >= staffRoles.indexOf(least);
