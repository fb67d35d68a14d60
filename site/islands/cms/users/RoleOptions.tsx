import { roleNames, roles } from '#shared/contracts/content/content-values';

export const RoleOptions = () =>
  roles.map((role) => (
    <option key={role} value={role}>
      {roleNames[role].name}
    </option>
  ));
