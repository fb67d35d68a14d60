import { rolesWith, type StaffRight, staffRights } from '#shared/contracts/staff/team-values';
import { roleWords } from '#shared/text/staff-roles';
import type { RouteAccess } from '#worker/security/route-access';

/** OpenAPI security schemes, by which callers authenticate. */
export const schemes = {
  staff: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of a member of a clinic’s staff. Writes from a browser also need the refresh cookie.',
  },
  writer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a member of the content area.',
  },
  program: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret from the settings, one for each program.',
  },
  operator: {
    type: 'apiKey',
    in: 'cookie',
    name: 'operator',
    description: 'An operator’s session; `__Host-operator` if the address is https.',
  },
  pages: {
    type: 'apiKey',
    in: 'cookie',
    name: 'authToken',
    description: 'The cookies of a login in a browser, for pages and to renew a session.',
  },
} as const;
type Scheme = keyof typeof schemes;

/** `by` null: the capability is in the address itself, or none is required. */
type Caller = { says: string; by: Scheme | null };
const open = (says: string): Caller => ({ says, by: null });
const by = (scheme: Scheme, says: string): Caller => ({ says, by: scheme });

/** "Staff: bookkeeper, manager, administrator." */
const staffWith = Object.fromEntries(
  staffRights.map((right) => [
    `staff: ${right}`,
    by(
      'staff',
      `Staff: ${rolesWith(right)
        .map((role) => roleWords[role].name.toLowerCase())
        .join(', ')}.`,
    ),
  ]),
) as Record<`staff: ${StaffRight}`, Caller>;

/** The permitted callers of a route, in words and as an OpenAPI security scheme. */
export const callers: Record<RouteAccess, Caller> = {
  anyone: open('Anyone.'),
  'holder of a pay link': open('Anyone with the payment link, whose id is a secret.'),
  'holder of a receipt link': open('Anyone with the link to the receipt.'),
  'holder of a preview link': open('Anyone with the link to the preview.'),
  'holder of an invitation': open('Anyone with the link to the invitation.'),
  'holder of a stop link': open('Anyone with the unsubscribe link of a reminder.'),
  'holder of the token itself': open('The holder of the token in the address.'),
  staff: by('staff', 'Staff with any role.'),
  ...staffWith,
  'staff or holder of a pay link': by('staff', 'Staff with any role, by CRM id or pay id.'),
  'staff by cookie': by('pages', 'Staff in a browser; everyone else is redirected to the login.'),
  'holder of the refresh cookie': by('pages', 'The browser that holds the refresh cookie.'),
  editor: by('writer', 'Editors and owners of the content area.'),
  owner: by('writer', 'Owners of the content area.'),
  'editor by cookie': by(
    'pages',
    'Members of the content area in a browser; everyone else is redirected to its login.',
  ),
  'content account, even a waiting one': by('writer', 'Content accounts, including those that await approval.'),
  operator: by('operator', 'Operators.'),
  'operator who just showed the passkey': by('operator', 'Operators who confirmed their passkey just now.'),
  'provider webhook': open('The provider, by the secret in the address or by its signature.'),
  'site builder': by('program', 'The program that builds the site, by `BUILD_SECRET`.'),
  'tamper monitor': by('program', 'The tamper monitor, by `MONITOR_SECRET`.'),
  'operator program': by('program', 'The operator’s programs, by `OPERATOR_SECRET`.'),
};
