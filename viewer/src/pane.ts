// One run in the picture: its surfaces, its present frame, and the numbers that colour it.
import type { Frame } from './cache';
import { makeRest, type Rest } from './cloth';
import { paint, type MapName } from './colors';
import { computeField, type FieldInfo } from './fields';
import type { GapBody } from './gap';
import type { Gaps } from './gaps';
import type { Run } from './run';
import type { Stage } from './stage';
import { Surface, type Shading } from './surface';

export class RunPane {
  readonly surfaces: Surface[] = [];
  readonly rests: Rest[] = []; // a cloth
  frame: Frame | null = null;
  index = -1;
  /** Of the present frame and field, a cloth; null: not known (yet). */
  values: (Float32Array | null)[] = [];
  private start = 0; // time of the first frame and between two [s]
  private between = 0;

  constructor(readonly run: Run, private readonly stage: Stage, private readonly number: number) {}

  get clothCount(): number {
    return this.run.layout.bodies.filter((body) => body.isCloth).length;
  }

  /** Reads the first frames and makes the surfaces. */
  async open(): Promise<void> {
    const { bodies, frameRate } = this.run.layout;
    const first = await this.run.frame(0);
    this.start = first.time;
    const second = this.run.frameCount > 1 ? await this.run.frame(1) : null;
    this.between = second ? second.time - first.time : 1 / (frameRate || 60);
    const pane = this.stage.panes[this.number]!;
    let cloths = 0, obstacles = 0;
    for (const [i, body] of bodies.entries()) {
      const surface = new Surface(body, body.isCloth ? cloths++ : obstacles++, body.rest);
      if (body.isCloth) this.rests.push(makeRest(body, first.positions[i]!));
      this.surfaces.push(surface);
      pane.surfaces.push(surface);
      pane.scene.add(surface.mesh);
    }
  }

  get end(): number {
    return this.timeOf(this.run.frameCount - 1);
  }
  timeOf(index: number): number {
    return this.start + index * this.between;
  }
  indexAt(time: number): number {
    const index = Math.round((time - this.start) / (this.between || 1));
    return Math.min(this.run.frameCount - 1, Math.max(0, index));
  }

  /** Shows a frame. Resolves when its numbers are there too, but for gaps, which come later. */
  async load(index: number, field: FieldInfo | null): Promise<() => void> {
    const at = (i: number) => (i >= 0 && i < this.run.frameCount ? this.run.frame(i) : Promise.resolve(null));
    const isSpeed = field?.name === 'speed' && !this.run.layout.hasVelocities;
    const [frame, before, after] = await Promise.all([this.run.frame(index), isSpeed ? at(index - 1) : null, isSpeed ? at(index + 1) : null]);
    const values = this.rests.map((rest, c) => {
      if (!field || field.name === 'gap') return null;
      return computeField({ name: field.name, index: c, body: this.run.layout.bodies[c]!, rest, frame, before, after });
    });
    return () => {
      const isMoved = this.frame !== frame;
      this.frame = frame;
      this.index = index;
      this.values = values;
      if (!isMoved) return;
      for (const [i, surface] of this.surfaces.entries())
        if (surface.positions3 !== frame.positions[i]) surface.setPositions(frame.positions[i]!);
    };
  }

  async loadGaps(gaps: Gaps): Promise<void> {
    const frame = this.frame;
    if (!frame) return;
    const bodies: GapBody[] = this.run.layout.bodies.map((body, i) => ({
      isCloth: body.isCloth,
      thickness: body.thickness,
      triangles: body.triangles,
      positions: frame.positions[i]!,
      uv: body.isCloth ? vertexUv(body.vertexCount, body.triangles, this.rests[i]!, this.firstPositions(i)) : null,
    }));
    const found = await gaps.find(bodies, this.gapReach);
    if (this.frame === frame) this.values = found;
  }

  /** How far gaps are looked for [m]: some thicknesses, and no less than half an edge. */
  get gapReach(): number {
    const thickest = Math.max(0, ...this.run.layout.bodies.map((body) => body.thickness));
    let area = 0, count = 0;
    for (const rest of this.rests) {
      for (const value of rest.triangleArea) area += value;
      count += rest.triangleArea.length;
    }
    return Math.max(10 * thickest, 0.75 * Math.sqrt((2 * area) / Math.max(1, count)), 1e-5);
  }

  private first: Frame | null = null;
  async keepFirst(): Promise<void> {
    this.first ??= await this.run.frame(0);
  }
  private firstPositions(body: number): Float32Array {
    return (this.first ?? this.frame!).positions[body]!;
  }

  colour(field: FieldInfo | null, map: MapName, limit: number, hasWeave: boolean): void {
    for (const [i, surface] of this.surfaces.entries()) {
      const values = field && surface.body.isCloth ? this.values[i] : null;
      if (field && surface.body.isCloth) {
        const colors = new Float32Array(3 * surface.body.vertexCount);
        paint(values ?? new Float32Array(surface.body.vertexCount).fill(NaN), map, limit / field.scale, colors);
        surface.setColors(colors, hasWeave);
      } else {
        surface.setColors(null, hasWeave);
      }
    }
  }

  shade(shading: Shading): void {
    for (const surface of this.surfaces) surface.setShading(surface.body.isCloth || shading !== 'wire' ? shading : 'smooth');
  }
}

const uvs = new WeakMap<Rest, Float32Array>();

/** Rest coordinates a vertex. Guessed ones say nothing about distances: then the first frame's x and y do. */
function vertexUv(count: number, triangles: Uint32Array, rest: Rest, first: Float32Array): Float32Array {
  const known = uvs.get(rest);
  if (known) return known;
  const uv = new Float32Array(2 * count);
  if (rest.isGuessed) {
    for (let v = 0; v < count; v++) uv.set([first[3 * v]!, Math.hypot(first[3 * v + 1]!, first[3 * v + 2]!)], 2 * v);
  } else {
    for (let i = 0; i < triangles.length; i++) uv.set([rest.uv[2 * i]!, rest.uv[2 * i + 1]!], 2 * triangles[i]!);
  }
  uvs.set(rest, uv);
  return uv;
}
