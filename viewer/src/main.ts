// The page: opens what there is to see, and ties controls, picture and plots together.
import { MAPS, type MapName } from './colors';
import { FIELDS, hingeCurvature, niceLimit, triangleStrain, type FieldInfo } from './fields';
import { Gaps } from './gaps';
import { listObjects } from './objects';
import { packedRun } from './packed';
import { RunPane } from './pane';
import { Player, type Playable } from './player';
import { format, Plots } from './plots';
import { Server, type Run } from './run';
import { boxOf, Stage } from './stage';
import type { Shading } from './surface';

const get = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const POLL_MILLISECONDS = 1000;

class Viewer implements Playable {
  readonly stage = new Stage(get<HTMLCanvasElement>('canvas'));
  readonly panes: RunPane[] = [];
  readonly player = new Player(this, (index) => this.show(index), () => this.tellPlace());
  private readonly plots = new Plots(get('plots'), (time) => void this.player.seek(this.indexAt(time)));
  private readonly gaps = new Gaps();
  private server: Server | null = null;
  field: FieldInfo | null = null;
  limit = 1; // full colour, in the field's unit
  private isAuto = true;
  private shading: Shading = 'smooth';
  private asked = -1; // the frame asked for last, and whether it is being shown
  private isBusy = false;
  /** For tests: what is computed here and by weft too. */
  readonly measure = { triangleStrain, hingeCurvature };
  /** For tests: how long things took [ms]. */
  readonly times = { first: 0, seek: 0 };

  get runs(): Run[] {
    return this.panes.map((pane) => pane.run);
  }
  private get master(): RunPane {
    return this.panes.reduce((a, b) => (b.end > a.end ? b : a));
  }
  get frameCount(): number {
    return this.panes.length > 0 ? this.master.run.frameCount : 0;
  }
  timeOf(index: number): number {
    return this.master.timeOf(index);
  }
  indexAt(time: number): number {
    return this.master.indexAt(time);
  }

  async open(): Promise<void> {
    this.applyTheme();
    const packed = await packedRun();
    let runs = packed ? [packed] : [];
    if (!packed) {
      this.server = new Server();
      runs = await this.server.open((what) => this.say(what));
      await this.waitForFrames(runs);
    }
    this.stage.setPanes(runs.length);
    for (const [i, run] of runs.entries()) this.panes.push(new RunPane(run, this.stage, i));
    await Promise.all(this.panes.map((pane) => pane.open()));
    this.tellRuns();
    this.applyTheme();
    await this.fit(false);
    await this.player.seek(0);
    this.stage.draw();
    this.stage.finish();
    this.times.first = performance.now();
    this.fillFields();
    listObjects(get('objects'), this.panes, (isColor) => (isColor ? this.paint() : this.stage.invalidate()));
    await this.refresh();
    void this.poll();
  }

