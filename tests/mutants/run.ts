import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { instrumentFiles, type PlannedMutant } from './all.ts';
import type { Broker } from './broker.ts';

const CONFIG = new URL('./vitest.config.ts', import.meta.url).pathname;

/** Runs the tests of a plan's mutants; the broker records the fate of each. `log` receives the output of Vitest. */
export async function runMutants(plan: PlannedMutant[], broker: Broker, log: (text: string) => void): Promise<void> {
  const server = await broker.listen();
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-mutants-'));
  const file = path.join(folder, 'mutants.json');
  writeFileSync(file, JSON.stringify({ texts: Object.fromEntries(instrumentFiles(plan)), url: server.url }));
  while (broker.startNextStage()) {
    // A run that had to be stopped continues with the mutants still alive; no pair of mutant and test runs twice.
    for (let files = broker.files(), isDone = false; files.length > 0 && !isDone; files = broker.files())
      isDone = await runOnce(files, file, broker, log);
  }
  server.close();
  rmSync(folder, { recursive: true });
}

function runOnce(tests: string[], file: string, broker: Broker, log: (text: string) => void): Promise<boolean> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', CONFIG, '--reporter=dot', ...tests];
  const child = spawn(process.execPath, vitest, {
    detached: true,
    env: {
      ...process.env,
      TILLWAY_MUTANTS: file,
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => log(data.toString()));
  let wasKilled = false;
  // Kills the whole process group, since the runtimes would outlive Vitest.
  const kill = () => child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, 'SIGKILL');
  const watch = setInterval(() => {
    if (!broker.killHung()) return;
    wasKilled = true;
    kill();
  }, 5000);
  process.once('exit', kill);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearInterval(watch);
      process.off('exit', kill);
      resolve(!wasKilled);
    }),
  );
}
