import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MediaItem } from '#shared/contracts/content/content';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { gif, hostileFiles, jpeg, PLACE, pdf, taggedPng, webp } from '#tests/support/content/images';
import { type Bytes, fileOf, mediaForm as form, uploadTo } from '#tests/support/content/media';
import { png } from '#tests/support/content/png';
import { cleanName } from '#worker/domain/content/media/media-file';
import { describeRefusal } from '#worker/http/reply/file-refusal';

let app: ContentApp;
let token: string;
beforeEach(async () => {
  app = makeContentApp({}, { UPLOADS_PER_DAY: '20' });
  token = (await app.makeOwner()).token;
});

const sendUpload = (body: FormData, senderToken = token) =>
  app.call('POST', '/api/cms/media/upload', { token: senderToken, body });
const upload = (bytes: Bytes, name?: string, extra?: Record<string, string | File[]>) =>
  uploadTo(app, token, bytes, name, extra);
/** Requests a path and reads the whole body. */
const readFile = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.call('GET', path, { headers });
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
};
const bytesAt = async (path: string) => (await readFile(path)).bytes;
const latin1Of = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
const storedKeys = async () => (await env.MEDIA.list({ prefix: 'media/' })).objects.map(({ key }) => key);
const countRows = () => env.INSTALLATION.prepare('SELECT count(*) AS n FROM media').first<number>('n');

