import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { makeDocument } from './document.ts';
import { routes } from './routes.ts';
import { spared, table } from './tables.ts';

const root = path.resolve(import.meta.dirname, '../..');
const make = (rows: typeof table, left = spared) => makeDocument(root, rows, left);

describe('openapi.json', () => {
  it('describes every route of the permissions, and nothing else', async () => {
    const { document, faults, counts } = await make(table);
    expect(faults).toEqual([]);
    expect(counts.routes).toBe(routes.length);
    const names = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('is not made without a row for each route, with one too many, or with one that has no answer', async () => {
    const { 'GET /api/terminals': row = {}, ...rest } = table;
    expect((await make(rest)).faults).toContain('GET /api/terminals has no row in scripts/openapi');
    expect((await make({ ...table, 'GET /api/none': row })).faults).toEqual([
      'GET /api/none is no route, and has a row',
    ]);
    const { faults } = await make({ ...table, 'GET /api/today': { fails: [503] } });
    expect(faults).toContain('GET /api/today has a row without an answer');
    expect(faults).toContain('the schema Today is in no request and no answer');
  });

  it('is not made with a schema that nothing uses, or one that is spared and used', async () => {
    expect((await make(table, {})).faults).toEqual(
      Object.keys(spared).map((name) => `the schema ${name} is in no request and no answer`),
    );
    const used = await make(table, { ...spared, Team: 'an answer' });
    expect(used.faults).toEqual(['Team is used, and need not be spared']);
  });

  it('takes no answer that is made into something else on its way', async () => {
    const cut = z.pipe(
      z.string(),
      z.transform((text: string) => text.trim()),
    );
    await expect(make({ ...table, 'GET /api/today': { 200: cut } })).rejects.toThrow(
      'Transforms cannot be represented',
    );
  });
});
