/** The environments; `local` is what `npm start` runs, the others are at the platform. */
export const NAMES = ['local', 'staging', 'production'] as const;
export type EnvironmentName = (typeof NAMES)[number];
export type RemoteName = Exclude<EnvironmentName, 'local'>;

/** The file of an environment, which git ignores. */
export const fileOf = (name: RemoteName): string => `${name}.json`;
export const exampleOf = (name: RemoteName): string => `docs/${name}.example.json`;

export type Asked = { name: EnvironmentName; flags: Set<string>; rest: string[] };

/** Reads `--to NAME` and the flags that a command knows. Throws an Error that says how it is used. */
export function readArguments(args: string[], known: readonly string[]): Asked {
  const flags = new Set<string>();
  const rest: string[] = [];
  let name: EnvironmentName = 'production';
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    if (argument === '--to') name = nameOf(args[++at] ?? '');
    else if (known.includes(argument)) flags.add(argument);
    else if (argument.startsWith('--'))
      throw new Error(`unknown argument ${argument}; known are ${['--to NAME', ...known].join(', ')}`);
    else rest.push(argument);
  }
  return { name, flags, rest };
}

function nameOf(given: string): EnvironmentName {
  const name = NAMES.find((one) => one === given);
  if (!name) throw new Error(`--to takes ${NAMES.join(', ')}, not “${given}”`);
  return name;
}

/** The environment of a command that needs one at the platform. */
export function remoteName(name: EnvironmentName): RemoteName {
  if (name === 'local') throw new Error('the local environment is what npm start runs; choose staging or production');
  return name;
}
