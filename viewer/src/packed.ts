// Frames that travel inside the page (weft export --format html): quantised to 16 bits, differences from frame to
// frame, compressed. docs/viewer.md describes the bytes.
import { CacheError, parseHeader, type Frame, type Layout } from './cache';
import { Run, type FrameSource } from './run';
import { parseTable } from './table';

interface Channel {
  count: number; // numbers a frame
  axes: number; // 3: positions, 1: pressures
  low: number[];
  step: number[];
  levels: Uint16Array; // frame after frame
}

async function inflate(text: string): Promise<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

/** Undoes the differences, in place: low bytes of a frame, then high bytes, as the difference to the frame before; in
 * the first frame to the same axis of the vertex before. */
function undoDifferences(bytes: Uint8Array, count: number, axes: number, frameCount: number): Uint16Array {
  const levels = new Uint16Array(count * frameCount);
  for (let f = 0; f < frameCount; f++) {
    const low = 2 * f * count;
    const high = low + count;
    const base = f * count;
    for (let i = 0; i < count; i++) {
      const zigzag = bytes[low + i]! | (bytes[high + i]! << 8);
      const difference = (zigzag >>> 1) ^ -(zigzag & 1);
      const before = f > 0 ? levels[base - count + i]! : i >= axes ? levels[i - axes]! : 0;
      levels[base + i] = before + difference;
    }
  }
  return levels;
}

class PackedFrames implements FrameSource {
  readonly canGrow = false;
  readonly ignoredBytes = 0;
  readonly frameCount: number;
  readonly layout: Layout;
  private readonly numbers: Float64Array; // number and time of each frame
  private readonly channels: Channel[] = [];

  constructor(bytes: ArrayBuffer) {
    const view = new DataView(bytes);
    const headerSize = view.getUint32(0, true);
    this.frameCount = view.getUint32(4, true);
    const hasPressures = view.getUint32(8, true) === 1;
    let at = 16;
    this.layout = parseHeader(bytes.slice(at, at + headerSize));
    this.layout.hasVelocities = false;
    at += headerSize;
    this.numbers = new Float64Array(bytes.slice(at, at + 16 * this.frameCount));
    at += 16 * this.frameCount;
    const take = (count: number, axes: number) => {
      const numbers = new Float64Array(bytes.slice(at, at + 16 * axes));
      at += 16 * axes;
      const size = 2 * count * this.frameCount;
      if (at + size > bytes.byteLength) throw new CacheError('the frames in this page were cut off');
      this.channels.push({ count, axes, low: [...numbers.subarray(0, axes)], step: [...numbers.subarray(axes)],
        levels: undoDifferences(new Uint8Array(bytes, at, size), count, axes, this.frameCount) });
      at += size;
    };
    const { bodies } = this.layout;
    for (const body of bodies) if (!body.standing) take(3 * body.vertexCount, 3);
    for (const body of bodies) if (body.isCloth && hasPressures) take(body.vertexCount, 1);
  }

  refresh(): void {}

  private numbersOf(channel: Channel, index: number): Float32Array {
    const { count, axes, low, step, levels } = channel;
    const to = new Float32Array(count);
    for (let i = 0; i < count; i++) to[i] = low[i % axes]! + levels[index * count + i]! * step[i % axes]!;
    return to;
  }

  async read(index: number): Promise<Frame> {
    const moving = this.channels.filter((channel) => channel.axes === 3).values();
    const pressures = this.channels.filter((channel) => channel.axes === 1);
    return {
      number: this.numbers[2 * index]!,
      time: this.numbers[2 * index + 1]!,
      positions: this.layout.bodies.map((body) => body.standing ?? this.numbersOf(moving.next().value!, index)),
      velocities: null,
      pressures: pressures.length > 0 ? pressures.map((channel) => this.numbersOf(channel, index)) : null,
    };
  }
}

/** The run in the page; null when it comes from a server. */
export async function packedRun(): Promise<Run | null> {
  const part = (name: string) => document.getElementById(`weft-${name}`)?.textContent ?? '';
  const frames = part('frames');
  if (!frames) return null;
  const run = new Run(JSON.parse(part('label') || '""') as string, new PackedFrames(await inflate(frames)));
  run.timeline = parseTable(part('timeline'));
  run.report = part('report') ? (JSON.parse(part('report')) as Record<string, unknown>) : null;
  run.isEnded = true;
  return run;
}
