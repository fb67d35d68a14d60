import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { everyRoute } from '#worker/areas/every-route';
import { route } from '#worker/http/routes';
import { exemptSchemas, makeDocument } from './document.ts';

const root = path.resolve(import.meta.dirname, '../..');
const handle = () => new Response();
const withAnswers = (answers: Record<number, z.ZodMiniType>) => {
  const changed = route({ access: 'staff', summary: 'Show today', answers, handle });
  return everyRoute.map((entry) => (entry.name === 'GET /api/today' ? { ...entry, route: changed } : entry));
};

describe('openapi.json', () => {
  it('describes every route under a unique name', async () => {
    const { document, faults, counts } = await makeDocument(root);
    expect(faults).toEqual([]);
    const redirects = everyRoute.filter(({ path }) => /.\/$/.test(path));
    expect(counts.routes).toBe(everyRoute.length - redirects.length);
    const names = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('rejects a route that declares no response', async () => {
    const { faults } = await makeDocument(root, withAnswers({}));
    expect(faults).toContain('GET /api/today declares no response');
    expect(faults).toContain('the schema Today is in no request and no response');
  });

  it('rejects an unused schema, and an exempted schema that is used', async () => {
    expect((await makeDocument(root, everyRoute, {})).faults).toEqual(
      Object.keys(exemptSchemas).map((name) => `the schema ${name} is in no request and no response`),
    );
    const used = await makeDocument(root, everyRoute, { ...exemptSchemas, Team: 'an answer' });
    expect(used.faults).toEqual(['Team is used, so it must not be exempt']);
  });

  it('rejects a response schema with a transform', async () => {
    const trimmed = z.pipe(
      z.string(),
      z.transform((text: string) => text.trim()),
    );
    await expect(makeDocument(root, withAnswers({ 200: trimmed }))).rejects.toThrow('Transforms cannot be represented');
  });
});
