import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileOf, readArguments, remoteName } from './going-live/environment-file.ts';
import { fitApp } from './going-live/installation-config.ts';
import { isOwnAddress, readEnvironment } from './going-live/read-environment.ts';

/**
 * `npm run hubspot-app -- --to staging`: writes the project of the HubSpot app with an environment's name, address and
 * support contact into a git-ignored folder, from which HubSpot's own tool uploads it.
 */
try {
  const to = remoteName(readArguments(process.argv.slice(2), []).name);
  // Client id and secret exist only after this app was uploaded, so the file cannot be complete yet.
  const { words, vars } = readEnvironment(to);
  const appUrl = vars.APP_URL ?? '';
  if (!words)
    throw new Error(`${fileOf(to)} lacks the operator’s words; npm run doctor -- --to ${to} lists what is missing`);
  if (!isOwnAddress(appUrl)) throw new Error(`set APP_URL in ${fileOf(to)} to an address of your own (step 3)`);
  const folder = `.wrangler/hubspot-${to}`;
  rmSync(folder, { recursive: true, force: true });
  cpSync('hubspot', folder, { recursive: true });
  const app = path.join(folder, 'src/app/app-hsmeta.json');
  const appConfig = fitApp(readFileSync(app, 'utf8'), to, appUrl, words);
  writeFileSync(app, `${JSON.stringify(appConfig, null, 2)}\n`);
  console.log(`written; upload it with: cd ${folder} && npx -p @hubspot/cli hs project upload`);
} catch (cause) {
  console.error(`hubspot-app: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}
