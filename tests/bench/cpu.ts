import { readdirSync, readFileSync } from 'node:fs';

/** The Workers runtimes started by this process. */
export function listRuntimes(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [, command, , parent] = /\((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return command === 'workerd' && Number(parent) === process.pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** CPU time in nanoseconds, all threads together. */
export const cpuOf = (process: number): number =>
  readdirSync(`/proc/${process}/task`)
    .map((task) => Number(readFileSync(`/proc/${process}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, time) => sum + time, 0);
