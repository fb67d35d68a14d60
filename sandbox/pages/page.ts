import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The frame of every sandbox page. `data-sandbox` marks parts that no vendor's page would show. */
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
