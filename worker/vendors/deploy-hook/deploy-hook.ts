import type { HookCall } from '#shared/contracts/content/content';
import { callVendor } from '../http.ts';
import type { SiteBuilder } from './port.ts';

/** A deploy hook: its address is the secret, and a POST to it starts a build. */
export function createDeployHook({ url, timeoutMs }: { url: string; timeoutMs: number }): SiteBuilder {
  return {
    isThere: url !== '',
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
