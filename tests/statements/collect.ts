import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import type { Sending, Sent } from './sent.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address that collects sent statements; empty when they are not collected. */
    statementsUrl: string;
  }
}

/**
 * If TILLWAY_STATEMENTS names a file: collects the notes of record.ts from the Workers runtime and writes them there
 * at the end.
 */
export default async function setup(project: TestProject) {
  const file = process.env.TILLWAY_STATEMENTS;
  if (!file) {
    project.provide('statementsUrl', '');
    return;
  }
  const all = new Map<string, Sent>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      for (const one of JSON.parse(body) as Sent[]) {
        if (one.found > (all.get(one.sql)?.found ?? -1)) all.set(one.sql, one);
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  project.provide('statementsUrl', `http://127.0.0.1:${port}/`);
  return () => {
    const statements = [...all.values()].sort((a, b) => (a.sql < b.sql ? -1 : 1));
    writeFileSync(file, JSON.stringify({ at: Date.now(), statements } satisfies Sending));
    server.close();
  };
}
