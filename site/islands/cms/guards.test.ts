import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { bentAnswers, expectSameAnswers, sampleOf } from '#tests/support/bent-answers';
import { InvitationReply, LoginReply, MeReply, PublishState } from '../../../shared/contracts/content/content.ts';
import { Item } from './editor/parse-response.ts';
import { readErrorOrConflict, readInvitation, readItems, readLogin, readMe, readPublish } from './parse-response.ts';

it.each([
  ['a session', LoginReply, readLogin],
  ['who is logged in', MeReply, readMe],
  ['an invitation', InvitationReply, readInvitation],
  ['posts or pages', z.array(Item), readItems],
  ['how far the public site is', PublishState, readPublish],
])('takes as %s what the contract describes, and nothing else', (_name, schema, read) => {
  expectSameAnswers(schema, read);
});

it('takes a newer text from a refusal only where it is one', () => {
  const error = { code: 'conflict', message: 'Saved in between.' };
  expect(readErrorOrConflict({ error, current: sampleOf(Item) }, 409)).toMatchObject({ current: sampleOf(Item) });
  for (const current of bentAnswers(Item)) {
    expect('current' in readErrorOrConflict({ error, current }, 409)).toBe(Item.safeParse(current).success);
  }
});
