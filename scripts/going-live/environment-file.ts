import * as z from 'zod/mini';
import { INVOICE_FOOTER, operator, operatorClaims, operatorLegal } from '#shared/operator';
import { operatorCards } from '#shared/operator-cards';

/**
 * The definition of one environment, in a file outside git: the names of its parts at the platform, the operator's own
 * words, and the Worker's settings with their secrets.
 */
const text = z.string().check(z.minLength(1, { error: 'is empty' }));
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a day like 2026-01-31' }));
const days = z.number().check(z.int(), z.positive());
const address = z.url({ protocol: /^https$/, error: 'must be an https address' });

/** Evidence for a claim on the homepage: its scope, start and public address, and the day of the last check. */
const Evidence = z.object({ claim: text, covers: text, since: day, url: address, seen: day });
export type Evidence = z.infer<typeof Evidence>;

export const OperatorWords = z.object({
  name: text,
  supportPhone: text,
  supportEmail: z.email({ error: 'must be a mail address' }),
  bankPaymentDays: z.object({ least: days, most: days }),
  uptime: text,
  support: text,
  merchants: text,
  badges: z.array(text),
  effectiveDate: text,
  governingLaw: text,
  invoiceFooter: text,
  cards: z.array(text).check(z.minLength(1, { error: 'is empty' })),
  evidence: z.array(Evidence),
});
export type OperatorWords = z.infer<typeof OperatorWords>;

export const Parts = z.object({
  worker: z.string().check(z.regex(/^[a-z0-9-]+$/, { error: 'must be lowercase letters, digits and hyphens' })),
  database: z.object({ name: text, id: z.guid({ error: 'must be the id that `wrangler d1 create` printed' }) }),
  buckets: z.object({ media: text, anchors: text, backups: text }),
  /** Cloud region near which the Worker runs, such as aws:us-east-1; empty: near the caller. */
  placement: z._default(
    z.string().check(z.regex(/^((aws|gcp|azure):[a-z0-9-]+)?$/, { error: 'must look like aws:us-east-1' })),
    '',
  ),
});
export type Parts = z.infer<typeof Parts>;

const setting = z.union([z.string(), z.number(), z.boolean()]);
export const EnvironmentFile = z.object({
  ...Parts.shape,
  operator: OperatorWords,
  settings: z.record(z.string(), setting),
});
export type EnvironmentFile = z.infer<typeof EnvironmentFile>;

/** The parts of the file without secrets, which a build service gets in one variable. */
export const PublicFile = z.object({ ...Parts.shape, operator: OperatorWords });
export type PublicFile = z.infer<typeof PublicFile>;

/** The environments; `npm start` runs `local`, the others are at the platform. */
export const NAMES = ['local', 'staging', 'production'] as const;
export type EnvironmentName = (typeof NAMES)[number];
export type RemoteName = Exclude<EnvironmentName, 'local'>;

/** The file of an environment, which git ignores. */
export const fileOf = (name: RemoteName): string => `${name}.json`;
export const exampleOf = (name: RemoteName): string => `docs/${name}.example.json`;

export type CommandArguments = { name: EnvironmentName; flags: Set<string>; rest: string[] };

/** Parses `--to NAME` and the known flags of a command. Throws an Error with usage help. */
export function readArguments(args: string[], known: readonly string[]): CommandArguments {
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

function nameOf(argument: string): EnvironmentName {
  const name = NAMES.find((known) => known === argument);
  if (!name) throw new Error(`--to takes ${NAMES.join(', ')}, not “${argument}”`);
  return name;
}

/** The environment of a command that works only at the platform; throws an Error for `local`. */
export function remoteName(name: EnvironmentName): RemoteName {
  if (name === 'local') throw new Error('npm start runs the local environment; choose staging or production');
  return name;
}

/** A placeholder environment for a dry run without a file: the names of wrangler.toml and the sample words. */
export const sampleFile: PublicFile = {
  worker: 'tillway',
  database: { name: 'tillway', id: '00000000-0000-0000-0000-000000000001' },
  buckets: { media: 'tillway-media', anchors: 'tillway-audit-anchors', backups: 'tillway-backups' },
  placement: '',
  operator: {
    ...operator,
    uptime: operatorClaims.uptime,
    support: operatorClaims.support,
    merchants: operatorClaims.merchants,
    badges: [...operatorClaims.badges],
    ...operatorLegal,
    invoiceFooter: INVOICE_FOOTER,
    cards: [...operatorCards],
    evidence: [...operatorClaims.evidence],
  },
};
