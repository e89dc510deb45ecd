// What the viewer's tests share: a browser, servers, pages that may not complain, and pictures compared as an eye would.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, '../../viewer/package.json'));
const { chromium } = require('playwright-core');
const { PNG } = require('pngjs');

export const weft = process.env.WEFT_PROGRAM;
export const isLong = Boolean(process.env.WEFT_LONG);
export const fixture = join(here, 'drop'); // a run of drop.json, every second frame, 16 bits a coordinate
const out = process.env.WEFT_PICTURES ?? join(tmpdir(), 'weft-viewer-pictures');

export const work = mkdtempSync(join(tmpdir(), 'weft-viewer-'));

let browser = null;
const stops = [];

export async function openBrowser() {
  // The same software renderer everywhere, so that pictures can be compared.
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  return browser;
}

export async function closeAll() {
  await browser?.close();
  for (const stop of stops) await stop();
  rmSync(work, { recursive: true, force: true });
}

/** weft view; resolves to its address. */
export function serve(...things) {
  const child = spawn(weft, ['view', '--no-browser', ...things], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  stops.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (data) => (text += data));
    child.stdout.on('data', (data) => {
      const found = /http:\S+/.exec(String(data));
      if (found) resolve(found[0].replace(/;$/, ''));
    });
    child.on('exit', () => reject(new Error(`weft view: ${text}`)));
  });
}

/** Another verb; resolves to what it printed. */
export function run(...words) {
  const child = spawn(weft, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (data) => (text += data));
  child.stderr.on('data', (data) => (text += data));
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => (code === 0 ? resolve(text) : reject(new Error(`weft ${words.join(' ')}: ${text}`))));
  });
}

/** A page that is ready; whatever it writes to the console as an error is kept, and has to be empty when it is closed. */
export async function open(address, { width = 900, height = 600, theme = 'light', isTouch = false } = {}) {
  const context = await (await openBrowser()).newContext({ viewport: { width, height }, colorScheme: theme, hasTouch: isTouch, acceptDownloads: true });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60000 });
  return {
    page,
    complaints,
    evaluate: (what, argument) => page.evaluate(what, argument),
    status: () => page.textContent('#status'),
    async close() {
      // chromium's own words about its software renderer are none of ours
      const ours = complaints.filter((text) => !/GPU stall due to ReadPixels|GL Driver Message/.test(text));
      await context.close();
      assert.deepEqual(ours, [], 'the console has complaints');
    },
  };
}

/** The picture as the viewer would save it, made smaller by a whole number. */
export async function picture(view, shrink = 4) {
  const text = await view.evaluate(async () => {
    const bytes = new Uint8Array(await (await window.weft.stage.picture()).arrayBuffer());
    let binary = '';
    for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(binary);
  });
  return smaller(PNG.sync.read(Buffer.from(text, 'base64')), shrink);
}

function smaller(image, by) {
  const width = Math.floor(image.width / by), height = Math.floor(image.height / by);
  const to = new PNG({ width, height });
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let k = 0; k < 4; k++) {
        let sum = 0;
        for (let j = 0; j < by; j++) for (let i = 0; i < by; i++) sum += image.data[4 * ((y * by + j) * image.width + x * by + i) + k];
        to.data[4 * (y * width + x) + k] = Math.round(sum / (by * by));
      }
  return to;
}

// Structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) of each colour channel, in windows of 8 x 8 every 4
// pixels: 1 for the same picture. The worst channel's mean over the windows in which either picture shows something, so
// that a large background does not hide a wrong cloth.
export function similarity(a, b) {
  assert.deepEqual([a.width, a.height], [b.width, b.height], 'pictures of different sizes');
  const size = 8, c1 = (0.01 * 255) ** 2, c2 = (0.03 * 255) ** 2;
  let worst = 1;
  for (let k = 0; k < 3; k++) {
    let sum = 0, count = 0;
    for (let y = 0; y + size <= a.height; y += 4)
      for (let x = 0; x + size <= a.width; x += 4) {
        let ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
        for (let j = 0; j < size; j++)
          for (let i = 0; i < size; i++) {
            const at = 4 * ((y + j) * a.width + x + i) + k;
            const p = a.data[at], q = b.data[at];
            ma += p; mb += q; aa += p * p; bb += q * q; ab += p * q;
          }
        const n = size * size;
        ma /= n; mb /= n;
        const va = aa / n - ma * ma, vb = bb / n - mb * mb, vab = ab / n - ma * mb;
        if (va < 4 && vb < 4 && Math.abs(ma - mb) < 4) continue; // both flat and alike
        sum += ((2 * ma * mb + c1) * (2 * vab + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
        count++;
      }
    if (count > 0) worst = Math.min(worst, sum / count);
  }
  return worst;
}

// Measured (long.spec.mjs): a picture taken again 1.0000; turned by one degree 0.93; the frame before 0.66; another colour
// map 0.80. What a browser may change from version to version (the rounding of edges) is far less than a degree once
// pictures are four times smaller.
export const LEAST_SIMILARITY = 0.97;

/** Compares with tests/viewer/references/NAME.png; WEFT_UPDATE=1 writes it anew. */
export async function checkPicture(view, name) {
  const now = await picture(view);
  const path = join(here, 'references', `${name}.png`);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.png`), PNG.sync.write(now));
  if (process.env.WEFT_UPDATE) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, PNG.sync.write(now));
    return 1;
  }
  assert.ok(existsSync(path), `${path} is missing`);
  const alike = similarity(now, PNG.sync.read(readFileSync(path)));
  assert.ok(alike >= LEAST_SIMILARITY, `${name}: similarity ${alike.toFixed(4)}, at least ${LEAST_SIMILARITY}; the picture is ${join(out, name)}.png`);
  return alike;
}

export const readTable = (path) => {
  const [names, ...rows] = readFileSync(path, 'utf8').trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, Number(row[i])])));
};
