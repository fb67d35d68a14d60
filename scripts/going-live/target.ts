import { existsSync } from 'node:fs';
import type { Settings } from '#worker/env';
import { parseJson } from '#worker/vendors/http';
import { checkOperator } from './check-operator.ts';
import { checkTree } from './check-tree.ts';
import { exampleOf, fileOf, type OperatorWords, PublicFile, type RemoteName } from './environment-file.ts';
import { type Finding, isToDo } from './finding.ts';
import { readEnvironment } from './read-environment.ts';

/** The target of a deploy, and the data that the deploy uploads. */
export type Target = {
  name: RemoteName;
  appUrl: string;
  buildSecret: string;
  file: PublicFile;
  /** Uploaded as secrets; empty at a build service, where the Worker keeps its existing secrets. */
  vars: Record<string, string>;
};

/**
 * The target of a deploy: from the environment's file on a person's machine, from the variables APP_URL, BUILD_SECRET
 * and ENVIRONMENT at a build service. Calls `print` for each problem, then throws an Error.
 */
export function readTarget(name: RemoteName, env: NodeJS.ProcessEnv, print: (line: string) => void): Target {
  if (!existsSync(fileOf(name))) return fromVariables(name, env);
  const { file, words, settings, vars, findings } = readEnvironment(name);
  const bad = fileFindings(name, { words, settings, findings }).filter(({ label }) => label !== 'DEPLOY_HOOK_URL');
  for (const { label, state, detail } of bad) print(`${state} ${label}: ${detail}`);
  if (!settings || !file || bad.length > 0) {
    throw new Error(`${name} is not complete; npm run doctor -- --to ${name} lists what is missing`);
  }
  return { name, appUrl: settings.APP_URL, buildSecret: settings.BUILD_SECRET, file, vars };
}

type FileContents = { words: OperatorWords | null; settings: Settings | null; findings: Finding[] };

/** Problems that can be found from files alone. */
function fileFindings(name: RemoteName, { words, settings, findings }: FileContents): Finding[] {
  const today = new Date().toISOString().slice(0, 10);
  const all = [...findings, ...checkTree(settings), ...checkOperator(name, words, today)];
  return all.filter(isToDo);
}

function fromVariables(name: RemoteName, env: NodeJS.ProcessEnv): Target {
  const { APP_URL: appUrl = '', BUILD_SECRET: buildSecret = '', ENVIRONMENT: text = '' } = env;
  if (!appUrl || !text) {
    throw new Error(
      `there is neither ${fileOf(name)} (copy ${exampleOf(name)}) nor the variables APP_URL and ENVIRONMENT of a build service; see docs/deploy.md`,
    );
  }
  const parsed = PublicFile.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new Error(
      'the variable ENVIRONMENT is not what npm run deploy -- --variables prints; copy that line again (docs/deploy.md, step 6)',
    );
  }
  return { name, appUrl, buildSecret, file: parsed.data, vars: {} };
}

/** For a dry run: the environment's file as far as it is filled in, otherwise placeholder names. */
export function rehearsalTarget(name: RemoteName, sample: PublicFile): Target {
  const environment = existsSync(fileOf(name)) ? readEnvironment(name) : null;
  return {
    name,
    appUrl: environment?.settings?.APP_URL ?? 'https://rehearsal.example',
    buildSecret: '',
    file: environment?.file ?? sample,
    vars: environment?.vars ?? {},
  };
}
