import type { ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forget, startGroup } from '#scripts/local/processes';
import type { FromProcess, ToProcess } from './process.ts';

/**
 * A Worker of several isolates in its own process. Starting one takes longer than most experiments, so one serves
 * them all. Each experiment gets its own world: an unused clinic, database and bucket.
 */
export type Cluster = {
  /** Runs one version of the Worker or several at once, unless they already run. The objects run the first version. */
  run(...scripts: string[]): Promise<void>;
  newWorld(): number;
  isSpent(): boolean;
  /** The address of one isolate, in turn. */
  nextUrl(): string;
  /** Sends SIGKILL to the Worker's process group, in the middle of its work. */
  kill(): Promise<void>;
  /** After `kill`: starts a new process on the same state. */
  restart(): Promise<void>;
  /** Replaces the Worker as a deployment does; databases and buckets stay. */
  reload(): Promise<void>;
  /** Copies the clinics' databases. The returned function restores only them. Both may run only while killed. */
  copyClinics(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
};

const WORLDS = 48;

export async function openCluster(isolates = 3): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'tillway-money-'));
  let child = forkProcess();
  let spare: ChildProcess | undefined;
  /** Null while killed. An experiment that fails then leaves it null. */
  let running: string[] | null = null;
  let last: string[] = [];
  let urls: string[] = [];
  let worlds = 0;
  let turn = 0;
  let copies = 0;

  const start = async (scripts: string[]) => {
    urls = await ask(child, { do: 'start', start: { scripts, isolates, worlds: WORLDS, folder } });
    running = last = scripts;
  };

  return {
    async run(...scripts) {
      if (running === null && last.length > 0) child = forkProcess();
      if (running?.length !== scripts.length || running.some((script, index) => script !== scripts[index]))
        await start(scripts);
    },
    newWorld: () => worlds++,
    isSpent: () => worlds >= WORLDS,
    nextUrl: () => urls[turn++ % urls.length] ?? '',
    async kill() {
      running = null;
      await end(child);
    },
    async restart() {
      child = spare ?? forkProcess();
      await start(last);
      // An experiment that kills usually kills again, so prepare the next process.
      spare = forkProcess();
    },
    reload: () => start(last),
    async copyClinics() {
      const [state, copy] = [join(folder, 'do'), join(folder, `do-copy-${copies++}`)];
      await cp(state, copy, { recursive: true });
      return async () => {
        await rm(state, { recursive: true });
        await cp(copy, state, { recursive: true });
      };
    },
    async stop() {
      await Promise.all([end(child), spare && end(spare)]);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const forkProcess = () =>
  startGroup(process.execPath, [join(import.meta.dirname, 'process.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

/** The process leads its own group, which includes workerd. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await exited;
  forget(child);
}

function ask(child: ChildProcess, message: ToProcess): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const stopListening = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (reply: FromProcess) => {
      stopListening();
      if ('urls' in reply) resolve(reply.urls);
      else reject(new Error(reply.failure));
    };
    const onExit = (code: number | null) => {
      stopListening();
      reject(new Error(`the Worker's process ended with ${code}`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(message);
  });
}
