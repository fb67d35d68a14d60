import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { instrumented, type Planned } from './all.ts';
import { Broker } from './broker.ts';

const CONFIG = new URL('./vitest.config.ts', import.meta.url).pathname;

/** Runs the tests of a plan's mutants, and tells what became of each. `say` gets what Vitest prints. */
export async function runMutants(plan: Planned[], say: (text: string) => void): Promise<Broker> {
  const broker = new Broker(plan);
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
  return broker;
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
  const watch = setInterval(() => {
    writeFileSync('tests/.output/mutants.json', JSON.stringify([...broker.fates.values()], null, 1));
    if (!broker.endSilent() || child.pid === undefined) return;
    wasEnded = true;
    process.kill(-child.pid, 'SIGKILL');
  }, 5000);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearInterval(watch);
      resolve(!wasEnded);
    }),
  );
}
