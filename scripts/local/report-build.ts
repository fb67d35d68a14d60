import type { BuildReportBody } from '#shared/contracts/content/content-request';

const WAIT_MS = 10_000;
const PAUSE_MS = 1000;
const TRIES = 10;

/**
 * Reports a build's progress to the product. A lost intermediate report does no harm, because the next one replaces it.
 * The final report is retried until it is accepted, because a build that seems to run blocks others.
 */
export async function reportLocalBuild(
  { appUrl, buildSecret }: { appUrl: string; buildSecret: string },
  id: string,
  body: BuildReportBody,
  pauseMs = PAUSE_MS,
): Promise<void> {
  for (let tries = body.state === 'building' ? 1 : TRIES; ; ) {
    const answer = await fetch(`${appUrl}/api/internal/builds/${encodeURIComponent(id)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${buildSecret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(WAIT_MS),
    }).catch(() => null);
    await answer?.body?.cancel();
    if (--tries <= 0 || (answer && answer.status < 500)) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const STACK = /^(?:at |Location:|Stack trace:|Hint:|file:|\/|node_modules\/)/;
const ERROR_SIGN = /\berror\b|\bfailed\b/i;
const LINES = 3;
const MAX = 500;

/**
 * The reason for a failed build, for the content area: the tool's name and its error text, without progress, stack
 * traces and local folders. The full output goes to the builder's log.
 */
export function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [summary = '', ...output] = message
    .replaceAll(`${process.cwd()}/`, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\d\d:\d\d:\d\d /, ''))
    .filter((line) => line !== '');
  const content = output.filter((line) => !STACK.test(line));
  const start = content.findIndex((line) => ERROR_SIGN.test(line));
  const lines = start === -1 ? [] : content.slice(start, start + LINES);
  const reason = lines.length === 0 ? summary.replace(/:$/, '') : `${summary} ${lines.join(' ')}`;
  return reason.slice(0, MAX);
}
