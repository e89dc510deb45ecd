// Caches of frames, as docs/cache.md describes them: header and frames.
import { isWhole } from './checksum';

export interface Body {
  name: string;
  isCloth: boolean;
  vertexCount: number;
  triangles: Uint32Array; // three corners each
  rest: Float32Array | null; // of a cloth: u0 v0 u1 v1 u2 v2 of each triangle, u along the warp [m]
  thickness: number; // [m]; 0 when unknown
  standing: Float32Array | null; // of an obstacle that stands still: its positions
  positionsAt: number; // in a frame; -1: it has none there
  velocitiesAt: number;
  pressuresAt: number;
}

export interface Layout {
  version: number;
  scene: string;
  frameRate: number;
  timeStep: number;
  bits: number;
  hasVelocities: boolean;
  headerSize: number;
  recordSize: number;
  bodies: Body[]; // cloths, then obstacles
}

export interface Frame {
  number: number; // in the run
  time: number; // [s]
  positions: Float32Array[]; // a body
  velocities: Float32Array[] | null; // a cloth
  pressures: Float32Array[] | null; // a cloth [Pa]
}

/** What is wrong with a file, in words for people. */
export class CacheError extends Error {}

export const FIRST_BYTES = 24; // enough to know how long the header is

const MOST_BODIES = 1 << 20;
const HAS_VELOCITIES = 1;
const HAS_REST = 2;
const HAS_PRESSURES = 4;
const NEWEST = 3;

/** Size of the header, from the first bytes of the file. */
export function headerSizeOf(bytes: ArrayBuffer): number {
  const view = new DataView(bytes);
  const magic = new TextDecoder().decode(new Uint8Array(bytes, 0, Math.min(8, bytes.byteLength)));
  if (bytes.byteLength < FIRST_BYTES || magic !== 'weftcach') throw new CacheError('this is not a cache of weft');
  if (view.getUint32(12, true) !== 0x01020304)
    throw new CacheError('the cache was written on a machine of the other byte order');
  const version = view.getUint32(8, true);
  if (version < 1 || version > NEWEST)
    throw new CacheError(`the cache has version ${version}, this viewer reads versions up to ${NEWEST}`);
  const size = Number(view.getBigUint64(16, true));
  if (size < 72 || size % 8 !== 0 || size > 2 ** 40) throw new CacheError('the header of the cache was altered');
  return size;
}

const textSize = (length: number) => Math.floor(length / 8) * 8 + 8;
const roundUp = (size: number) => Math.ceil(size / 8) * 8;

function packedSize(vertexCount: number, bits: number): number {
  return bits === 0 ? 24 * vertexCount : 48 + roundUp((3 * vertexCount * bits) / 8);
}

/** Walks through the header; anything that would lead outside of it is refused. */
class Walk {
  at = 64;
  readonly view: DataView;
  constructor(readonly bytes: ArrayBuffer) {
    this.view = new DataView(bytes);
  }
  take(size: number): number {
    const here = this.at;
    if (!(size >= 0) || here + size > this.bytes.byteLength - 8)
      throw new CacheError('the header of the cache holds a number that is out of range');
    this.at += size;
    return here;
  }
  text(length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.bytes, this.take(textSize(length)), length));
  }
  body(isCloth: boolean, flags: number): Body {
    const head = this.take(16);
    const word = (i: number) => this.view.getUint32(head + 4 * i, true);
    const [nameLength, vertexCount, triangleCount, isMoving] = [word(0), word(1), word(2), word(3)] as const;
    const name = this.text(nameLength);
    const triangles = new Uint32Array(this.bytes, this.take(roundUp(12 * triangleCount)), 3 * triangleCount);
    for (const corner of triangles)
      if (corner >= vertexCount) throw new CacheError(`${name}: a triangle of the cache has a corner that is not there`);
    let rest = null;
    let thickness = 0;
    let standing = null;
    if (flags & HAS_REST) thickness = this.view.getFloat64(this.take(8), true);
    if (isCloth && flags & HAS_REST) rest = new Float32Array(this.bytes, this.take(24 * triangleCount), 6 * triangleCount);
    if (!isCloth && !isMoving) standing = Float32Array.from(new Float64Array(this.bytes, this.take(24 * vertexCount), 3 * vertexCount));
    return { name, isCloth, vertexCount, triangles, rest, thickness, standing, positionsAt: -1, velocitiesAt: -1, pressuresAt: -1 };
  }
}

