import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { SandboxEnv } from '../world.ts';

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Styles and scripts of the sandbox's pages. */
export function assetRoutes(): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const css = file('./style.css');
  const scripts = ['consent.js', 'terminal.js'];
  app.get('/_sandbox/style.css', (c) => c.body(css, 200, { 'content-type': 'text/css; charset=utf-8' }));
  for (const name of scripts) {
    const script = file(`./${name}`);
    app.get(`/_sandbox/${name}`, (c) => c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  }
  return app;
}
