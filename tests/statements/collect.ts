import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import type { SentStatement, SentStatements } from './sent.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL that collects sent statements; empty when they are not collected. */
    statementsUrl: string;
  }
}

/**
 * If TILLWAY_STATEMENTS names a file, collects the statements that record.ts posts from the Workers runtime and writes
 * them to that file at the end.
 */
export default async function setup(project: TestProject) {
  const file = process.env.TILLWAY_STATEMENTS;
  if (!file) {
    project.provide('statementsUrl', '');
    return;
  }
  const sentByText = new Map<string, SentStatement>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      for (const sent of JSON.parse(body) as SentStatement[]) {
        if (sent.found > (sentByText.get(sent.sql)?.found ?? -1)) sentByText.set(sent.sql, sent);
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  project.provide('statementsUrl', `http://127.0.0.1:${port}/`);
  return () => {
    const statements = [...sentByText.values()].sort((a, b) => (a.sql < b.sql ? -1 : 1));
    writeFileSync(file, JSON.stringify({ at: Date.now(), statements } satisfies SentStatements));
    server.close();
  };
}
