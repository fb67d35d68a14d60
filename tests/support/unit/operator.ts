import { env } from 'cloudflare:workers';
import { makeWorld } from '#tests/support/unit/world';
import type { Deps } from '#worker/deps';
import { CLINIC_STEPS, INSTALLATION_STEPS, runJobs, type Steps } from '#worker/domain/run-schedule';
import { collectAlerts } from '#worker/log';
import type { AlertMessage, OperatorChannel } from '#worker/vendors/outgoing-webhooks/port';

export const MINUTE = 60_000;

export type Jobs = Partial<Steps>;

/** A world whose alerts reach an operator. `messages`: the webhook's messages with their simulated times. */
export async function makeOperator(settings: Record<string, unknown> = {}) {
  const world = await makeWorld({ ALERT_MAIL_TO: 'operator@tillway.example', ...settings });
  const { clock, logs } = world;
  const messages: (AlertMessage & { at: number })[] = [];
  const channel = { answers: 'sent' as Awaited<ReturnType<OperatorChannel['post']>>, beats: 0 };
  const operatorDeps: Partial<Deps> = {
    log: collectAlerts(
      { info: (event) => void logs.push(event), alert: (event) => void logs.push(`ALERT ${event}`) },
      world.deps.raised,
      () => clock.now,
    ),
    operatorChannel: {
      post: async (message) => {
        if (channel.answers === 'sent') messages.push({ ...message, at: clock.now });
        return channel.answers;
      },
      sendHeartbeat: async () => {
        channel.beats++;
        return true;
      },
    },
  };
  const deps = { ...world.deps, ...operatorDeps };
  const installation = { ...world.installation, ...operatorDeps };
  const { mails, audit, troubles } = CLINIC_STEPS;
  const { alerts } = INSTALLATION_STEPS;
  /** Marks every clinic as heard from now. */
  const markHeard = async () => {
    await env.INSTALLATION.prepare('UPDATE clinics SET heard_at = ?').bind(clock.now).run();
  };
  /** Lets minutes pass and runs the schedules of clinic and installation in each, with these jobs replaced. */
  const pass = async (minutes: number, jobs: Jobs = {}, everyMinutes = 1) => {
    for (let n = 0; n < minutes; n += everyMinutes) {
      clock.now += everyMinutes * MINUTE;
      const { planted, ...others } = jobs;
      await runJobs(deps, { mails, audit, standing: markHeard, ...others, troubles } as Steps);
      await runJobs(installation, { mails, audit, ...(planted ? { planted } : {}), alerts } as Steps);
    }
  };
  const rows = async () => {
    const { results } = await env.INSTALLATION.prepare('SELECT * FROM alerts ORDER BY key').all<
      Record<string, string | number>
    >();
    return new Map(results.map((row) => [String(row.key), row]));
  };
  return { ...world, deps, installation, messages, channel, pass, rows };
}
