import type { Who } from '#worker/security/who';

/** How callers show who they are, in the words of OpenAPI. */
export const schemes = {
  staff: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of a member of a clinic’s staff. A write that comes from a browser needs the refresh cookie beside it.',
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
    description: 'The secret of one program of the installation, which its settings name.',
  },
  operator: {
    type: 'apiKey',
    in: 'cookie',
    name: 'operator',
    description: 'The session of who runs the installation; `__Host-operator` where the address is https.',
  },
  pages: {
    type: 'apiKey',
    in: 'cookie',
    name: 'authToken',
    description: 'The cookies of a login in a browser. Pages and the renewal of a session go by them.',
  },
} as const;
type Scheme = keyof typeof schemes;

/** The capability is in the address itself, or nothing is asked for. */
const open = (says: string) => ({ says, by: null });
const by = (scheme: Scheme, says: string) => ({ says, by: scheme });

/** Whom a row of the permissions lets in, for people and for programs. */
export const callers: Record<Who, { says: string; by: Scheme | null }> = {
  anyone: open('Anyone.'),
  'holder of a pay link': open('Who has the pay link: its id is the secret.'),
  'holder of a receipt link': open('Who has the link of the receipt.'),
  'holder of a preview link': open('Who has the link of the preview.'),
  'holder of an invitation': open('Who has the link of the invitation.'),
  'holder of a stop link': open('Who has the link at the foot of a reminder.'),
  'holder of the token itself': open('Who has the token that the address names.'),
  reader: by('staff', 'Staff of every role.'),
  desk: by('staff', 'Staff: front desk, managers and administrators.'),
  manager: by('staff', 'Staff: managers and administrators.'),
  admin: by('staff', 'Staff: administrators.'),
  'staff or holder of a pay link': by('staff', 'Staff of every role, by the CRM’s id or a pay id.'),
  'staff by cookie': by('pages', 'Staff in a browser; everybody else is led to the login.'),
  'holder of the refresh cookie': by('pages', 'The browser that holds the refresh cookie.'),
  editor: by('writer', 'Editors and owners of the content area.'),
  owner: by('writer', 'Owners of the content area.'),
  'editor by cookie': by('pages', 'Members of the content area in a browser; everybody else is led to its login.'),
  'content account, even a waiting one': by(
    'writer',
    'Accounts of the content area, even one that waits for approval.',
  ),
  operator: by('operator', 'Who runs the installation.'),
  'operator who just showed the passkey': by('operator', 'Who runs the installation and showed the passkey just now.'),
  'provider webhook': open('The provider, by the secret in the address or by its signature.'),
  'site builder': by('program', 'The program that builds the site, by `BUILD_SECRET`.'),
  'tamper monitor': by('program', 'The tamper monitor, by `MONITOR_SECRET`.'),
  'operator program': by('program', 'The operator’s programs, by `OPERATOR_SECRET`.'),
};
