import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * `npm run sbom` writes all installed packages as CycloneDX and as SPDX, and a readable list of the product's packages
 * with their licences. npm reads them from `node_modules`; `scripts/checks/licences.ts` defines the permitted licences.
 * The list is filtered here because npm's `--omit dev` also drops packages that a development tool needs too.
 */
const OUTPUT = 'dist-sbom';

type Component = {
  name: string;
  version: string;
  properties?: { name: string; value: string }[];
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
};
type Sbom = { components: Component[] };

/** The output of `npm sbom`. Runs npm's file with the current Node, so that it works on any system. */
function runNpmSbom(format: 'cyclonedx' | 'spdx'): string {
  const npm = process.env.npm_execpath;
  if (!npm) throw new Error('run it through npm: npm run sbom');
  const args = [npm, 'sbom', '--sbom-type', 'application', '--sbom-format', format];
  return execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

const licenceOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').join(', ') ||
  'not stated';

const isTool = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

function listOf({ components }: Sbom): string {
  const rows = components
    .filter((component) => !isTool(component))
    .map((component) => `| ${component.name} | ${component.version} | ${licenceOf(component)} |`)
    .sort((a, b) => a.localeCompare(b, 'en'));
  return [
    '# The product’s packages and their licences',
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const cyclonedx = runNpmSbom('cyclonedx');
const files = {
  'sbom.cdx.json': cyclonedx,
  'sbom.spdx.json': runNpmSbom('spdx'),
  'licences.md': listOf(JSON.parse(cyclonedx) as Sbom),
};
mkdirSync(OUTPUT, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  writeFileSync(path.join(OUTPUT, name), text);
  console.log(`${OUTPUT}/${name}`);
}
