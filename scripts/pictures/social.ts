import { readFileSync } from 'node:fs';
import { launchBrowser } from '#tests/support/browser/chromium';

/**
 * Draws the preview picture of a shared link: site/public/social.png. It contains no name, since it is in the
 * repository and the operator's name is not.
 */
const FONT = 'node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2';
const drawing = readFileSync('scripts/pictures/social-drawing.svg', 'utf8');
const mark = readFileSync('site/public/favicon.svg', 'utf8');
const font = readFileSync(FONT).toString('base64');

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<!doctype html>
<style>
@font-face { font-family: Hanken; src: url(data:font/woff2;base64,${font}); font-weight: 100 900 }
* { margin: 0; box-sizing: border-box }
body { width: 1200px; height: 630px; padding: 72px; display: grid; grid-template-columns: 1fr 500px; gap: 56px; align-items: center; background: #063226; color: #fff; font-family: Hanken }
h1 { font-size: 66px; line-height: 1.05; letter-spacing: -.028em; font-weight: 600 }
p { display: flex; align-items: center; gap: 16px; margin-bottom: 36px; font-size: 34px; font-weight: 650; letter-spacing: -.026em }
p svg { width: 52px; height: 52px }
.drawing { width: 620px }
.drawing > rect:first-child { fill: none }
</style>
<div><p>${mark}</p><h1>Secure Payment Solutions for Modern Business</h1></div>${drawing}`);
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: 'site/public/social.png' });
await browser.close();
