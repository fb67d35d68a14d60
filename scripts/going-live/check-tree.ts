import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { operator } from '#shared/operator';
import { SCOPES } from '#worker/adapters/crm/hubspot-oauth';
import type { Settings } from '#worker/env';
import { type Finding, missing, ok, wrong } from './finding.ts';

const AppFile = z.object({
  config: z.object({ auth: z.object({ redirectUrls: z.array(z.string()), requiredScopes: z.array(z.string()) }) }),
});
const APP_FILE = 'hubspot/src/app/app-hsmeta.json';
const NO_DATABASE = /^0+-0+-0+-0+-0*1$/;

/** What can be said of the files of this folder alone. */
export function checkTree(settings: Settings | null, read = (file: string) => readFileSync(file, 'utf8')): Finding[] {
  return [
    database(read('wrangler.toml')),
    crons(read('wrangler.toml')),
    operatorTexts(),
    ...appFile(read(APP_FILE), settings),
  ];
}

function database(toml: string): Finding {
  const [, id = ''] = /^database_id = "([^"]*)"/m.exec(toml) ?? [];
  const what = 'database_id in wrangler.toml';
  return NO_DATABASE.test(id) ? missing(what, 'put the id there that `wrangler d1 create` printed (step 2)') : ok(what);
}

function crons(toml: string): Finding {
  return /^crons = \[\s*"[^"]+"/m.test(toml)
    ? ok('schedule in wrangler.toml')
    : missing('schedule in wrangler.toml', 'open payments and mails are looked after by it: crons = ["* * * * *"]');
}

function operatorTexts(): Finding {
  const what = 'shared/operator.ts';
  return operator.supportEmail.endsWith('.example')
    ? wrong(what, 'still holds the example support address; payers will see it')
    : ok(what);
}

function appFile(text: string, settings: Settings | null): Finding[] {
  const parsed = AppFile.safeParse(JSON.parse(text));
  if (!parsed.success) return [wrong(APP_FILE, 'does not describe an app with OAuth')];
  const { redirectUrls, requiredScopes } = parsed.data.config.auth;
  const lacking = SCOPES.filter((scope) => !requiredScopes.includes(scope));
  const back = settings && `${new URL(settings.APP_URL).origin}/oauth`;
  return [
    lacking.length > 0 ? wrong(`scopes in ${APP_FILE}`, `lacks ${lacking.join(', ')}`) : ok(`scopes in ${APP_FILE}`),
    ...(back === null
      ? []
      : [
          redirectUrls.includes(back)
            ? ok(`redirect address in ${APP_FILE}`)
            : wrong(`redirect address in ${APP_FILE}`, `must list ${back}`),
        ]),
  ];
}