  private async waitForFrames(runs: readonly Run[]): Promise<void> {
    while (runs.some((run) => run.frameCount === 0)) {
      const waiting = runs.find((run) => run.frameCount === 0)!;
      if (waiting.isEnded) throw new Error(`${waiting.label}: there is no whole frame in this cache`);
      this.say(`Waiting for the first frame of ${waiting.label}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS / 2));
      await this.server!.refresh();
    }
  }

  /** Runs that go on: their frames and timelines grow. */
  private async poll(): Promise<void> {
    while (this.server) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
      if (document.hidden) continue;
      try {
        await this.refresh();
      } catch {
        this.say('The server has gone; what was loaded can still be looked at.');
      }
    }
  }

  private async refresh(): Promise<void> {
    const before = this.frameCount;
    const wasAtEnd = this.player.index >= before - 1 && !this.player.isPlaying && before > 1;
    const isNew = this.server ? await this.server.refresh() : true;
    if (!isNew) return;
    this.plots.update(this.runs);
    this.tellFacts();
    get<HTMLInputElement>('frame').max = String(Math.max(0, this.frameCount - 1));
    if (wasAtEnd && this.frameCount > before) await this.player.seek(this.frameCount - 1);
    this.tellPlace();
    this.tellStatus();
  }

  private tellStatus(): void {
    const parts = this.runs.map((run) => {
      const running = run.frames.canGrow && !run.isEnded;
      const cut = run.frames.ignoredBytes > 0 && !running ? `; ${run.frames.ignoredBytes} bytes behind the last whole frame are ignored` : '';
      return `${run.frameCount} frames${running ? ', still running' : ''}${cut}`;
    });
    this.say(parts.join(' | '));
  }

  say(text: string): void {
    if (get('status').textContent !== text) get('status').textContent = text;
  }

  /** Shows the frame asked for last; frames asked for meanwhile are skipped. */
  async show(index: number): Promise<void> {
    this.asked = index;
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      while (this.asked >= 0) {
        const wanted = this.asked;
        this.asked = -1;
        await this.showNow(wanted);
      }
      get('problem').hidden = true;
    } catch (problem) {
      this.asked = -1;
      complain(problem);
    } finally {
      this.isBusy = false;
    }
  }

  private async showNow(index: number): Promise<void> {
    const began = performance.now();
    const time = this.timeOf(index);
    const field = this.field;
    const indices = this.panes.map((pane) => (pane === this.master ? index : pane.indexAt(time)));
    const commits = await Promise.all(this.panes.map((pane, i) => pane.load(indices[i]!, field)));
    for (const commit of commits) commit();
    this.stage.sink(Math.min(...this.panes.map((pane) => this.lowest(pane))));
    this.paint();
    this.times.seek = performance.now() - began;
    if (this.player.isPlaying) for (let ahead = 1; ahead <= 3; ahead++) this.prefetch(index + ahead);
    if (field?.name === 'gap') await this.findGaps();
    this.updateProbe();
  }

  private lowest(pane: RunPane): number {
    let low = Infinity;
    for (const [i, x] of (pane.frame?.positions ?? []).entries()) {
      if (!pane.run.layout.bodies[i]!.isCloth) continue;
      for (let k = 2; k < x.length; k += 3) if (x[k]! < low) low = x[k]!;
    }
    return low;
  }

  private prefetch(index: number): void {
    for (const pane of this.panes) if (index < pane.run.frameCount) pane.run.frame(index).catch(() => undefined);
  }

  private async findGaps(): Promise<void> {
    get('legend-note').textContent = 'Finding gaps …';
    for (const pane of this.panes) {
      await pane.keepFirst();
      await pane.loadGaps(this.gaps);
    }
    this.paint();
  }

  /** Colours by the present field. */
  paint(): void {
    const field = this.field;
    const known = this.panes.flatMap((pane) => pane.values.filter((v): v is Float32Array => v !== null));
    if (field && this.isAuto) {
      const limit = field.name === 'gap' ? 1000 * Math.min(...this.panes.map((pane) => pane.gapReach)) : niceLimit(known, field);
      this.limit = field.name === 'gap' ? Number(limit.toPrecision(2)) : Math.max(this.limit, limit);
    }
    const map: MapName = field?.isSigned ? 'signed' : field?.isReversed ? 'reversed' : 'sequential';
    const hasWeave = get<HTMLInputElement>('weave').checked;
    for (const pane of this.panes) pane.colour(field, map, this.limit, hasWeave);
    this.tellLegend(map, known.length > 0);
    this.stage.invalidate();
  }

  private tellLegend(map: MapName, isKnown: boolean): void {
    const field = this.field;
    get('legend').hidden = field === null;
    if (!field) return;
    get('legend-title').textContent = field.title;
    get('legend-unit').textContent = `[${field.unit}]`;
    const bar = get('legend-bar');
    bar.style.background = `linear-gradient(to right, ${MAPS[map].css})`;
    const low = field.isSigned ? `−${format(this.limit)}` : '0';
    bar.setAttribute('aria-label', `Colours from ${low} to ${format(this.limit)} ${field.unit}`);
    get('legend-low').textContent = low;
    get('legend-middle').textContent = field.isSigned ? '0' : '';
    get('legend-high').textContent = format(this.limit);
    const input = get<HTMLInputElement>('limit');
    if (document.activeElement !== input) input.value = String(Number(this.limit.toPrecision(4)));
    get('auto').setAttribute('aria-pressed', String(this.isAuto));
    const isGuessed = this.panes.some((pane) => pane.rests.some((rest) => rest.isGuessed));
    const notes = [field.about];
    if (field.name === 'pressure' && !isKnown) notes[0] = 'This cache holds no contact pressures: the run had no collisions, or an older weft wrote it.';
    if (['warp', 'weft', 'shear'].includes(field.name) && isGuessed) notes[0] = 'No rest shape in this cache: measured against the first frame, the warp along x.';
    get('legend-note').textContent = notes.join(' ');
  }

  private fillFields(): void {
    const select = get<HTMLSelectElement>('field');
    select.replaceChildren(new Option('Fabric', ''), ...FIELDS.map((field) => new Option(field.title, field.name)));
  }

  async setField(name: string): Promise<void> {
    this.field = FIELDS.find((field) => field.name === name) ?? null;
    get<HTMLSelectElement>('field').value = this.field?.name ?? '';
    this.isAuto = true;
    this.limit = 0;
    this.applyLook();
    await this.show(this.player.index);
  }

  setLimit(limit: number): void {
    if (!(limit > 0)) return;
    this.isAuto = false;
    this.limit = limit;
    this.paint();
  }
  setAuto(): void {
    this.isAuto = true;
    this.limit = 0;
    this.paint();
  }

  setShading(shading: Shading): void {
    this.shading = shading;
    for (const input of document.querySelectorAll<HTMLInputElement>('input[name=shading]')) input.checked = input.value === shading;
    for (const pane of this.panes) pane.shade(shading);
    this.stage.invalidate(false);
  }
  nextShading(): void {
    const all: Shading[] = ['smooth', 'flat', 'wire'];
    this.setShading(all[(all.indexOf(this.shading) + 1) % all.length]!);
  }

  /** Around all cloth of the first and the last frame, and the obstacles near it. */
  async fit(keepDirection: boolean): Promise<void> {
    const cloth: Float32Array[] = [];
    const obstacles: Float32Array[] = [];
    for (const pane of this.panes) {
      const frames = await Promise.all([0, pane.run.frameCount - 1].map((i) => pane.run.frame(i).catch(() => null)));
      for (const frame of keepDirection ? [pane.frame] : frames)
        frame?.positions.forEach((x, i) => (pane.run.layout.bodies[i]!.isCloth ? cloth : obstacles).push(x));
    }
    const box = boxOf(cloth.length > 0 ? cloth : obstacles);
    const size = Math.max(...[0, 1, 2].map((k) => box.max[k as 0]! - box.min[k as 0]!));
    for (const x of obstacles) {
      const other = boxOf([x]);
      const isNear = [0, 1, 2].every((k) => other.max[k as 0]! - other.min[k as 0]! < 3 * size);
      if (isNear) for (const k of [0, 1, 2] as const) {
        box.min[k] = Math.min(box.min[k], other.min[k]);
        box.max[k] = Math.max(box.max[k], other.max[k]);
      }
    }
    this.stage.fit({ min: [...box.min], max: [...box.max] }, keepDirection);
  }

  applyLook(): void {
    const style = getComputedStyle(document.documentElement);
    this.stage.setLook({ background: style.getPropertyValue('--stage').trim(), hasShadows: get<HTMLInputElement>('shadows').checked, isMap: this.field !== null });
  }

  applyTheme(theme?: string): void {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme ?? document.documentElement.dataset.theme ?? system;
    this.applyLook();
  }
  toggleTheme(): void {
    this.applyTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  }

  private tellRuns(): void {
    const scene = this.runs.map((run) => run.layout.scene || run.label.split('/').pop() || run.label);
    get('title').textContent = scene.join(' | ');
    document.title = `${scene.join(' | ')} · weft`;
    this.stage.canvas.setAttribute('aria-label', `${scene.join(' beside ')}: arrow keys turn, plus and minus go nearer and farther`);
    this.placeLabels();
  }

  placeLabels(): void {
    if (this.panes.length < 2) return;
    get('labels').replaceChildren(...this.panes.flatMap((pane, i) => {
      const { x, y, width } = this.stage.paneRectangle(i);
      const label = document.createElement('span');
      label.textContent = `${i + 1}: ${pane.run.label}`;
      label.style.left = `${x}px`;
      label.style.top = `${y}px`;
      const line = document.createElement('i');
      const isStacked = y > 0;
      Object.assign(line.style, isStacked ? { left: '0', top: `${y}px`, width: `${width}px`, height: '1px' } : { left: `${x}px`, top: '0', width: '1px', height: '100%' });
      return i > 0 ? [label, line] : [label];
    }));
  }

  private tellFacts(): void {
    const reports = this.runs.map((run) => run.report);
    get('facts-section').hidden = reports.every((report) => !report);
    const at = (report: Record<string, unknown> | null, path: string) =>
      path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], report ?? undefined);
    const facts: [string, string, string][] = [
      ['Vertices', 'vertices', ''], ['Triangles', 'triangles', ''], ['Time step', 'time_step', ' s'], ['Steps', 'steps', ''],
      ['Wall time', 'seconds.total', ' s'], ['Iterations a solve', 'solver.iterations_mean', ''], ['Retries', 'retries', ''],
      ['Impacts left', 'response.impacts_left', ''], ['Device', 'device', ''], ['Hash', 'state_hash', '']];
    get('facts').replaceChildren(...facts.flatMap(([title, path, unit]) => {
      const values = reports.map((report) => at(report, path));
      if (values.every((value) => value === undefined)) return [];
      const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
      dt.textContent = title;
      dd.textContent = values.map((value) => (value === undefined ? '–' : typeof value === 'number' ? `${Number.isInteger(value) ? value : format(value)}${unit}` : String(value))).join(' | ');
      return [dt, dd];
    }));
  }

  tellPlace(): void {
    const { index, isPlaying } = this.player;
    const slider = get<HTMLInputElement>('frame');
    slider.max = String(Math.max(0, this.frameCount - 1));
    slider.value = String(index);
    const time = this.panes.length > 0 ? this.timeOf(index) : 0;
    const number = this.panes.length > 0 ? (this.master.run.numberOf(index) ?? index) : 0;
    const text = `frame ${number}, ${time.toFixed(2)} s`;
    get('place').textContent = text;
    slider.setAttribute('aria-valuetext', text);
    const play = get('play');
    play.toggleAttribute('data-playing', isPlaying);
    play.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
    get('loop').setAttribute('aria-pressed', String(this.player.isLooping));
    this.plots.mark(time);
  }

  async savePicture(): Promise<void> {
    const blob = await this.stage.picture();
    const link = document.createElement('a');
    const scene = this.runs[0]?.layout.scene || 'weft';
    link.download = `${scene}_${String(this.player.index).padStart(4, '0')}.png`;
    link.href = URL.createObjectURL(blob);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    this.say(`Saved ${link.download}`);
  }

  private pointer: { x: number; y: number } | null = null;
  private isProbing = false;
  probeAt(place: { x: number; y: number } | null): void {
    this.pointer = place;
    if (this.isProbing) return;
    this.isProbing = true;
    requestAnimationFrame(() => {
      this.isProbing = false;
      this.updateProbe();
    });
  }

  /** What is under the pointer, in words. */
  updateProbe(): void {
    const box = get('probe');
    const hit = this.pointer && this.stage.pick(this.pointer.x, this.pointer.y);
    box.hidden = !hit;
    if (!hit || !this.pointer) return;
    const pane = this.panes[hit.pane]!;
    const { body } = hit.surface;
    const lines = [body.name || (body.isCloth ? 'cloth' : 'obstacle')];
    const corner = (k: number) => body.triangles[3 * hit.triangle + k]!;
    const nearest = corner(hit.weights.indexOf(Math.max(...hit.weights)));
    const values = this.field && body.isCloth ? pane.values[pane.surfaces.indexOf(hit.surface)] : null;
    if (this.field && values) {
      const value = [0, 1, 2].reduce((sum, k) => sum + hit.weights[k as 0]! * values[corner(k)]!, 0);
      const shown = Number.isFinite(value) ? `${format(this.field.scale * value)} ${this.field.unit}` : 'beyond reach';
      lines.push(`${this.field.title}: ${shown}`);
    }
    lines.push(`vertex ${nearest}, triangle ${hit.triangle}`, `${hit.point.toArray().map((v) => v.toFixed(3)).join('  ')} m`);
    box.textContent = lines.join('\n');
    const { clientWidth, clientHeight } = this.stage.canvas;
    const x = Math.min(this.pointer.x + 14, clientWidth - box.offsetWidth - 8);
    const y = Math.min(this.pointer.y + 14, clientHeight - box.offsetHeight - 8);
    box.style.transform = `translate(${Math.max(8, x)}px, ${Math.max(8, y)}px)`;
  }
}

function listen(viewer: Viewer): void {
  const { player, stage } = viewer;
  const on = (id: string, event: string, act: () => unknown) => get(id).addEventListener(event, () => void act());
  on('play', 'click', () => player.toggle());
  on('back', 'click', () => player.step(-1));
  on('next', 'click', () => player.step(1));
  on('loop', 'click', () => {
    player.isLooping = !player.isLooping;
    viewer.tellPlace();
  });
  on('frame', 'input', () => {
    player.pause();
    return player.seek(Number(get<HTMLInputElement>('frame').value));
  });
  on('speed', 'change', () => (player.speed = Number(get<HTMLSelectElement>('speed').value)));
  on('field', 'change', () => viewer.setField(get<HTMLSelectElement>('field').value));
  on('limit', 'change', () => viewer.setLimit(Number(get<HTMLInputElement>('limit').value)));
  on('auto', 'click', () => viewer.setAuto());
  on('weave', 'change', () => viewer.paint());
  on('shadows', 'change', () => viewer.applyLook());
  on('fit', 'click', () => viewer.fit(true));
  on('picture', 'click', () => viewer.savePicture());
  on('theme', 'click', () => viewer.toggleTheme());
  on('help', 'click', () => get<HTMLDialogElement>('keys').showModal());
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name=shading]'))
    input.addEventListener('change', () => viewer.setShading(input.value as Shading));
  const canvas = stage.canvas;
  const place = (event: PointerEvent) => ({ x: event.offsetX, y: event.offsetY });
  canvas.addEventListener('pointermove', (event) => viewer.probeAt(event.buttons ? null : place(event)));
  canvas.addEventListener('pointerup', (event) => viewer.probeAt(place(event)));
  canvas.addEventListener('pointerleave', () => viewer.probeAt(null));
  new ResizeObserver(() => viewer.placeLabels()).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => viewer.applyTheme(event.matches ? 'dark' : 'light'));
  document.addEventListener('keydown', (event) => onKey(viewer, event));
}

function onKey(viewer: Viewer, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || get<HTMLDialogElement>('keys').open) return;
  const isField = target.matches('select, input:not([type=range]):not([type=checkbox]):not([type=radio])');
  const isButton = target.matches('button, input[type=checkbox], input[type=radio]');
  if (isField) return;
  const { player, stage } = viewer;
  const isPicture = target === stage.canvas;
  const toggle = (id: string) => get<HTMLInputElement>(id).click();
  const fields = ['', ...FIELDS.map((field) => field.name as string)];
  const nextField = (by: number) => viewer.setField(fields[(fields.indexOf(viewer.field?.name ?? '') + by + fields.length) % fields.length]!);
  const turn = 0.12;
  const acts: Record<string, () => unknown> = {
    ' ': () => player.toggle(),
    ',': () => player.step(-1),
    '.': () => player.step(1),
    Home: () => player.step(-Infinity),
    End: () => player.step(Infinity),
    l: () => get('loop').click(),
    c: () => nextField(1),
    C: () => nextField(-1),
    s: () => viewer.nextShading(),
    w: () => toggle('weave'),
    h: () => toggle('shadows'),
    f: () => viewer.fit(true),
    p: () => viewer.savePicture(),
    t: () => viewer.toggleTheme(),
    '?': () => get<HTMLDialogElement>('keys').showModal(),
    ArrowLeft: () => (isPicture ? stage.orbit(-turn, 0) : player.step(event.shiftKey ? -10 : -1)),
    ArrowRight: () => (isPicture ? stage.orbit(turn, 0) : player.step(event.shiftKey ? 10 : 1)),
  };
  if (isPicture) {
    acts.ArrowUp = () => stage.orbit(0, -turn);
    acts.ArrowDown = () => stage.orbit(0, turn);
    acts['+'] = acts['='] = () => stage.zoom(0.88);
    acts['-'] = () => stage.zoom(1.14);
  }
  const act = acts[event.key];
  const isTheirs = (isButton && event.key === ' ') || (target.matches('input[type=radio]') && event.key.startsWith('Arrow'));
  if (!act || isTheirs) return;
  event.preventDefault();
  void act();
}

function complain(problem: unknown): void {
  const box = get('problem');
  box.textContent = problem instanceof Error ? problem.message : String(problem);
  box.hidden = false;
}

async function start(): Promise<void> {
  if (!document.createElement('canvas').getContext('webgl2')) throw new Error('This browser draws nothing in three dimensions (WebGL 2 is missing or switched off).');
  const viewer = new Viewer();
  // Tests look through this, and whoever is curious in the console.
  (window as unknown as { weft: Viewer }).weft = viewer;
  listen(viewer);
  await viewer.open();
}

start().then(
  () => document.documentElement.setAttribute('data-ready', ''),
  (problem) => {
    complain(problem);
    document.documentElement.setAttribute('data-ready', 'failed');
  });
