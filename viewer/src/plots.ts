// Plots of the timeline beside the picture, with the present frame marked. Each is also text: what it shows now.
import type { Run } from './run';
import type { Table } from './table';

interface Line {
  label: string;
  values: (table: Table) => Float64Array | null;
}
interface Plot {
  title: string;
  unit: string;
  lines: Line[];
}

const column = (name: string, scale = 1) => (table: Table) => {
  const values = table.columns.get(name);
  return values ? values.map((value) => value * scale) : null;
};
/** Sums that grow: what came between two lines. over: divided by the growth of another sum. */
const growth = (name: string, scale = 1, over?: string) => (table: Table) => {
  const values = table.columns.get(name);
  const other = over ? table.columns.get(over) : undefined;
  if (!values || (over && !other)) return null;
  return values.map((value, i) => {
    if (i === 0) return 0;
    const steps = other ? other[i]! - other[i - 1]! : 1;
    return steps > 0 ? (scale * (value - values[i - 1]!)) / steps : 0;
  });
};

const PLOTS: readonly Plot[] = [
  { title: 'Time per stage', unit: 'ms a step', lines: ['detect', 'force', 'solve', 'respond', 'prepare', 'accept'].map((stage) => ({ label: stage, values: growth(`seconds_${stage}`, 1000, 'steps') })) },
  { title: 'Solver iterations', unit: 'a step', lines: [{ label: 'iterations', values: growth('solver_iterations', 1, 'steps') }] },
  { title: 'Contacts', unit: 'a step', lines: [{ label: 'contacts', values: growth('contacts', 1, 'steps') }] },
  { title: 'Impacts', unit: 'a frame', lines: [{ label: 'impacts', values: growth('impacts') }] },
  { title: 'What yielded', unit: 'a frame', lines: [{ label: 'vertices limited', values: growth('limited') }, { label: 'impacts left', values: growth('impacts_left') }, { label: 'retries', values: growth('retries') }] },
  { title: 'Energy', unit: 'J', lines: ['kinetic', 'stretch', 'bend', 'link'].map((name) => ({ label: name, values: column(name) })) },
  { title: 'Energy with gravity', unit: 'J', lines: ['total', 'gravity'].map((name) => ({ label: name, values: column(name) })) },
  { title: 'Largest speed', unit: 'm/s', lines: [{ label: 'speed', values: column('max_speed') }] },
  { title: 'Memory, peak', unit: 'MB', lines: [{ label: 'memory', values: column('peak_memory', 1e-6) }] },
];

const WIDTH = 300;
const HEIGHT = 84;
const MOST_POINTS = 600;

export function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(1).replace('e+', 'e');
  return Number(value.toPrecision(size >= 1000 ? 4 : 3)).toString();
}

interface Drawn {
  title: string;
  unit: string;
  svg: SVGSVGElement;
  now: SVGLineElement;
  entries: { run: number; label: string; values: Float64Array; times: Float64Array; element: HTMLElement }[];
}

const svgElement = <K extends keyof SVGElementTagNameMap>(name: K, attributes: Record<string, string | number>) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
};
const element = <K extends keyof HTMLElementTagNameMap>(name: K, className = '', text = '') => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
};

