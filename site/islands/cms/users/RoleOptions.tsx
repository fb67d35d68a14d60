import { roleNames, roles } from '../../../../shared/contracts/content/content-values.ts';

export const RoleOptions = () =>
  roles.map((role) => (
    <option key={role} value={role}>
      {roleNames[role].name}
    </option>
  ));
