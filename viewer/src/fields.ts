// The quantities that colour a cloth, a number a vertex. The formulas are those of docs/report.md's tables.
import type { Body, Frame } from './cache';
import type { Rest } from './cloth';

export type FieldName = 'warp' | 'weft' | 'shear' | 'bend' | 'speed' | 'pressure' | 'gap';

export interface FieldInfo {
  name: FieldName;
  title: string;
  unit: string;
  scale: number; // from SI to the unit
  isSigned: boolean; // colours on both sides of zero
  isReversed: boolean; // small is what matters
  start: number; // full colour at least here, in the unit
  about: string;
}

export const FIELDS: readonly FieldInfo[] = [
  { name: 'warp', title: 'Strain, warp', unit: '%', scale: 100, isSigned: true, isReversed: false, start: 0.05, about: 'Stretch along the warp against the rest shape; red is longer, blue shorter.' },
  { name: 'weft', title: 'Strain, weft', unit: '%', scale: 100, isSigned: true, isReversed: false, start: 0.05, about: 'Stretch along the weft against the rest shape; red is longer, blue shorter.' },
  { name: 'shear', title: 'Shear', unit: '%', scale: 100, isSigned: true, isReversed: false, start: 0.05, about: 'Product of the stretched warp and weft directions: zero where they stand at right angles.' },
  { name: 'bend', title: 'Bending', unit: '1/m', scale: 1, isSigned: false, isReversed: false, start: 1, about: 'Largest curvature of the edges at a vertex.' },
  { name: 'speed', title: 'Speed', unit: 'm/s', scale: 1, isSigned: false, isReversed: false, start: 0.01, about: 'Velocities of the cache, or the way from frame to frame over its time.' },
  { name: 'pressure', title: 'Contact pressure', unit: 'Pa', scale: 1, isSigned: false, isReversed: false, start: 1, about: 'Normal forces of contacts over the area of a vertex.' },
  { name: 'gap', title: 'Gap', unit: 'mm', scale: 1000, isSigned: false, isReversed: true, start: 0, about: 'Distance of a vertex from the nearest other surface, less the thickness. Grey: farther away.' },
];

/** warp, weft or shear of each triangle: |w_u| - 1, |w_v| - 1, w_u . w_v. */
export function triangleStrain(body: Body, rest: Rest, x: Float32Array, which: 'warp' | 'weft' | 'shear'): Float32Array {
  const count = body.triangles.length / 3;
  const to = new Float32Array(count);
  const { uv } = rest;
  const tri = body.triangles;
  for (let t = 0; t < count; t++) {
    const o = 6 * t;
    const du1 = uv[o + 2]! - uv[o]!, dv1 = uv[o + 3]! - uv[o + 1]!;
    const du2 = uv[o + 4]! - uv[o]!, dv2 = uv[o + 5]! - uv[o + 1]!;
    const det = du1 * dv2 - du2 * dv1;
    if (det === 0) continue;
    const a = 3 * tri[3 * t]!, b = 3 * tri[3 * t + 1]!, c = 3 * tri[3 * t + 2]!;
    let uu = 0, vv = 0, both = 0;
    for (let k = 0; k < 3; k++) {
      const e = x[b + k]! - x[a + k]!, f = x[c + k]! - x[a + k]!;
      const wu = (e * dv2 - f * dv1) / det, wv = (f * du1 - e * du2) / det;
      uu += wu * wu;
      vv += wv * wv;
      both += wu * wv;
    }
    to[t] = which === 'warp' ? Math.sqrt(uu) - 1 : which === 'weft' ? Math.sqrt(vv) - 1 : both;
  }
  return to;
}

/** Means over the triangles around a vertex, weighted by area. */
function toVertices(body: Body, rest: Rest, values: Float32Array): Float32Array {
  const to = new Float32Array(body.vertexCount);
  for (let i = 0; i < body.triangles.length; i++) {
    const t = (i / 3) | 0;
    to[body.triangles[i]!]! += (values[t]! * rest.triangleArea[t]!) / 3;
  }
  for (let v = 0; v < to.length; v++) to[v]! /= rest.vertexArea[v]! || 1;
  return to;
}

