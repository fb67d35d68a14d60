import { stripVTControlCharacters } from 'node:util';

const ERROR = /\berror\b|_ERROR\b/i;
/** A line of the Worker's own log, a line with a time, or a line under a tool's name. */
const NEXT = /^(?:\{|\d\d:\d\d:\d\d |\[[a-z])/;
const FOREIGN = /^\s+at .*(?:node_modules|node:|\bworkers\/)/;
const LINES = 40;

/**
 * Selects the lines of a tool that a person should see: the Worker's own log lines except one per request, and errors
 * with the lines under them, such as file and line. Omits the tools' tables, notices and request logs, and stack frames
 * of third-party code. Pass it all lines of one tool, in order.
 */
export function createFilter(): (line: string) => boolean {
  let remaining = 0;
  return (line) => {
    const text = stripVTControlCharacters(line);
    if (text.startsWith('{')) {
      remaining = 0;
      return !text.includes('"event":"request",');
    }
    if (ERROR.test(text)) {
      remaining = LINES;
      return true;
    }
    if (NEXT.test(text)) remaining = 0;
    if (remaining === 0) return false;
    remaining--;
    return !FOREIGN.test(text);
  };
}
