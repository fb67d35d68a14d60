import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { filesOf, readForm, textFieldsOf } from './form.ts';

const BOUNDARY = 'x--------1';
const part = (header: string, body: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${header}\r\n\r\n${body}\r\n`;

/** Reads a form as a route does. Each text arrives as one chunk. */
async function sendForm(chunks: string[], type = `multipart/form-data; boundary=${BOUNDARY}`, maxBytes = 10_000) {
  const app = new Hono().post('/', async (c) => {
    const answer = await readForm(c, maxBytes);
    if ('refusal' in answer) return answer.refusal;
    const files = filesOf(answer.form, 'file').map(async (file) => [file.name, await file.text()]);
    return c.json({ texts: textFieldsOf(answer.form), files: await Promise.all(files) });
  });
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const answer = await app.request('/', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
    duplex: 'half',
  } as RequestInit);
  return { status: answer.status, ...(await answer.json<{ texts?: unknown; files?: unknown }>()) };
}

describe('a form with files', () => {
  it('is read if a file name contains a NUL, and the bytes of the file stay unchanged', async () => {
    const content = 'a; filename="\0b"\r\nContent-Disposition: form-data; name="x"; filename="\0"\r\n\0';
    const result = await sendForm([
      part('name="alt"', 'A desk'),
      part('name="file"; filename="a\0b.png"', content),
      part('name="file"; filename="\0\0.png"', '\0'),
      `--${BOUNDARY}--\r\n`,
    ]);
    expect(result).toMatchObject({
      status: 200,
      texts: { alt: 'A desk' },
      files: [
        ['a b.png', content],
        ['  .png', '\0'],
      ],
    });
  });

  it('is read with a quoted boundary', async () => {
    const chunks = [part('name="file"; filename="a\0.png"', 'x'), `--${BOUNDARY}--\r\n`];
    expect(await sendForm(chunks, `multipart/form-data; boundary="${BOUNDARY}"`)).toMatchObject({
      files: [['a .png', 'x']],
    });
  });

  it.each([
    ['no form', 415, ['{}'], 'application/json'],
    ['no boundary', 415, ['{}'], 'multipart/form-data'],
    ['no parts', 400, ['nothing of the kind'], undefined],
    ['too many bytes', 413, [part('name="alt"', 'x'.repeat(11_000))], undefined],
  ])('is rejected with %s: %d', async (_case, status, chunks, type) => {
    expect((await sendForm(chunks, type)).status).toBe(status);
  });
});
