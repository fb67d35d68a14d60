const STACK = /^(?:at |Location:|Stack trace:|Hint:|file:|\/|node_modules\/)/;
const SIGN = /\berror\b|\bfailed\b/i;
const LINES = 3;
const MAX = 500;

/**
 * Why a build failed, for readers in the content area: the tool's name and its error text, without progress, stack
 * traces and local folders. The full output goes to the builder's log.
 */
export function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [lead = '', ...output] = message
    .replaceAll(`${process.cwd()}/`, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\d\d:\d\d:\d\d /, ''))
    .filter((line) => line !== '');
  const said = output.filter((line) => !STACK.test(line));
  const from = said.findIndex((line) => SIGN.test(line));
  const lines = from === -1 ? [] : said.slice(from, from + LINES);
  const reason = lines.length === 0 ? lead.replace(/:$/, '') : `${lead} ${lines.join(' ')}`;
  return reason.slice(0, MAX);
}
