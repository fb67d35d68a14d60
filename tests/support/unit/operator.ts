import { env } from 'cloudflare:workers';
import { makeWorld } from '#tests/support/unit/world';
import type { Deps } from '#worker/deps';
import { runJobs, STEPS } from '#worker/domain/run-schedule';
import { keeping } from '#worker/log';
import type { AlertMessage, OperatorLine } from '#worker/vendors/operator-line/port';

export const MINUTE = 60_000;

export type Jobs = Record<string, (deps: Deps) => Promise<void>>;

/** A world whose alerts reach an operator. `said`: what the webhook got, and at which simulated time. */
export async function makeOperator(settings: Record<string, unknown> = {}) {
  const world = await makeWorld({ ALERT_MAIL_TO: 'operator@tillway.example', ...settings });
  const { clock, logs } = world;
  const said: (AlertMessage & { at: number })[] = [];
  const line = { answers: 'sent' as Awaited<ReturnType<OperatorLine['post']>>, beats: 0 };
  const deps: Deps = {
    ...world.deps,
    log: keeping(
      { info: (event) => void logs.push(event), alert: (event) => void logs.push(`ALERT ${event}`) },
      world.deps.raised,
      () => clock.now,
    ),
    operatorLine: async () => ({
      post: async (message) => {
        if (line.answers === 'sent') said.push({ ...message, at: clock.now });
        return line.answers;
      },
      beat: async () => {
        line.beats++;
        return true;
      },
    }),
  };
  const { audit, troubles, alerts, mails } = STEPS as Jobs;
  /** Let minutes pass, each with a run of the steps that alert, and of others. */
  const pass = async (minutes: number, more: Jobs = {}, everyMinutes = 1) => {
    for (let n = 0; n < minutes; n += everyMinutes) {
      clock.now += everyMinutes * MINUTE;
      await runJobs(deps, { mails, audit, ...more, troubles, alerts } as Jobs);
    }
  };
  const rows = async () => {
    const { results } = await env.DB.prepare('SELECT * FROM alerts ORDER BY key').all<
      Record<string, string | number>
    >();
    return new Map(results.map((row) => [String(row.key), row]));
  };
  return { ...world, deps, said, line, pass, rows };
}
