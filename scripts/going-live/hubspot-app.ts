import type { OperatorWords } from './environment-file.ts';
import type { RemoteName } from './environment-name.ts';

type App = { uid: string; config: { name: string; auth: Record<string, unknown>; support: Record<string, unknown> } };

/** The app's description with an environment's values: each environment has an app of its own, so staging has its own id. */
export function fittedApp(text: string, name: RemoteName, appUrl: string, words: OperatorWords): App {
  const app = JSON.parse(text) as App;
  const { config } = app;
  const suffix = name === 'production' ? '' : ` (${name})`;
  return {
    ...app,
    uid: name === 'production' ? app.uid : `${app.uid}-${name}`,
    config: {
      ...config,
      name: `${words.name}${suffix}`,
      auth: { ...config.auth, redirectUrls: [`${new URL(appUrl).origin}/oauth`] },
      support: { ...config.support, supportEmail: words.supportEmail },
    },
  };
}
