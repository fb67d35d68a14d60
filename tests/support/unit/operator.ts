import { env } from 'cloudflare:workers';
import { makeWorld } from '#tests/support/unit/world';
import type { Deps } from '#worker/deps';
import { CLINIC_STEPS, INSTALLATION_STEPS, runJobs, type Steps } from '#worker/domain/run-schedule';
import { keeping } from '#worker/log';
import type { AlertMessage, OperatorChannel } from '#worker/vendors/outgoing-webhooks/port';

export const MINUTE = 60_000;

export type Jobs = Partial<Steps>;

/** A world whose alerts reach an operator. `said`: what the webhook got, and at which simulated time. */
export async function makeOperator(settings: Record<string, unknown> = {}) {
  const world = await makeWorld({ ALERT_MAIL_TO: 'operator@tillway.example', ...settings });
  const { clock, logs } = world;
  const said: (AlertMessage & { at: number })[] = [];
  const line = { answers: 'sent' as Awaited<ReturnType<OperatorChannel['post']>>, beats: 0 };
  const own: Partial<Deps> = {
    log: keeping(
      { info: (event) => void logs.push(event), alert: (event) => void logs.push(`ALERT ${event}`) },
      world.deps.raised,
      () => clock.now,
    ),
    operatorChannel: {
      post: async (message) => {
        if (line.answers === 'sent') said.push({ ...message, at: clock.now });
        return line.answers;
      },
      beat: async () => {
        line.beats++;
        return true;
      },
    },
  };
  const deps = { ...world.deps, ...own };
  const installation = { ...world.installation, ...own };
  const { mails, audit, troubles } = CLINIC_STEPS;
  const { alerts } = INSTALLATION_STEPS;
  /** Every clinic has told of itself. */
  const heard = async () => {
    await env.INSTALLATION.prepare('UPDATE clinics SET heard_at = ?').bind(clock.now).run();
  };
  /** Let minutes pass, each with a turn of the clinic's clock and of the installation's, with these jobs instead. */
  const pass = async (minutes: number, more: Jobs = {}, everyMinutes = 1) => {
    for (let n = 0; n < minutes; n += everyMinutes) {
      clock.now += everyMinutes * MINUTE;
      const { planted, ...others } = more;
      await runJobs(deps, { mails, audit, standing: heard, ...others, troubles } as Steps);
      await runJobs(installation, { mails, audit, ...(planted ? { planted } : {}), alerts } as Steps);
    }
  };
  const rows = async () => {
    const { results } = await env.INSTALLATION.prepare('SELECT * FROM alerts ORDER BY key').all<
      Record<string, string | number>
    >();
    return new Map(results.map((row) => [String(row.key), row]));
  };
  return { ...world, deps, installation, said, line, pass, rows };
}