/** Index of the last time that is not later. */
function indexAt(times: Float64Array, time: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time + 1e-9) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class Plots {
  private drawn: Drawn[] = [];
  private lastTime = 0;
  private readonly end = { time: 1 };

  constructor(private readonly parent: HTMLElement, private readonly seek: (time: number) => void) {}

  /** Draws everything again: the timeline has grown. */
  update(runs: readonly Run[]): void {
    this.drawn = [];
    const made: HTMLElement[] = [];
    this.end.time = Math.max(1e-9, ...runs.map((run) => run.timeline?.columns.get('time')?.at(-1) ?? 0));
    for (const plot of PLOTS) {
      const figure = this.make(plot, runs);
      if (figure) made.push(figure);
    }
    if (made.length === 0) made.push(element('p', 'nothing', 'No timeline beside these frames.'));
    this.parent.replaceChildren(...made);
    this.mark(this.lastTime);
  }

  private make(plot: Plot, runs: readonly Run[]): HTMLElement | null {
    const all = plot.lines.flatMap((line, color) => runs.flatMap((run, i) => {
      const values = run.timeline && line.values(run.timeline);
      const times = run.timeline?.columns.get('time');
      return values && times && values.length > 1 && values.some((v) => v !== 0) ? [{ label: line.label, color, run: i, values, times }] : [];
    }));
    // what cannot be told from zero beside the others is left out
    const most = Math.max(0, ...all.map((line) => line.values.reduce((a, b) => Math.max(a, Math.abs(b)), 0)));
    const lines = all.filter((line) => line.values.some((value) => Math.abs(value) > 0.01 * most));
    if (lines.length === 0) return null;
    const low = Math.min(0, ...lines.map((line) => line.values.reduce((a, b) => Math.min(a, b), Infinity)));
    const high = Math.max(...lines.map((line) => line.values.reduce((a, b) => Math.max(a, b), -Infinity)), low + 1e-12);
    const figure = element('div', 'plot');
    const head = element('h3', '', plot.title);
    head.append(element('span', '', `${low < 0 ? `${format(low)} to ` : ''}${format(high)} ${plot.unit}`));
    const svg = svgElement('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
    const x = (time: number) => (WIDTH * time) / this.end.time;
    const y = (value: number) => HEIGHT - ((HEIGHT - 2) * (value - low)) / (high - low) - 1;
    svg.append(svgElement('line', { class: 'axis', x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }));
    for (const line of lines) svg.append(svgElement('path', { class: `s${line.color % 6}${line.run ? ' second' : ''}`, d: pathOf(line.times, line.values, x, y), }));
    const now = svgElement('line', { class: 'now', y1: 0, y2: HEIGHT });
    svg.append(now);
    const seek = (event: PointerEvent) => {
      const r = svg.getBoundingClientRect();
      this.seek((this.end.time * (event.clientX - r.left)) / r.width);
    };
    svg.addEventListener('pointerdown', (event) => {
      svg.setPointerCapture(event.pointerId);
      seek(event);
    });
    svg.addEventListener('pointermove', (event) => event.buttons && seek(event));
    const key = element('div', 'key');
    const entries = lines.map((line) => {
      const item = element('span');
      const value = element('b');
      item.append(element('i', `s${line.color % 6}`), runs.length > 1 ? `${line.label} ${line.run + 1}` : line.label, value);
      key.append(item);
      return { ...line, element: value };
    });
    figure.append(head, svg, key);
    this.drawn.push({ title: plot.title, unit: plot.unit, svg, now, entries });
    return figure;
  }

  /** Marks a moment [s]. */
  mark(time: number): void {
    this.lastTime = time;
    for (const plot of this.drawn) {
      const at = (WIDTH * Math.min(1, Math.max(0, time / this.end.time))).toFixed(2);
      plot.now.setAttribute('x1', at);
      plot.now.setAttribute('x2', at);
      const told = plot.entries.map((entry) => {
        const value = format(entry.values[indexAt(entry.times, time)] ?? NaN);
        entry.element.textContent = value;
        return `${entry.label} ${value}`;
      });
      plot.svg.setAttribute('aria-label', `${plot.title} [${plot.unit}] at ${time.toFixed(2)} s: ${told.join(', ')}`);
    }
  }
}

function pathOf(times: Float64Array, values: Float64Array, x: (t: number) => number, y: (v: number) => number): string {
  const stride = Math.max(1, Math.ceil(times.length / MOST_POINTS));
  let path = '';
  for (let i = 0; i < times.length; i += stride) {
    let value = values[i]!;
    for (let k = i; k < Math.min(times.length, i + stride); k++) if (Math.abs(values[k]!) > Math.abs(value)) value = values[k]!;
    path += `${path ? 'L' : 'M'}${x(times[i]!).toFixed(2)} ${y(value).toFixed(2)}`;
  }
  return path;
}
