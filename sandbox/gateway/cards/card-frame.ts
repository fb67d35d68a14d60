import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { SandboxEnv, World } from '#sandbox/world';

const readAsset = (name: string) => readFileSync(new URL(`../../card-frame/${name}`, import.meta.url), 'utf8');

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

const GOOGLE_SCRIPT = 'google-pay.js';

/** Replaces the values of the named constants in a script. */
const replaceConstants = (text: string, values: Record<string, string>) =>
  text.replace(/^( +const ([A-Z_]+) = )'\w+';$/gm, (line, start: string, name: string) =>
    name in values ? `${start}'${values[name]}';` : line,
  );

const hostScript = (world: World, text: string) => {
  const { apple_pay, google_button, google_cancel, google_amount, google_script, script_suffix } = world.settings();
  const values = {
    APPLE_PAY: apple_pay,
    GOOGLE_BUTTON: google_button,
    GOOGLE_CANCEL: google_cancel,
    GOOGLE_AMOUNT: google_amount,
    GOOGLE_SCRIPT: google_script,
  };
  return replaceConstants(text, values) + script_suffix;
};

/** The provider's browser script and its frame with the card fields, which keep card numbers away from the product. */
export function cardFrameRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const files = {
    [SCRIPT]: { text: readAsset('clearent-host.js'), type: 'text/javascript; charset=utf-8' },
    'frame.js': { text: readAsset('frame.js'), type: 'text/javascript; charset=utf-8' },
    'frame.css': { text: readAsset('frame.css'), type: 'text/css; charset=utf-8' },
  };
  for (const [path, { text, type }] of Object.entries(files)) {
    // [documented] The script has this address, and these options and callbacks.
    app.get(`/js-sdk/${path}`, (c) =>
      c.body(path === SCRIPT ? hostScript(world, text) : text, 200, {
        'content-type': type,
        'cache-control': 'no-cache',
        'cross-origin-resource-policy': 'cross-origin',
      }),
    );
  }
  const googleScript = readAsset(GOOGLE_SCRIPT);
  // [documented] The provider's script loads this script from Google.
  app.get('/gp/p/js/pay.js', (c) =>
    c.body(replaceConstants(googleScript, { GOOGLE_PAY: world.settings().google_pay }), 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    }),
  );
  const frame = readAsset('frame.html');
  // [documented] Card fields live in a frame of the gateway.
  // [guessed] The frame's address and its messages to the script are our choice.
  app.get('/js-sdk/frame', (c) =>
    c.html(frame.replace('data-invalid-fields=""', `data-invalid-fields="${world.settings().invalid_fields}"`), 200, {
      'content-security-policy': FRAME_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    }),
  );
  return app;
}
