import { boarding, transactionWebhookSecret } from './credentials.ts';
import { createPauses } from './inject-faults.ts';
import type { WebhookKind, World } from './world.ts';

export type Webhook = {
  kind: WebhookKind;
  /** The merchant's number, or the id of the transaction or email. */
  subjectId: string;
  event: string;
  /** The body, as sent. */
  text: string;
  /** Headers of one attempt, such as a signature with its timestamp. */
  headers?: () => Record<string, string>;
  /** Path by which a fault can select the webhook. A fault may also use the path of the target URL. */
  wirePath: string;
  /** The account of the webhook; faults limited to this account apply to it. */
  account: number | null;
};

export type SentWebhook = { event: string; at: string; attempts: { at: string; outcome: string }[] };
export type Webhooks = ReturnType<typeof createWebhooks>;

/** Pauses between the three attempts. The provider's own pauses are longer. */
const RETRY_PAUSES_MS = [400, 1200];
const TIMEOUT_MS = 10_000;
const DEFAULT_DELAY_MS = 2000;

/** The secret at the end of the webhook's address. The mail service signs its webhooks instead. */
const SECRETS: Record<WebhookKind, string> = {
  boarding: `/${boarding.webhookSecret}`,
  transactions: `/${transactionWebhookSecret}`,
  mail: '',
};

export const webhookUrl = (world: World, kind: WebhookKind): string =>
  world.settings().webhook_urls[kind] ?? `${world.productUrl}/api/webhooks/${kind}${SECRETS[kind]}`;

/** Lists the webhooks about one merchant, transaction or email, oldest first, with the outcome of each attempt. */
export function sentWebhooks(world: World, kind: WebhookKind, subjectId: string): SentWebhook[] {
  const rows = world.store.all<{ seq: number; event: string; at_ms: number }>(
    'SELECT seq, event, at_ms FROM webhooks WHERE about = ? AND kind = ? ORDER BY seq',
    subjectId,
    kind,
  );
  return rows.map(({ seq, event, at_ms }) => ({
    event,
    at: new Date(at_ms).toISOString(),
    attempts: world.store
      .all<{ at_ms: number; outcome: string }>(
        'SELECT at_ms, outcome FROM webhook_attempts WHERE webhook_seq = ? ORDER BY seq',
        seq,
      )
      .map((attempt) => ({ at: new Date(attempt.at_ms).toISOString(), outcome: attempt.outcome })),
  }));
}

/** Sends webhooks to the product. Stopping the sandbox drops the pending ones. */
export function createWebhooks(world: World) {
  const pauses = createPauses();
  const shutdown = new AbortController();
  let cancelCount = 0;

  function record(seq: number, outcome: string) {
    world.store.run(
      'INSERT INTO webhook_attempts (webhook_seq, at_ms, outcome) VALUES (?, ?, ?)',
      seq,
      world.now(),
      outcome,
    );
  }

  /** Sends the webhook once. Returns true for any 2xx response. */
  async function attempt(seq: number, url: string, webhook: Webhook): Promise<boolean> {
    const result = await post(url, webhook.text, webhook.headers?.() ?? {}, shutdown.signal);
    if (!shutdown.signal.aborted) record(seq, result.outcome);
    return result.isDelivered || shutdown.signal.aborted;
  }

  async function retry(seq: number, url: string, webhook: Webhook): Promise<void> {
    for (const ms of RETRY_PAUSES_MS) {
      await pauses.pause(ms);
      if (await attempt(seq, url, webhook)) return;
    }
  }

  /** Returns after the first attempt; further attempts continue in the background. */
  async function deliver(seq: number, url: string, webhook: Webhook): Promise<void> {
    const initialCancelCount = cancelCount;
    if (!(await attempt(seq, url, webhook)) && cancelCount === initialCancelCount) void retry(seq, url, webhook);
  }

  return {
    /** Returns after the first attempt, or at once if a fault delays or drops it. */
    async send(webhook: Webhook): Promise<void> {
      const url = webhookUrl(world, webhook.kind);
      const inserted = world.store.run(
        'INSERT INTO webhooks (kind, about, event, at_ms) VALUES (?, ?, ?, ?)',
        webhook.kind,
        webhook.subjectId,
        webhook.event,
        world.now(),
      );
      const seq = Number(inserted.lastInsertRowid);
      const fault = world.faults.takeWebhook(
        webhook.kind === 'mail' ? 'mail' : 'gateway',
        webhook.account,
        webhook.wirePath,
        new URL(url).pathname,
      );
      if (fault?.do === 'webhook-drop') return record(seq, 'dropped');
      if (fault?.do === 'webhook-late') {
        const ms = fault.ms || DEFAULT_DELAY_MS;
        record(seq, `held for ${ms} ms`);
        void pauses.pause(ms).then(() => deliver(seq, url, webhook));
        return;
      }
      await deliver(seq, url, webhook);
      if (fault?.do === 'webhook-twice') await deliver(seq, url, webhook);
    },
    /** Drops webhooks that are waiting for an attempt. */
    cancel() {
      cancelCount += 1;
      pauses.stop();
    },
    stop() {
      shutdown.abort();
      pauses.stop();
    },
  };
}

type DeliveryResult = { isDelivered: boolean; outcome: string };

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  shutdownSignal: AbortSignal,
): Promise<DeliveryResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([shutdownSignal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { isDelivered: response.ok, outcome: String(response.status) };
  } catch {
    return { isDelivered: false, outcome: 'no answer' };
  }
}
