import { beforeAll, describe, expect, it } from 'vitest';
import { logInWriter, type Writer } from '#tests/support/content/writer';
import { productOfWorker, until } from '#tests/support/product/product';
import { printFigures, recordFigure } from './report.ts';

const product = productOfWorker();
const { appUrl } = product;
const GETS = 2000;
/** Time limit of a build on a busy machine. */
const BUILD_MS = 240_000;

let writer: Writer;
beforeAll(async () => {
  writer = await logInWriter(appUrl, product.output);
});
printFigures();

const get = async (path: string) => {
  const response = await fetch(`${appUrl}${path}`);
  return `${response.status} ${await response.text()}`;
};

describe('swapping in a new build on the running site', () => {
  it(`answers each of ${GETS} requests completely from either the old or the new build`, {
    timeout: BUILD_MS * 2,
  }, async () => {
    const tag = crypto.randomUUID().slice(0, 8);
    const paths = ['/blog', '/terms', '/pages/security', '/rss.xml'];
    const pagesBefore = new Map(await Promise.all(paths.map(async (path) => [path, await get(path)] as const)));
    // Every page's footer links a new page, so all pages change.
    await writer.writePage({ title: `Swapped ${tag}` });
    await writer.writePost({ title: `Swapped ${tag}` });
    const { revision } = await writer.publishState();
    await until(
      () => writer.buildNow(),
      ({ state }) => state === 'building',
      BUILD_MS,
    );
    const answers = new Map<string, Set<string>>(paths.map((path) => [path, new Set()]));
    let retries = 0;
    const ask = async (path: string): Promise<void> => {
      const answer = await until(
        () =>
          get(path).catch(() => {
            retries++;
            return null;
          }),
        (text) => text !== null,
      );
      if (answer !== null) answers.get(path)?.add(answer);
    };
    let isOver = false;
    const building = until(
      () => writer.publishState(),
      ({ state, liveRevision }) => state === 'failed' || liveRevision >= revision,
      BUILD_MS,
    ).finally(() => {
      isOver = true;
    });
    // Ask from before the swap until after it, however long the build takes.
    let requestCount = 0;
    for (; requestCount < GETS || !isOver; requestCount += 8) {
      await Promise.all(Array.from({ length: 8 }, (_, n) => ask(paths[(requestCount + n) % paths.length] ?? '/')));
    }
    await building;
    await Promise.all(paths.map(ask));
    const after = new Map(await Promise.all(paths.map(async (path) => [path, await get(path)] as const)));
    const broken = paths.flatMap((path) =>
      [...(answers.get(path) ?? [])].filter((text) => text !== pagesBefore.get(path) && text !== after.get(path)),
    );
    const bothSeen = paths.filter((path) => (answers.get(path)?.size ?? 0) > 1).length;
    const summary = `${broken.length} broken, ${retries} tried again, both builds seen at ${bothSeen} of ${paths.length} addresses`;
    recordFigure(`${requestCount} GETs during a swap of builds`, summary, '0 broken', broken.length === 0);
    expect(broken.map((text) => text.slice(0, 300))).toEqual([]);
    expect(bothSeen).toBe(paths.length);
    for (const path of paths) expect(after.get(path)?.slice(0, 4), path).toBe('200 ');
    for (const path of ['/blog', '/terms']) expect(after.get(path)?.includes(tag), path).toBe(true);
  });
});
