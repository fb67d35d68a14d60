import type { Approved, MonitorNoted, MonitorState } from '#shared/contracts/monitor';
import type { ApprovalBody, MonitorReportBody } from '#shared/contracts/monitor-request';
import type { Installation } from './installation.ts';

const WAIT_MS = 30_000;

/** The installation's own calls for its monitor. Each throws an Error with what the installation answered. */
export function callsOf({ appUrl, secret }: Pick<Installation, 'appUrl' | 'secret'>) {
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${appUrl}${path}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(WAIT_MS),
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw new Error(`${appUrl} does not answer: ${cause.message}`);
    });
    const text = await response.text();
    if (!response.ok) throw new Error(messageIn(text) || `${path} answered ${response.status}`);
    return JSON.parse(text) as T;
  };
  return {
    state: () => call<MonitorState>('/api/monitor'),
    report: (report: MonitorReportBody) => call<MonitorNoted>('/api/monitor', report),
    approve: (approval: ApprovalBody) => call<Approved>('/api/monitor/approvals', approval),
  };
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}