/** Where things are in a frame; sets the bodies' places and returns the size of a frame. */
function place(bodies: Body[], bits: number, flags: number): number {
  let at = 32;
  const cloths = bodies.filter((body) => body.isCloth);
  for (const body of cloths) {
    body.positionsAt = at;
    at += packedSize(body.vertexCount, bits);
  }
  for (const body of flags & HAS_VELOCITIES ? cloths : []) {
    body.velocitiesAt = at;
    at += packedSize(body.vertexCount, bits);
  }
  for (const body of flags & HAS_PRESSURES ? cloths : []) {
    body.pressuresAt = at;
    at += roundUp(4 * body.vertexCount);
  }
  for (const body of bodies.filter((b) => !b.isCloth && !b.standing)) {
    body.positionsAt = at;
    at += packedSize(body.vertexCount, bits);
  }
  return at + 8;
}

/** bytes: the whole header. */
export function parseHeader(bytes: ArrayBuffer): Layout {
  if (headerSizeOf(bytes) !== bytes.byteLength) throw new CacheError('the cache was cut off within its header');
  if (!isWhole(new Uint8Array(bytes)))
    throw new CacheError('the header of the cache was altered: its checksum does not fit');
  const walk = new Walk(bytes);
  const view = walk.view;
  const version = view.getUint32(8, true);
  const bits = view.getUint32(48, true);
  const flags = view.getUint32(52, true);
  const clothCount = view.getUint32(56, true);
  const scene = walk.text(view.getUint32(60, true));
  if (bits !== 0 && (bits < 8 || bits > 32)) throw new CacheError(`the cache has ${bits} bits a coordinate`);
  const bodies: Body[] = [];
  for (let i = 0; i < clothCount; i++) bodies.push(walk.body(true, flags));
  const obstacleCount = version >= 2 ? Number(view.getBigUint64(walk.take(8), true)) : 0;
  if (obstacleCount > MOST_BODIES) throw new CacheError('the header of the cache holds a number that is out of range');
  for (let i = 0; i < obstacleCount; i++) bodies.push(walk.body(false, flags));
  return {
    version, scene, bits, bodies,
    frameRate: view.getFloat64(32, true),
    timeStep: view.getFloat64(40, true),
    hasVelocities: (flags & HAS_VELOCITIES) !== 0,
    headerSize: bytes.byteLength,
    recordSize: place(bodies, bits, flags),
  };
}

function unpack(bytes: ArrayBuffer, at: number, vertexCount: number, bits: number): Float32Array {
  const count = 3 * vertexCount;
  if (bits === 0) return Float32Array.from(new Float64Array(bytes, at, count));
  const range = new Float64Array(bytes, at, 6);
  const to = new Float32Array(count);
  if (bits === 16) {
    const levels = new Uint16Array(bytes, at + 48, count);
    for (let i = 0; i < count; i++) to[i] = range[i % 3]! + levels[i]! * range[3 + (i % 3)]!;
    return to;
  }
  const packed = new Uint8Array(bytes, at + 48);
  let pending = 0; // below 2^40: arithmetic instead of shifts, which work on 32 bits
  let have = 0;
  let next = 0;
  const size = 2 ** bits;
  for (let i = 0; i < count; i++) {
    for (; have < bits; have += 8) pending += packed[next++]! * 2 ** have;
    const level = pending % size;
    to[i] = range[i % 3]! + level * range[3 + (i % 3)]!;
    pending = Math.floor(pending / size);
    have -= bits;
  }
  return to;
}

/** bytes: one whole frame. Throws when its checksum does not fit. */
export function parseFrame(layout: Layout, bytes: ArrayBuffer): Frame {
  const magic = new TextDecoder().decode(new Uint8Array(bytes, 0, 8));
  if (bytes.byteLength !== layout.recordSize || magic !== 'weftfram' || !isWhole(new Uint8Array(bytes)))
    throw new CacheError('the frame is damaged: its checksum does not fit');
  const view = new DataView(bytes);
  const cloths = layout.bodies.filter((body) => body.isCloth);
  const vectors = (body: Body, at: number) => unpack(bytes, at, body.vertexCount, layout.bits);
  return {
    number: Number(view.getBigInt64(16, true)),
    time: view.getFloat64(24, true),
    positions: layout.bodies.map((body) => body.standing ?? vectors(body, body.positionsAt)),
    velocities: layout.hasVelocities ? cloths.map((body) => vectors(body, body.velocitiesAt)) : null,
    pressures: cloths.every((body) => body.pressuresAt >= 0) && cloths.length > 0
      ? cloths.map((body) => new Float32Array(bytes, body.pressuresAt, body.vertexCount).slice())
      : null,
  };
}

/** Whole frames in a file of so many bytes. */
export function frameCountOf(layout: Layout, fileSize: number): number {
  return Math.max(0, Math.floor((fileSize - layout.headerSize) / layout.recordSize));
}
