// The core of the viewer's tests, in make check: every feature once, on a small run.
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkPicture, closeAll, fixture, open, picture, readTable, run, serve, similarity, work } from './helper.mjs';

after(closeAll);

const MAPS = ['warp', 'weft', 'shear', 'bend', 'speed', 'pressure', 'gap'];
const seek = (view, index) => view.evaluate((i) => window.weft.player.seek(i), index);
// Until it is shown: the values of the field before are there all the while.
const choose = (view, name) => view.page.selectOption('#field', name).then(() => view.page.waitForFunction(
  (n) => window.weft.field?.name === n && !window.weft.isBusy && window.weft.panes.every((pane) => pane.values.every((v) => v !== null)), name));

test('open, play, step, orbit, maps, plots, keys', async (t) => {
  const view = await open(await serve(fixture));
  const { page } = view;
  const index = () => view.evaluate(() => window.weft.player.index);

  await t.test('opens on the first frame', async () => {
    assert.equal(await page.textContent('#title'), 'drop');
    assert.match(await view.status(), /^9 frames$/);
    assert.match(await page.textContent('#place'), /^frame 0, 0.00 s$/);
    assert.deepEqual(await page.locator('.object .name').allTextContents(), ['sheet', 'ball', 'plate']);
    await checkPicture(view, 'fabric_first');
  });

  await t.test('plays, pauses, loops and steps', async () => {
    await page.click('#play');
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
    await page.waitForFunction(() => window.weft.player.index >= 2);
    await page.click('#play');
    const at = await index();
    await page.waitForTimeout(200);
    assert.equal(await index(), at, 'it goes on after a pause');
    await page.click('#next');
    assert.equal(await index(), Math.min(8, at + 1));
    await page.keyboard.press('End');
    assert.equal(await index(), 8);
    await page.click('#next');
    assert.equal(await index(), 8, 'there is no frame behind the last');
    await page.keyboard.press('Home');
    await page.keyboard.press('.');
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await index(), 8);
    await page.evaluate(() => document.activeElement.blur()); // on a button the space bar is the button's
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.weft.player.index < 8, null, { timeout: 10000 });
    await page.keyboard.press('Space');
    assert.equal(await view.evaluate(() => window.weft.player.isPlaying), false);
    await page.locator('#frame').fill('8');
    assert.match(await page.getAttribute('#frame', 'aria-valuetext'), /^frame 16, 0.64 s$/);
  });

  await t.test('every colour map', async (s) => {
    await seek(view, 8);
    await checkPicture(view, 'fabric_last');
    for (const name of MAPS)
      await s.test(name, async () => {
        await choose(view, name);
        assert.equal(await page.isVisible('#legend'), true);
        const limit = Number(await page.inputValue('#limit'));
        assert.ok(limit > 0, 'no limit');
        const most = await view.evaluate(() => Math.max(...window.weft.panes[0].values[0].filter(Number.isFinite).map(Math.abs)));
        assert.ok(most > 0, 'every value is zero');
        await checkPicture(view, `map_${name}`);
      });
    await page.fill('#limit', '100');
    await page.keyboard.press('Enter');
    assert.equal(await page.textContent('#legend-high'), '100');
    await page.click('#auto');
    assert.notEqual(await page.textContent('#legend-high'), '100');
    await page.selectOption('#field', '');
    assert.equal(await page.isVisible('#legend'), false);
  });

  await t.test('probe under the pointer', async () => {
    await choose(view, 'speed');
    const box = await page.locator('#canvas').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector('#probe:not([hidden])');
    assert.match(await page.textContent('#probe'), /^sheet\nSpeed: [0-9.e-]+ m\/s\nvertex \d+, triangle \d+\n/);
    await page.mouse.move(box.x + 4, box.y + 4);
    await page.waitForSelector('#probe', { state: 'hidden' });
    await page.selectOption('#field', '');
  });

  await t.test('orbit by mouse and keys', async () => {
    const before = await picture(view);
    const box = await page.locator('#canvas').boundingBox();
    await page.mouse.move(box.x + 100, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 180, box.y + 215, { steps: 4 });
    await page.mouse.up();
    assert.ok(similarity(before, await picture(view)) < 0.9, 'dragging does not turn');
    const turned = await picture(view);
    await page.focus('#canvas');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('+');
    assert.ok(similarity(turned, await picture(view)) < 0.9, 'keys do not turn');
  });

  await t.test('shading, objects, shadows', async () => {
    const plain = await picture(view);
    await page.check('input[value=wire]', { force: true });
    const wire = await picture(view);
    assert.ok(similarity(plain, wire) < 0.9, 'no lines');
    await page.keyboard.press('s');
    assert.equal(await page.isChecked('input[value=smooth]'), true);
    await page.uncheck('.object:nth-of-type(1) input[type=checkbox]');
    assert.ok(similarity(plain, await picture(view)) < 0.9, 'the sheet is still there');
    await page.check('.object:nth-of-type(1) input[type=checkbox]');
    await page.uncheck('#shadows');
    assert.ok(similarity(plain, await picture(view)) < 0.995, 'shadows are still there');
    await page.check('#shadows');
    await page.evaluate(() => document.activeElement.blur());
  });

  await t.test('plots mark the frame and lead to it', async () => {
    const titles = await page.locator('.plot h3').evaluateAll((all) => all.map((h) => h.firstChild.textContent));
    for (const title of ['Time per stage', 'Solver iterations', 'Contacts', 'Energy', 'Memory, peak']) assert.ok(titles.includes(title), `no plot of ${title}`);
    const plot = page.locator('.plot', { hasText: 'Solver iterations' }).locator('svg');
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + 20);
    assert.equal(await index(), 4);
    const mark = Number(await plot.locator('.now').getAttribute('x1'));
    assert.ok(Math.abs(mark - 150) < 1, `the mark is at ${mark} of 300`);
    assert.match(await plot.getAttribute('aria-label'), /at 0.32 s: iterations \d/);
  });

  await t.test('a picture to keep', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
    assert.equal(download.suggestedFilename(), 'drop_0004.png');
    assert.equal(readFileSync(await download.path()).subarray(1, 4).toString(), 'PNG');
  });

  await t.test('help, theme', async () => {
    await page.keyboard.press('?');
    assert.equal(await page.isVisible('#keys'), true);
    await page.keyboard.press('Escape');
    assert.equal(await page.isVisible('#keys'), false);
    await page.keyboard.press('t');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  });

  await t.test('everything has a name', async () => {
    const nameless = await view.evaluate(() => [...document.querySelectorAll('button, input, select, [role=img]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim()))
      .map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
  });
  await view.close();
});

test('numbers are those of weft', async () => {
  const folder = join(work, 'live');
  await run('run', join(fixture, '../drop.json'), '--out', folder, '--threads', '1');
  const view = await open(await serve(folder));
  await seek(view, 15);
  const found = await view.evaluate(() => {
    const { measure, panes: [pane] } = window.weft;
    const [body] = pane.run.layout.bodies, [rest] = pane.rests, x = pane.frame.positions[0];
    return {
      strains: ['warp', 'weft', 'shear'].map((name) => [...measure.triangleStrain(body, rest, x, name)]),
      hinges: [...rest.hinges], curvature: [...measure.hingeCurvature(rest, x)],
    };
  });
  const faces = readTable(join(folder, 'frames/faces_0015.csv'));
  assert.equal(found.strains[0].length, faces.length);
  faces.forEach((face, i) => ['stretch_u', 'stretch_v', 'shear'].forEach((name, k) =>
    assert.ok(Math.abs(face[name] - found.strains[k][i]) < 2e-5, `${name} of face ${i}: ${face[name]} and ${found.strains[k][i]}`)));
  const hinges = new Map(readTable(join(folder, 'frames/hinges_0015.csv')).map((h) => [[h.a, h.b].sort((p, q) => p - q).join(' '), Math.abs(h.curvature)]));
  assert.equal(found.curvature.length, hinges.size);
  found.curvature.forEach((curvature, h) => {
    const key = [found.hinges[4 * h], found.hinges[4 * h + 1]].sort((p, q) => p - q).join(' ');
    assert.ok(Math.abs(curvature - hinges.get(key)) < 2e-3 + 1e-4 * curvature, `hinge ${key}: ${curvature} and ${hinges.get(key)}`);
  });
  await view.close();
});

test('side by side on one timeline', async () => {
  const half = join(work, 'half');
  mkdirSync(half);
  cpSync(join(fixture, 'frames.weftcache'), join(half, 'frames.weftcache'));
  const view = await open(await serve(fixture, half));
  assert.equal(await view.page.locator('#labels span').count(), 2);
  assert.equal(await view.page.locator('#objects fieldset').count(), 2);
  await seek(view, 8);
  assert.deepEqual(await view.evaluate(() => window.weft.panes.map((pane) => pane.index)), [8, 8]);
  await choose(view, 'bend');
  await checkPicture(view, 'side_by_side');
  await view.close();
});

test('one self-contained page', async () => {
  const path = join(work, 'drop.html');
  assert.match(await run('export', fixture, '--format', 'html', '--out', path), /9 frames/);
  const view = await open(`file://${path}`);
  assert.match(await view.status(), /^9 frames$/);
  assert.ok((await view.page.locator('.plot').count()) > 4, 'no plots');
  await seek(view, 8);
  await checkPicture(view, 'fabric_last');
  for (const name of ['shear', 'pressure', 'gap']) {
    await choose(view, name);
    await checkPicture(view, `map_${name}`);
  }
  await view.close();
});

test('a cache that grows, and one that was cut off', async (t) => {
  const whole = readFileSync(join(fixture, 'frames.weftcache'));
  const header = Number(whole.readBigUInt64LE(16)), record = (whole.length - header) / 9;
  const folder = join(work, 'growing');
  mkdirSync(folder);
  const path = join(folder, 'frames.weftcache');
  writeFileSync(path, whole.subarray(0, header + 3 * record + 100));
  const view = await open(await serve(folder));
  await t.test('frames appear while they are written', async () => {
    assert.match(await view.status(), /^3 frames, still running$/);
    await seek(view, 2);
    appendFileSync(path, whole.subarray(header + 3 * record + 100, header + 6 * record));
    await view.page.waitForFunction(() => window.weft.player.index === 5, null, { timeout: 10000 }); // it follows
    assert.equal(await view.page.getAttribute('#frame', 'max'), '5');
  });
  await t.test('a run that ended within a frame', async () => {
    appendFileSync(path, whole.subarray(header + 6 * record, header + 6 * record + 64));
    cpSync(join(fixture, 'report.json'), join(folder, 'report.json'));
    await view.page.waitForFunction(() => /^6 frames; 64 bytes behind the last whole frame are ignored$/.test(document.getElementById('status').textContent), null, { timeout: 10000 });
  });
  await t.test('a damaged frame is refused, the others are shown', async () => {
    const damaged = Buffer.from(whole);
    damaged[header + 4 * record + 200] ^= 1;
    const other = join(work, 'damaged.weftcache');
    writeFileSync(other, damaged);
    const broken = await open(await serve(other));
    await seek(broken, 4);
    assert.match(await broken.page.textContent('#problem'), /damaged/);
    await seek(broken, 5);
    assert.equal(await broken.page.isVisible('#problem'), false);
    await broken.close();
  });
  await t.test('cut off within the header', async () => {
    const other = join(work, 'short.weftcache');
    writeFileSync(other, whole);
    truncateSync(other, header - 8);
    const broken = await open(await serve(other));
    assert.match(await broken.page.textContent('#problem'), /cut off within its header/);
    await broken.close();
  });
  await view.close();
});

test('two viewers at once, and a small screen', async () => {
  const address = await serve(fixture);
  const [one, two] = await Promise.all([open(address), open(address, { width: 390, height: 844, theme: 'dark', isTouch: true })]);
  await Promise.all([seek(one, 3), seek(two, 8)]);
  assert.deepEqual(await Promise.all([one, two].map((v) => v.evaluate(() => window.weft.player.index))), [3, 8]);
  assert.equal(await two.evaluate(() => document.documentElement.scrollWidth), 390, 'wider than the screen');
  assert.equal(await two.page.getAttribute('html', 'data-theme'), 'dark');
  const small = await two.evaluate(() => [...document.querySelectorAll('.timeline button')].every((b) => b.offsetHeight >= 36));
  assert.ok(small, 'buttons too small to touch');
  await checkPicture(two, 'phone_dark');
  await one.close();
  await two.close();
});
