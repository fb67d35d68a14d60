import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerRawImports } from './local/raw-as-text.ts';
import { CRITERIA, REPORT, reportFile } from './registers/accessibility-report.ts';
import { inlineHashes, withHashes, withMeasured } from './registers/register-rows.ts';
import { TABLES_PAGE, tablesPage } from './registers/tables-page.ts';

/**
 * `npm run registers` updates the facts in our registers after a change. It does not touch decisions, such as exceeded
 * limits, owners, reasons and permissions. Review the diff before you commit it.
 */
const CEILINGS = 'tests/ceilings.ts';
const INVENTORY = 'docs/script-inventory.json';
const MEASURE = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'worker/ceilings.test.ts'];

function node(args: string[]): { isOk: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return { isOk: status === 0, output: stdout + stderr };
}

function write(file: string, text: string): void {
  const isNew = !existsSync(file) || readFileSync(file, 'utf8') !== text;
  if (isNew) writeFileSync(file, text);
  console.log(`${isNew ? 'written  ' : 'unchanged'} ${file}`);
}

write(REPORT, reportFile(readFileSync(CRITERIA, 'utf8')));
write(TABLES_PAGE, tablesPage());
registerRawImports();
const { CALLS_PAGE, callsPage } = await import('./registers/calls-page.ts');
write(CALLS_PAGE, callsPage());

console.log('- measuring what each route and each step of the schedule costs');
let measured = node(MEASURE);
const [, printed] = measured.output.split('By this run the rows of tests/ceilings.ts would be:');
write(CEILINGS, printed ? withMeasured(readFileSync(CEILINGS, 'utf8'), printed) : readFileSync(CEILINGS, 'utf8'));
if (!measured.isOk && printed) measured = node(MEASURE);
if (!measured.isOk) {
  console.error(measured.output.slice(-4000));
  console.error(`The rest of ${CEILINGS} needs a person: an exceeded limit, or a route that no test calls.`);
  process.exitCode = 1;
}

console.log('- building the pay page');
const built = node(['scripts/deploy.ts', '--dry-run']);
if (!built.isOk) throw new Error(built.output);
const inventory = JSON.parse(readFileSync(INVENTORY, 'utf8'));
inventory.inline = withHashes(
  inventory.inline,
  inlineHashes(readFileSync('dist/client/make/payment/shell-en.html', 'utf8')),
);
write(INVENTORY, `${JSON.stringify(inventory, null, 2)}\n`);
