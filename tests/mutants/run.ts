import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { instrumented, type Planned } from './all.ts';
import type { Broker } from './broker.ts';

const CONFIG = new URL('./vitest.config.ts', import.meta.url).pathname;

/** Runs the tests of a plan's mutants; what became of each stands in the broker. `say` gets what Vitest prints. */
export async function runMutants(plan: Planned[], broker: Broker, say: (text: string) => void): Promise<void> {
  const listening = await broker.listen();
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-mutants-'));
  const file = path.join(folder, 'mutants.json');
  writeFileSync(file, JSON.stringify({ texts: Object.fromEntries(instrumented(plan)), url: listening.url }));
  while (broker.goOn()) {
    // A run that had to be ended goes on where a mutant may still be killed; what was tried is not tried again.
    for (let files = broker.files(), isDone = false; files.length > 0 && !isDone; files = broker.files())
      isDone = await runOnce(files, file, broker, say);
  }
  listening.close();
  rmSync(folder, { recursive: true });
}

function runOnce(tests: string[], file: string, broker: Broker, say: (text: string) => void): Promise<boolean> {
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
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => say(data.toString()));
  let wasEnded = false;
  // With its runtimes, which would go on without it.
  const end = () => child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, 'SIGKILL');
  const watch = setInterval(() => {
    if (!broker.endSilent()) return;
    wasEnded = true;
    end();
  }, 5000);
  process.once('exit', end);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearInterval(watch);
      process.off('exit', end);
      resolve(!wasEnded);
    }),
  );
}