/** Curvature of each hinge: angle between its triangles, times length over area [1/m]. */
export function hingeCurvature(rest: Rest, x: Float32Array): Float32Array {
  const { hinges, hingeScale } = rest;
  const to = new Float32Array(hingeScale.length);
  const p = new Float64Array(9);
  for (let h = 0; h < to.length; h++) {
    const a = 3 * hinges[4 * h]!;
    for (let k = 0; k < 9; k++) p[k] = x[3 * hinges[4 * h + 1 + ((k / 3) | 0)]! + (k % 3)]! - x[a + (k % 3)]!;
    const [ex, ey, ez, cx, cy, cz, dx, dy, dz] = p as unknown as [number, number, number, number, number, number, number, number, number];
    // normals e x c and d x e
    const nx = ey * cz - ez * cy, ny = ez * cx - ex * cz, nz = ex * cy - ey * cx;
    const mx = dy * ez - dz * ey, my = dz * ex - dx * ez, mz = dx * ey - dy * ex;
    const sx = ny * mz - nz * my, sy = nz * mx - nx * mz, sz = nx * my - ny * mx;
    to[h] = Math.atan2(Math.hypot(sx, sy, sz), nx * mx + ny * my + nz * mz) * hingeScale[h]!;
  }
  return to;
}

function bending(body: Body, rest: Rest, x: Float32Array): Float32Array {
  const to = new Float32Array(body.vertexCount);
  const curvature = hingeCurvature(rest, x);
  const { hinges } = rest;
  for (let h = 0; h < curvature.length; h++)
    for (let k = 0; k < 2; k++) {
      const v = hinges[4 * h + k]!;
      if (curvature[h]! > to[v]!) to[v] = curvature[h]!;
    }
  return to;
}

function speeds(index: number, frame: Frame, before: Frame | null, after: Frame | null): Float32Array {
  const own = frame.velocities?.[index];
  const to = new Float32Array(frame.positions[index]!.length / 3);
  if (own) {
    for (let v = 0; v < to.length; v++) to[v] = Math.hypot(own[3 * v]!, own[3 * v + 1]!, own[3 * v + 2]!);
    return to;
  }
  const from = (before ?? frame).positions[index]!, till = (after ?? frame).positions[index]!;
  const seconds = (after ?? frame).time - (before ?? frame).time;
  if (!(seconds > 0)) return to;
  for (let v = 0; v < to.length; v++)
    to[v] = Math.hypot(till[3 * v]! - from[3 * v]!, till[3 * v + 1]! - from[3 * v + 1]!, till[3 * v + 2]! - from[3 * v + 2]!) / seconds;
  return to;
}

export interface FieldInput {
  name: Exclude<FieldName, 'gap'>;
  index: number; // of the cloth
  body: Body;
  rest: Rest;
  frame: Frame;
  before: Frame | null; // neighbours, for speeds
  after: Frame | null;
}

/** In SI units, a number a vertex; null when the cache does not hold it. */
export function computeField({ name, index, body, rest, frame, before, after }: FieldInput): Float32Array | null {
  const x = frame.positions[index]!;
  switch (name) {
    case 'warp': case 'weft': case 'shear': return toVertices(body, rest, triangleStrain(body, rest, x, name));
    case 'bend': return bending(body, rest, x);
    case 'speed': return speeds(index, frame, before, after);
    case 'pressure': return frame.pressures?.[index] ?? null;
  }
}

/** A round number that most values stay below: where full colour is. */
export function niceLimit(arrays: readonly Float32Array[], info: FieldInfo): number {
  const sample: number[] = [];
  for (const values of arrays) {
    const stride = Math.max(1, Math.floor(values.length / 4000));
    for (let i = 0; i < values.length; i += stride) if (Number.isFinite(values[i]!)) sample.push(Math.abs(values[i]!) * info.scale);
  }
  sample.sort((a, b) => a - b);
  const limit = Math.max(info.start, sample[Math.floor(0.995 * (sample.length - 1))] ?? 0);
  if (!(limit > 0)) return info.start || 1;
  const power = 10 ** Math.floor(Math.log10(limit));
  return [1, 1.5, 2, 3, 5, 7, 10].map((step) => step * power).find((step) => step >= limit * 0.999) ?? 10 * power;
}
