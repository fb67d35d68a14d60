import { beforeEach, describe, expect, it } from 'vitest';
import type { Draft, MediaItem, PreviewReply } from '#shared/contracts/content/content';
import type { Post, PostDetail, PublicPost } from '#shared/contracts/content/content-answers';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { gif, pdf, taggedPng } from '#tests/support/content/images';
import { type Bytes, fileOf, uploadTo } from '#tests/support/content/media';

let app: ContentApp;
let token: string;
beforeEach(async () => {
  app = makeContentApp();
  token = (await app.makeOwner()).token;
});

const upload = (bytes: Bytes, name: string) => uploadTo(app, token, bytes, name);
const postForm = (extra: Record<string, string | File>) => {
  const data = new FormData();
  const fields = { title: 'With a picture', content: '<p>x</p>', status: 'PUBLISHED', ...extra };
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

describe('a post’s picture', () => {
  it('is uploaded or chosen from the library, stays when a save omits it and can be removed', async () => {
    const picture = { featuredImage: fileOf(taggedPng(), 'desk.png'), featuredImageAlt: 'A desk' };
    const created = await app.get<PostDetail>(201, 'POST', '/api/cms/posts', { token, body: postForm(picture) });
    expect(created.featuredImage).toMatch(/^\/media\/[0-9a-f]{32}\.png$/);
    expect(created.picture).toMatchObject({ url: created.featuredImage, alt: 'A desk', width: 60, height: 40 });
    const put = (extra: Record<string, string>) =>
      app.get<PostDetail>(200, 'PUT', `/api/cms/posts/${created.id}`, { token, body: postForm(extra) });
    expect((await put({})).featuredImage).toBe(created.featuredImage);
    expect((await put({ featuredImageId: '' })).featuredImage).toBeNull();
    const otherPicture = await upload(gif(), 'other.gif');
    expect((await put({ featuredImageId: otherPicture.id })).featuredImage).toBe(otherPicture.localUrl);
    const publishedPost = await app.get<PublicPost>(200, 'GET', `/api/public/posts/${created.slug}`);
    expect(publishedPost.featuredImage).toBe(otherPicture.localUrl);
    const document = await upload(pdf(), 'fees.pdf');
    const pdfAnswer = await app.call('PUT', `/api/cms/posts/${created.id}`, {
      token,
      body: postForm({ featuredImageId: document.id }),
    });
    expect(pdfAnswer.status).toBe(422);
    // A deleted picture leaves the post without one.
    await app.get(200, 'DELETE', `/api/cms/media/${otherPicture.id}`, { token });
    expect((await app.get<PublicPost>(200, 'GET', `/api/public/posts/${created.slug}`)).featuredImage).toBeNull();
  });

  it('appears only in the draft and its preview until it is saved', async () => {
    const [oldPicture, newPicture] = [await upload(gif(), 'old.gif'), await upload(gif({ width: 61 }), 'next.gif')];
    const body = postForm({ featuredImageId: oldPicture.id });
    const created = await app.get<PostDetail>(201, 'POST', '/api/cms/posts', { token, body });
    const path = `/api/cms/posts/${created.id}`;
    const saveDraft = (featuredImageId?: string | null) =>
      app.get<Draft>(200, 'PUT', `${path}/draft`, {
        token,
        body: { title: 'Half', content: '', baseVersion: 1, featuredImageId },
      });
    const { url } = await app.get<PreviewReply>(200, 'POST', `${path}/preview`, { token });
    const previewedImage = async () => {
      const previewApi = new URL(url).pathname.replace('/preview/', '/api/public/preview/');
      return (await app.get<Post>(200, 'GET', previewApi)).featuredImage;
    };
    for (const [chosen, saved, displayed] of [
      [undefined, null, oldPicture.localUrl],
      [newPicture.id, newPicture.id, newPicture.localUrl],
      ['', '', null],
      ['gone', 'gone', null],
      [null, null, oldPicture.localUrl],
    ] as const) {
      expect((await saveDraft(chosen)).featuredImageId).toBe(saved);
      expect((await app.get<PostDetail>(200, 'GET', path, { token })).draft?.featuredImageId).toBe(saved);
      expect(await previewedImage()).toBe(displayed);
    }
    expect((await app.get<PublicPost>(200, 'GET', `/api/public/posts/${created.slug}`)).featuredImage).toBe(
      oldPicture.localUrl,
    );
    const tooLong = await app.call('PUT', `${path}/draft`, { token, body: { featuredImageId: 'x'.repeat(65) } });
    expect(tooLong.status).toBe(422);
    // The draft keeps the chosen picture even if the save comes too late.
    await app.get(200, 'PUT', path, { token, body: postForm({}) });
    const lateForm = postForm({ featuredImageId: newPicture.id, version: '1' });
    expect((await app.call('PUT', path, { token, body: lateForm })).status).toBe(409);
    expect((await app.get<PostDetail>(200, 'GET', path, { token })).draft?.featuredImageId).toBe(newPicture.id);
  });

  it('reuses an identical library file, which stays when the post is rejected', async () => {
    const desk = await upload(taggedPng(), 'desk.png');
    const duplicate = (extra = {}) =>
      postForm({ slug: 'desk', featuredImage: fileOf(taggedPng(), 'again.png'), ...extra });
    const created = await app.get<PostDetail>(201, 'POST', '/api/cms/posts', { token, body: duplicate() });
    expect(created.featuredImage).toBe(desk.localUrl);
    expect((await app.call('POST', '/api/cms/posts', { token, body: duplicate() })).status).toBe(409);
    const files = await app.get<MediaItem[]>(200, 'GET', '/api/cms/media', { token });
    expect(files.map(({ id, originalName }) => [id, originalName])).toEqual([[desk.id, 'desk.png']]);
  });

  it('is discarded with a rejected post, but stays in the draft after a version conflict', async () => {
    const picture = () => ({ featuredImage: fileOf(taggedPng(), 'desk.png') });
    const files = async () => (await app.get<MediaItem[]>(200, 'GET', '/api/cms/media', { token })).map(({ id }) => id);
    const countStoredFiles = async () => (await app.installation.media.list()).objects.length;
    const body = postForm({ slug: 'pictured' });
    const created = await app.get<PostDetail>(201, 'POST', '/api/cms/posts', { token, body });
    for (const [wrong, status] of [
      [{ slug: 'pictured' }, 409],
      [{ content: '<b>'.repeat(5000) }, 422],
    ] as const) {
      const refusedAnswer = await app.call('POST', '/api/cms/posts', {
        token,
        body: postForm({ ...wrong, ...picture() }),
      });
      expect([refusedAnswer.status, await files(), await countStoredFiles()]).toEqual([status, [], 0]);
    }
    const path = `/api/cms/posts/${created.id}`;
    await app.get(200, 'PUT', path, { token, body: postForm({ version: '1' }) });
    const lateAnswer = await app.call('PUT', path, { token, body: postForm({ version: '1', ...picture() }) });
    expect(lateAnswer.status).toBe(409);
    const { draft } = await app.get<PostDetail>(200, 'GET', path, { token });
    expect([await files(), await countStoredFiles()]).toEqual([[draft?.featuredImageId], 1]);
  });
});
