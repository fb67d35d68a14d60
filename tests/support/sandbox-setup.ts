import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type ListeningSandbox, listenSandbox } from '#sandbox/listen';

/** SIZE=full makes random tests ten times as long; SEED repeats a failed run. */
export type Chance = { isFull: boolean; seed: number };

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that responds with the URL of a new simulated world. */
    sandboxes: string;
    chance: Chance;
  }
}

/** Serves simulated outside worlds in memory, one per runtime. Every test makes its own records in its world. */
export default async function setup(project: TestProject) {
  const worlds: ListeningSandbox[] = [];
  const server = createServer(async (_, response) => {
    const world = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:8787' });
    worlds.push(world);
    response.end(world.url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  project.provide('sandboxes', `http://127.0.0.1:${port}/`);
  project.provide('chance', {
    isFull: process.env.SIZE === 'full',
    seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
  });
  return async () => {
    server.close();
    await Promise.all(worlds.map((world) => world.close()));
  };
}