describe('a media upload', () => {
  it.each([
    ['a PNG', taggedPng(), 'image/png', 'png'],
    ['a JPEG', jpeg(), 'image/jpeg', 'jpg'],
    ['a WebP', webp(), 'image/webp', 'webp'],
    ['a GIF', gif(), 'image/gif', 'gif'],
  ])('detects %s by its content, measures it and strips the location', async (_case, bytes, type, ext) => {
    expect(latin1Of(bytes)).toContain(PLACE);
    const item = await upload(bytes, 'IMG_0001.exe', { alt: ' A desk ', isPublic: 'false' });
    expect(item).toMatchObject({ originalName: 'IMG_0001.exe', mimeType: type, width: 60, height: 40 });
    expect(item).toMatchObject({ alt: 'A desk', isPublic: true, uploadedBy: 'Olga Reyes', usedIn: [] });
    expect(item.localUrl).toMatch(new RegExp(`^/media/[0-9a-f]{32}\\.${ext}$`));
    const storedBytes = await bytesAt(item.localUrl);
    expect(latin1Of(storedBytes)).not.toContain('GPS');
    expect(storedBytes.length).toBe(item.size);
    expect(item.size).toBeLessThan(bytes.length);
    // The stripped file has the same type and the same picture, and a second upload removes nothing more.
    const second = await sendUpload(form(fileOf(storedBytes as Bytes)));
    expect([second.status, await second.json()]).toMatchObject([409, { same: item }]);
  });

  it('preserves a photo’s color profile and orientation', async () => {
    const rotated = await upload(jpeg({ orientation: 6 }));
    expect(rotated).toMatchObject({ width: 40, height: 60 });
    const text = latin1Of(await bytesAt(rotated.localUrl));
    expect(text).toContain('ICC_PROFILE');
    expect(text).not.toContain('Photoshop');
    expect(text.slice(0, 4)).toBe('\xff\xd8\xff\xe1');
    expect(await upload(jpeg({ orientation: 3 }))).toMatchObject({ width: 60, height: 40 });
  });

  it.each([
    ['png', taggedPng(60, 40, '<script>canary=1</script>')],
    ['jpg', jpeg({ tail: '<script>canary=1</script>' })],
    ['webp', webp({ tail: '<script>canary=1</script>' })],
    ['gif', gif({ comment: '*/canary=1//', tail: '<script>canary=1</script>' })],
  ])('strips data after or inside the picture from a %s', async (_ext, bytes) => {
    expect(latin1Of(await bytesAt((await upload(bytes)).localUrl))).not.toContain('canary');
  });

  it.each(hostileFiles)('rejects %s declared as %s and stores nothing', async (name, type, bytes, reason) => {
    const answer = await sendUpload(form(fileOf(bytes, name, type)));
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      error: { message: describeRefusal(reason, 'PNG, JPEG, WebP or GIF image, or a PDF'), fields: ['file'] },
    });
    const featured = new FormData();
    for (const [field, value] of Object.entries({ title: 'T', content: '', status: 'DRAFT' }))
      featured.set(field, value);
    featured.set('featuredImage', fileOf(bytes, name, type));
    const postAnswer = await app.call('POST', '/api/cms/posts', { token, body: featured });
    const message = describeRefusal(reason, 'PNG, JPEG, WebP or GIF image');
    expect(await postAnswer.json()).toMatchObject({ error: { message } });
    expect([await countRows(), await storedKeys()]).toEqual([0, []]);
  });

  it('is rejected without a file, with two files or without a form', async () => {
    const twoFiles = form(fileOf(taggedPng()));
    twoFiles.append('file', fileOf(taggedPng()));
    for (const [body, message] of [
      [form(null), 'Please choose a file.'],
      [form(null, { file: 'text' }), 'Please choose a file.'],
      [twoFiles, 'Please send one file at a time.'],
    ] as const) {
      const answer = await sendUpload(body);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ error: { message } });
    }
    expect((await app.call('POST', '/api/cms/media/upload', { token, body: {} })).status).toBe(415);
  });

  it('is rejected at 26 megabytes', async () => {
    const answer = await sendUpload(form(fileOf(new Uint8Array(26_000_000))));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: { message: 'File is too large.' } });
    const flood = await sendUpload(form(fileOf(new Uint8Array(40_000_000))));
    expect(flood.status).toBe(413);
  });

  it('has a daily limit per account, even for concurrent uploads', async () => {
    const bytes = (n: number) => taggedPng(60 + n);
    for (let n = 0; n < 17; n++) await upload(bytes(n));
    const answers = await Promise.all([17, 18, 19, 20, 21, 22].map((n) => sendUpload(form(fileOf(bytes(n))))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
    expect((await storedKeys()).length).toBe(20);
    const editor = await app.makeEditor(token);
    expect((await sendUpload(form(fileOf(bytes(23))), editor.token)).status).toBe(201);
  });

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\Users\\Ada\\desk.png', 'desk.png'],
    ['a\u0007b\u202ec.png', 'a b c.png'],
    ['"; x=".png', 'x= .png'],
    ['a\u0000.png', 'a .png'],
    ['   ', 'file.png'],
    ['診療.png', '診療.png'],
  ])('stores the name %j as %j', async (name, expected) => {
    const item = await upload(taggedPng(), name);
    expect(item.originalName).toBe(expected);
    expect(item.localUrl).not.toContain('passwd');
    const answer = await readFile(item.localUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^inline; filename="file\.png"; filename\*=UTF-8''[^"\s;]+$/,
    );
  });

  it('is rejected when its file name breaks the form', async () => {
    const name = 'a\r\nset-cookie: x=1.png';
    expect([400, 422]).toContain((await sendUpload(form(fileOf(taggedPng(), name)))).status);
    expect(cleanName(name, 'png')).toBe('a set-cookie x=1.png');
  });

  it('shortens a name of a thousand letters and gives it the true extension', async () => {
    const { originalName } = await upload(taggedPng(), `${'x'.repeat(1000)}.html`);
    expect(originalName.length).toBeLessThanOrEqual(150);
    expect(originalName).toMatch(/^x+\.png$/);
  });
});

describe('a duplicate upload', () => {
  const conflict = (same: object) => [409, { error: { code: 'conflict', message: CONFLICT_MESSAGE }, same }];
  const CONFLICT_MESSAGE = 'The library already has this file, as desk.png.';
  const uploadAgain = async (bytes: Bytes = taggedPng()) => {
    const answer = await sendUpload(form(fileOf(bytes, 'other.png'), { alt: 'Another' }));
    return [answer.status, await answer.json()];
  };

  it('returns 409 with the existing file and stores nothing, whatever the new name or sender', async () => {
    const { id } = await upload(taggedPng(), 'desk.png', { alt: 'A desk' });
    // Camera metadata is not stored, so a picture without it counts as the same file.
    expect(await uploadAgain(png({ width: 60, height: 40 }))).toMatchObject(conflict({ id, alt: 'A desk' }));
    const { token: editor } = await app.makeEditor(token);
    expect((await sendUpload(form(fileOf(taggedPng())), editor)).status).toBe(409);
    expect([await countRows(), (await storedKeys()).length]).toEqual([1, 1]);
    expect((await uploadAgain(taggedPng(60, 41)))[0]).toBe(201);
  });

  it('is stored once when sent several times at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => sendUpload(form(fileOf(taggedPng(), 'desk.png')))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect([await countRows(), (await storedKeys()).length]).toEqual([1, 1]);
  });

  it('is detected for a file without a stored hash, which is then saved', async () => {
    const { id } = await upload(taggedPng(), 'desk.png');
    const hash = () => env.INSTALLATION.prepare('SELECT hash FROM media').first<string>('hash');
    const storedHash = await hash();
    await env.INSTALLATION.prepare(`UPDATE media SET hash = ''`).run();
    expect(await uploadAgain()).toMatchObject(conflict({ id }));
    expect(await hash()).toBe(storedHash);
    expect(storedHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is accepted after the first file was deleted', async () => {
    const { id } = await upload(taggedPng());
    await app.get(200, 'DELETE', `/api/cms/media/${id}`, { token });
    expect((await uploadAgain())[0]).toBe(201);
  });
});

