import { Hono } from 'hono';
import { z } from 'zod';
import { answerBadControl, BadControl, readBody } from '../control-body.ts';
import { refuseForeignPages } from '../loopback.ts';
import { sentWebhooks } from '../webhooks.ts';
import type { SandboxEnv, World } from '../world.ts';
import { type MailEventName, type MailNews, mailEvents } from './news.ts';

const Told = z.strictObject({
  /** The service's id of the mail. */
  id: z.string(),
  do: z.enum(Object.keys(mailEvents) as MailEventName[]),
  /** When it happened; in any order. */
  at: z.iso.datetime().optional(),
  times: z.number().int().min(1).max(20).optional(),
  message_id: z.string().optional(),
  forged: z.boolean().optional(),
  age_s: z.number().int().optional(),
});

/** Control calls that make the mail service tell of a mail; each answers with all that was told of it, and the answers. */
export function controlMailRoutes(world: World, news: MailNews): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.onError(answerBadControl);
  app.use('/_sandbox/mail', refuseForeignPages);
  app.post('/_sandbox/mail', async (c) => {
    const { id, do: name, at, times, message_id, forged, age_s } = await readBody(c, Told);
    const how = {
      ...(at && { atMs: Date.parse(at) }),
      ...(times && { times }),
      ...(message_id && { messageId: message_id }),
      ...(forged && { isForged: forged }),
      ...(age_s !== undefined && { ageS: age_s }),
    };
    if (!(await news.tell(id, name, how))) throw new BadControl('there is no mail with this id');
    return c.json(sentWebhooks(world, 'mail', id));
  });
  return app;
}
