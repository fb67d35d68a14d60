import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { SandboxEnv } from '../world.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The layout of every sandbox page. `data-sandbox` marks parts that no vendor's page would show. */
export const page = (title: string, body: Html) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Sandbox</title>
    <link rel="stylesheet" href="/_sandbox/style.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <header data-sandbox><a href="/">Sandbox</a> <span>a simulation on this machine, not HubSpot, not Clearent</span></header>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>`;

const readAsset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Styles and scripts of the sandbox's pages. */
export function assetRoutes(): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const css = readAsset('./style.css');
  const scripts = ['consent.js', 'terminal.js'];
  app.get('/_sandbox/style.css', (c) => c.body(css, 200, { 'content-type': 'text/css; charset=utf-8' }));
  for (const name of scripts) {
    const script = readAsset(`./${name}`);
    app.get(`/_sandbox/${name}`, (c) => c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  }
  return app;
}