describe('narrower image copies', () => {
  const copies = (...sizes: [number, number][]) => sizes.map(([width, height]) => fileOf(webp({ width, height }), 'c'));

  it('are stored next to the picture', async () => {
    const variants = copies([480, 320], [960, 640]);
    const item = await upload(taggedPng(1200, 800), 'desk.png', { variants });
    expect(item.variants.map(({ width, height }) => [width, height])).toEqual([
      [480, 320],
      [960, 640],
    ]);
    for (const { url, width } of item.variants) {
      expect(url).toBe(item.localUrl.replace('.png', `-${width}.webp`));
      expect((await readFile(url)).headers.get('content-type')).toBe('image/webp');
    }
  });

  it('are dropped for an animated picture, because the copies would not move', async () => {
    const animated = png({
      width: 1200,
      height: 800,
      extraChunks: [['acTL', Uint8Array.from([0, 0, 0, 2, 0, 0, 0, 0])]],
    });
    expect((await upload(animated, 'desk.png', { variants: copies([480, 320]) })).variants).toEqual([]);
  });

  it.each([
    ['wider copies', copies([1201, 801])],
    ['copies of another shape', copies([480, 480])],
    ['four copies', copies([120, 80], [240, 160], [480, 320], [960, 640])],
    ['two copies of the same width', copies([480, 320], [480, 320])],
    ['a PDF', [fileOf(pdf(), 'c')]],
  ])('are rejected if the upload has %s', async (_case, variants) => {
    const answer = await sendUpload(form(fileOf(taggedPng(1200, 800)), { variants }));
    expect(answer.status).toBe(422);
    expect(await storedKeys()).toEqual([]);
  });
});

