import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { SandboxEnv, World } from '#sandbox/world';

const file = (name: string) => readFileSync(new URL(`../../card-frame/${name}`, import.meta.url), 'utf8');

/** Only pages on this machine may embed the frame. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  'frame-ancestors http://localhost:* http://127.0.0.1:* https://localhost:*',
].join('; ');

const SCRIPT = 'js/clearent-host.js';

const hostScript = (world: World, text: string) => {
  const { apple_pay, script_suffix } = world.settings();
  return text.replace("APPLE_PAY = 'page'", `APPLE_PAY = '${apple_pay}'`) + script_suffix;
};

/** The provider's browser script and its frame with the card fields, which keep card numbers away from the product. */
export function cardFrameRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const files = {
    [SCRIPT]: { text: file('clearent-host.js'), type: 'text/javascript; charset=utf-8' },
    'frame.js': { text: file('frame.js'), type: 'text/javascript; charset=utf-8' },
    'frame.css': { text: file('frame.css'), type: 'text/css; charset=utf-8' },
  };
  for (const [path, { text, type }] of Object.entries(files)) {
    // [documented] The script's address, its options and callbacks.
    app.get(`/js-sdk/${path}`, (c) =>
      c.body(path === SCRIPT ? hostScript(world, text) : text, 200, {
        'content-type': type,
        'cache-control': 'no-cache',
        'cross-origin-resource-policy': 'cross-origin',
      }),
    );
  }
  const frame = file('frame.html');
  // [documented] Card fields live in a frame of the gateway.
  // [guessed] The frame's own address and its messages to the script.
  app.get('/js-sdk/frame', (c) =>
    c.html(frame.replace('data-invalid-fields=""', `data-invalid-fields="${world.settings().invalid_fields}"`), 200, {
      'content-security-policy': FRAME_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    }),
  );
  return app;
}
