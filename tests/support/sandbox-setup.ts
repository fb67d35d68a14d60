import type { TestProject } from 'vitest/node';
import { listenSandbox } from '#sandbox/listen';

/** SIZE=full makes tests that draw lots ten times as long; SEED plays a run again that failed. */
export type Chance = { isFull: boolean; seed: number };

declare module 'vitest' {
  interface ProvidedContext {
    sandboxUrl: string;
    chance: Chance;
  }
}

/** One simulated outside world for the run, in memory; every test makes records of its own in it. */
export default async function setup(project: TestProject) {
  const sandbox = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:8787' });
  project.provide('sandboxUrl', sandbox.url);
  project.provide('chance', {
    isFull: process.env.SIZE === 'full',
    seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
  });
  return () => sandbox.close();
}
