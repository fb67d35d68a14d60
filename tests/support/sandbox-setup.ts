import type { TestProject } from 'vitest/node';
import { listenSandbox } from '#sandbox/listen';

declare module 'vitest' {
  interface ProvidedContext {
    sandboxUrl: string;
  }
}

/** One simulated outside world for the run, in memory; every test makes records of its own in it. */
export default async function setup(project: TestProject) {
  const sandbox = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:8787' });
  project.provide('sandboxUrl', sandbox.url);
  return () => sandbox.close();
}
