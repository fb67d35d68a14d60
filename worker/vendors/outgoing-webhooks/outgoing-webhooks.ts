import type { HookCall } from '#shared/contracts/content/content';
import { callVendor } from '../http.ts';
import type { OperatorChannel, SiteBuilder } from './port.ts';

/** Creates a deploy hook. Its URL is the secret, and a POST to it starts a build. */
export function createDeployHook({ url, timeoutMs }: { url: string; timeoutMs: number }): SiteBuilder {
  return {
    isConfigured: url !== '',
    async request({ build, revision }) {
      const body: HookCall = { build, revision };
      try {
        const { status } = await callVendor(
          url,
          { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
          timeoutMs,
        );
        return status >= 200 && status < 300 ? 'asked' : 'refused';
      } catch {
        return 'silent';
      }
    },
  };
}

const TIMEOUT_MS = 5_000;

type WebhookUrls = { ALERT_WEBHOOK_URL: string; HEARTBEAT_URL: string };

/** Sends alerts as JSON, and heartbeats. Redirects are not followed. */
export function createOperatorChannel({ ALERT_WEBHOOK_URL, HEARTBEAT_URL }: WebhookUrls): OperatorChannel {
  const call = (url: string, init: RequestInit) =>
    callVendor(url, init, TIMEOUT_MS).then(
      ({ status }) => (status >= 200 && status < 300 ? 'sent' : 'refused'),
      () => 'silent' as const,
    );
  return {
    post: async (message) =>
      ALERT_WEBHOOK_URL === ''
        ? 'none'
        : call(ALERT_WEBHOOK_URL, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(message),
          }),
    sendHeartbeat: async () => HEARTBEAT_URL === '' || (await call(HEARTBEAT_URL, {})) === 'sent',
  };
}