describe('a media file', () => {
  it('is served whole and in ranges, is cacheable forever and cannot run scripts', async () => {
    const { localUrl, size } = await upload(taggedPng());
    const wholeFile = await readFile(localUrl);
    const { bytes } = wholeFile;
    expect(wholeFile.headers.get('cache-control')).toBe('public, max-age=31536000, s-maxage=3600, immutable');
    expect(wholeFile.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'");
    expect(wholeFile.headers.get('x-content-type-options')).toBe('nosniff');
    const etag = wholeFile.headers.get('etag') ?? '';
    const readWith = (headers: Record<string, string>) => readFile(localUrl, headers);
    expect((await readWith({ 'if-none-match': etag })).status).toBe(304);
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=5-${size + 100}`, 5, size - 1],
    ] as const) {
      const part = await readWith({ range });
      expect(part.status, range).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${size}`);
      expect(part.bytes).toEqual(bytes.slice(from, to + 1));
    }
    const unsatisfiable = await readWith({ range: `bytes=${size}-` });
    expect([unsatisfiable.status, unsatisfiable.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    for (const range of ['bytes=9-5', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])
      expect((await readWith({ range })).status, range).toBe(200);
    expect((await readWith({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    expect((await readWith({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    const head = await app.call('HEAD', localUrl);
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(size), '']);
  });

  it('is read from the bucket once, whatever query is added, and returns 404 after deletion', async () => {
    const { id, localUrl } = await upload(taggedPng());
    const first = await readFile(localUrl);
    await app.settled();
    await env.MEDIA.delete(localUrl.slice(1));
    const second = await readFile(`${localUrl}?again=1`);
    expect(second.status).toBe(200);
    expect(second.bytes).toEqual(first.bytes);
    for (const name of ['etag', 'content-type', 'cache-control', 'content-security-policy', 'content-disposition'])
      expect(second.headers.get(name), name).toBe(first.headers.get(name));
    await app.get(200, 'DELETE', `/api/cms/media/${id}`, { token });
    expect((await app.call('GET', localUrl)).status).toBe(404);
  });

  it('is downloaded instead of opened when it is a document', async () => {
    const { localUrl, width } = await upload(pdf(), 'Fees 2026.pdf');
    expect(width).toBeNull();
    expect((await readFile(localUrl)).headers.get('content-disposition')).toBe(
      `attachment; filename="file.pdf"; filename*=UTF-8''Fees%202026.pdf`,
    );
  });

  it.each([
    ['statement.cmd', pdf(), 'statement.pdf'],
    ['statement.pdf.CMD', pdf(), 'statement.pdf'],
    ['statement.PDF', pdf(), 'statement.pdf'],
    ['Fees v1.2', pdf(), 'Fees v1.2.pdf'],
    ['Dr. St.Louis', pdf(), 'Dr. St.Louis.pdf'],
    ['.htaccess', pdf(), 'htaccess.pdf'],
    ['desk.html', taggedPng(), 'desk.png'],
    ['desk.jpeg', jpeg(), 'desk.jpg'],
    ['診療.exe', gif(), '診療.gif'],
  ])('replaces the extension of an upload named %s with the true one', async (name, bytes, expected) => {
    const { localUrl } = await upload(bytes, name);
    const disposition = (await readFile(localUrl)).headers.get('content-disposition') ?? '';
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(expected);
  });

  it.each(['nothing.png', '../articles', '%2e%2e%2fsecret', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.svg`])(
    'returns 404 for an unknown name: %s',
    async (key) => {
      expect((await app.call('GET', `/media/${key}`)).status).toBe(404);
    },
  );
});

describe('the media library', () => {
  it('shows where a file is used and lets files be searched, described and deleted', async () => {
    const [desk, document] = [await upload(taggedPng(), 'desk.png'), await upload(pdf(), 'fees.pdf')];
    const page = {
      title: 'About us',
      content: `<p><img src="${desk.localUrl}" alt=""></p>`,
      status: 'PUBLISHED',
    };
    const { id } = await app.get<{ id: string }>(201, 'POST', '/api/cms/pages', { token, body: page });
    const listFiles = (query: string) => app.get<MediaItem[]>(200, 'GET', `/api/cms/media${query}`, { token });
    expect((await listFiles('')).map(({ id: file }) => file).sort()).toEqual([desk.id, document.id].sort());
    expect((await listFiles('?type=image')).map(({ usedIn }) => usedIn)).toEqual([
      [{ kind: 'page', id, title: 'About us', status: 'PUBLISHED' }],
    ]);
    expect((await listFiles('?q=FEES')).map(({ id: file }) => file)).toEqual([document.id]);
    const findFiles = async (q: string) => (await listFiles(`?q=${encodeURIComponent(q)}`)).map(({ id: file }) => file);
    const cafe = await upload(gif(), 'Café Ärzte.gif', { alt: 'Größe' });
    for (const q of ['café', 'Cafe', 'ärzte größe']) expect(await findFiles(q), q).toEqual([cafe.id]);
    await app.get(200, 'PUT', `/api/cms/media/${cafe.id}`, { token, body: { alt: 'Übersicht' } });
    expect([await findFiles('CAFÉ übersicht'), await findFiles('größe')]).toEqual([[cafe.id], []]);
    await app.get(200, 'DELETE', `/api/cms/media/${cafe.id}`, { token });
    const revision = () => env.INSTALLATION.prepare('SELECT revision FROM site_state').first<number>('revision');
    expect(await revision()).toBe(1);
    const path = `/api/cms/media/${desk.id}`;
    expect(await app.get(200, 'PUT', path, { token, body: { alt: 'A desk' } })).toMatchObject({ alt: 'A desk' });
    expect(await revision()).toBe(2);
    expect(await app.get(200, 'DELETE', path, { token })).toEqual({ id: desk.id });
    expect(await revision()).toBe(3);
    expect((await app.call('DELETE', path, { token })).status).toBe(404);
    expect((await app.call('GET', desk.localUrl)).status).toBe(404);
    await app.get(200, 'DELETE', `/api/cms/media/${document.id}`, { token });
    expect(await revision()).toBe(3);
    expect(await storedKeys()).toEqual([]);
  });
});
