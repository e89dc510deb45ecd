// What takes longer, in make check-long: a run that really goes on, other kinds of files, a large cache, both themes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkPicture, closeAll, fixture, LEAST_SIMILARITY, open, picture, run, serve, similarity, weft, work } from './helper.mjs';
import { writeCache } from './make_cache.mjs';

after(closeAll);

const seek = (view, index) => view.evaluate((i) => window.weft.player.seek(i), index);
const choose = (view, name) => view.evaluate((n) => window.weft.setField(n), name);

test('the measure of similarity sees what an eye sees', async () => {
  const view = await open(await serve(fixture));
  await seek(view, 8);
  await choose(view, 'bend');
  const first = await picture(view);
  const again = similarity(first, await picture(view));
  await view.evaluate(() => window.weft.stage.orbit(Math.PI / 180, 0));
  const turned = similarity(first, await picture(view));
  await view.evaluate(() => window.weft.stage.orbit(-Math.PI / 180, 0));
  await seek(view, 7);
  const before = similarity(first, await picture(view));
  await seek(view, 8);
  await choose(view, 'speed');
  const other = similarity(first, await picture(view));
  console.log(`again ${again.toFixed(4)}, turned by a degree ${turned.toFixed(4)}, the frame before ${before.toFixed(4)}, another map ${other.toFixed(4)}`);
  assert.ok(again > 0.9999);
  for (const value of [turned, before, other]) assert.ok(value < LEAST_SIMILARITY);
  await view.close();
});

test('shading, themes and sizes', async () => {
  const address = await serve(fixture);
  const view = await open(address, { theme: 'dark' });
  await seek(view, 8);
  for (const shading of ['smooth', 'flat', 'wire']) {
    await view.evaluate((s) => window.weft.setShading(s), shading);
    await checkPicture(view, `dark_${shading}`);
  }
  await view.close();
  for (const [width, height] of [[320, 568], [390, 844], [844, 390], [1440, 900], [2560, 1440]]) {
    const sized = await open(address, { width, height });
    await choose(sized, 'gap');
    const wide = await sized.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${width} x ${height}: the page is ${wide} wide`);
    const stage = await sized.page.locator('#canvas').boundingBox();
    assert.ok(stage.width > 150 && stage.height > 100, `${width} x ${height}: the picture is ${stage.width} x ${stage.height}`);
    await sized.close();
  }
});

test('a run that goes on', async () => {
  const folder = join(work, 'going');
  const child = spawn(weft, ['run', join(fixture, '../drop.json'), '--out', folder, '--frames', '120', '--threads', '1', '--set', 'output.values=[]'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  while (!existsSync(join(folder, 'timeline.csv'))) await new Promise((resolve) => setTimeout(resolve, 20));
  const view = await open(await serve(folder));
  const early = await view.evaluate(() => window.weft.frameCount);
  await view.page.keyboard.press('End');
  assert.equal(await ended, 0);
  await view.page.waitForFunction(() => /^121 frames$/.test(document.getElementById('status').textContent), null, { timeout: 60000 });
  assert.ok(early < 121, 'the run had ended before it was looked at');
  assert.equal(await view.evaluate(() => window.weft.player.index), 120, 'the last frame is followed');
  assert.ok((await view.page.locator('.plot').count()) >= 5);
  assert.ok(await view.page.isVisible('#facts-section'));
  await view.close();
});

test('caches of every kind, and meshes', async () => {
  const views = { doubles: '{"velocities": true}', bits_8: '{"quantise_bits": 8}', bits_13: '{"quantise_bits": 13}', bits_32: '{"quantise_bits": 32}' };
  const positions = {};
  for (const [name, cache] of Object.entries(views)) {
    const folder = join(work, name);
    await run('run', join(fixture, '../drop.json'), '--out', folder, '--threads', '1', '--frames', '6', '--set', `output.cache=${cache}`, '--set', 'output.values=[]');
    const view = await open(await serve(folder));
    await seek(view, 6);
    positions[name] = await view.evaluate(() => window.weft.panes[0].frame.positions.map((x) => [...x]));
    await view.close();
  }
  const far = { bits_8: 2e-3, bits_13: 8e-5, bits_32: 1e-7 }; // half a step of some 0.6 m, and the rounding to floats
  for (const [name, limit] of Object.entries(far))
    positions[name].forEach((x, body) => x.forEach((value, i) =>
      assert.ok(Math.abs(value - positions.doubles[body][i]) < limit, `${name}: body ${body}, number ${i}`)));
  // a mesh, and a cache without rest shapes: strains are measured against the first frame
  const mesh = join(work, 'mesh.obj');
  writeFileSync(mesh, 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.3\nf 1 2 3 4\n');
  const view = await open(await serve(mesh));
  assert.equal(await view.page.textContent('#title'), 'mesh.obj');
  await choose(view, 'warp');
  assert.match(await view.page.textContent('#legend-note'), /No rest shape/);
  await choose(view, 'pressure');
  assert.match(await view.page.textContent('#legend-note'), /no contact pressures/);
  await view.close();
});

test('runs of different lengths share a timeline', async () => {
  const long = join(work, 'long.weftcache'), short = join(work, 'short_run.weftcache');
  writeCache(long, 12, 40, 50);
  writeCache(short, 12, 10, 25);
  const view = await open(await serve(short, long));
  await seek(view, 12);
  assert.deepEqual(await view.evaluate(() => window.weft.panes.map((pane) => pane.index)), [6, 12]);
  await seek(view, 39);
  assert.deepEqual(await view.evaluate(() => window.weft.panes.map((pane) => pane.index)), [9, 39]);
  await view.close();
});

test('200,000 triangles, 100 frames', async () => {
  const folder = join(work, 'large');
  mkdirSync(folder);
  writeCache(join(folder, 'frames.weftcache'), 316, 100);
  const view = await open(await serve(folder), { width: 1440, height: 900 });
  const first = await view.evaluate(() => window.weft.times.first);
  const seeks = await view.evaluate(async () => {
    const { stage, player } = window.weft;
    const taken = [];
    for (const index of [50, 20, 80, 51, 99, 7, 33]) {
      const began = performance.now();
      await player.seek(index);
      const ready = performance.now();
      stage.draw();
      stage.finish();
      taken.push([ready - began, performance.now() - began]);
    }
    return taken;
  });
  const middle = (k) => seeks.map((s) => s[k]).sort((a, b) => a - b)[3].toFixed(0);
  console.log(`first frame ${first.toFixed(0)} ms after the page was asked for; seek ${middle(0)} ms, ${middle(1)} ms with the software renderer's picture`);
  await view.close();
  assert.ok(readFileSync(join(folder, 'frames.weftcache')).length > 240e6);
});
