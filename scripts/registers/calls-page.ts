import { type Area, everyRoute, type NamedRoute } from '#worker/areas/every-route';
import { callers } from '../openapi/callers.ts';

export const CALLS_PAGE = 'docs/calls.md';

const TITLES: Record<Area, string> = {
  start: 'Payers, logins and pages',
  merchant: 'Staff of a clinic, and programs',
  content: 'Content area and public site',
  operator: 'Operators in a browser',
  operate: 'Operator’s programs',
};

function rowOf({ name, route: { access: who, stepUp, summary } }: NamedRoute): string {
  const proof = stepUp ? ' Requires a recent proof of identity.' : '';
  return `| \`${name}\` | ${summary} | ${callers[who].says}${proof} |`;
}

const section = ([area, title]: [string, string]): string => `## ${title}

| Call | What it does | Who may use it |
|---|---|---|
${everyRoute
  .filter((route) => route.area === area)
  .toSorted((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1))
  .map(rowOf)
  .join('\n')}
`;

/** The page of all calls, with the permitted callers of each. */
export const callsPage = (): string => `# Calls

This page lists every call of the product with who may use it, for auditors and for programs that use it. \`npm run registers\`
writes it from the routes that \`worker/routes/\` declares. \`node scripts/openapi.ts\` writes their parameters, bodies and answers
to \`openapi.json\` (OpenAPI 3.1), which any viewer of such documents opens.

${Object.entries(TITLES).map(section).join('\n')}`;
