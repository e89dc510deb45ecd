// A run to look at: where its frames come from, which of them are kept, and what else is known of it.
import { CacheError, FIRST_BYTES, frameCountOf, headerSizeOf, parseFrame, parseHeader, type Frame, type Layout } from './cache';
import { parseTable, type Table } from './table';

const KEPT_BYTES = 384 << 20; // of frames, decoded

export interface FrameSource {
  readonly layout: Layout;
  frameCount: number;
  /** Also true of a run that has ended, as long as nobody said so. */
  readonly canGrow: boolean;
  read(index: number): Promise<Frame>;
  /** Looks for more frames. */
  refresh(size: number): void;
  /** Behind the last whole frame: one that is being written, or was cut off. */
  readonly ignoredBytes: number;
}

async function fetchRange(address: string, first: number, size: number): Promise<ArrayBuffer> {
  const answer = await fetch(address, { headers: { Range: `bytes=${first}-${first + size - 1}` } });
  if (!answer.ok) throw new CacheError(`${address}: ${answer.status} ${answer.statusText}`);
  const bytes = await answer.arrayBuffer();
  if (bytes.byteLength !== size) throw new CacheError(`the file ends at byte ${first + bytes.byteLength}`);
  return bytes;
}

/** Frames of a cache on the server, by range requests. */
class RemoteFrames implements FrameSource {
  frameCount = 0;
  ignoredBytes = 0;
  readonly canGrow = true;
  private constructor(private readonly address: string, readonly layout: Layout) {}

  static async open(address: string, size: number): Promise<RemoteFrames> {
    if (size < FIRST_BYTES) throw new CacheError(size === 0 ? 'the cache is empty' : 'this is not a cache of weft');
    const headerSize = headerSizeOf(await fetchRange(address, 0, FIRST_BYTES));
    if (headerSize > size)
      throw new CacheError(`the cache was cut off within its header: ${size} bytes of ${headerSize}, no frame is left`);
    const source = new RemoteFrames(address, parseHeader(await fetchRange(address, 0, headerSize)));
    source.refresh(size);
    return source;
  }
  refresh(size: number): void {
    this.frameCount = frameCountOf(this.layout, size);
    this.ignoredBytes = Math.max(0, size - this.layout.headerSize - this.frameCount * this.layout.recordSize);
  }
  async read(index: number): Promise<Frame> {
    const { headerSize, recordSize } = this.layout;
    return parseFrame(this.layout, await fetchRange(this.address, headerSize + index * recordSize, recordSize));
  }
}

export class Run {
  timeline: Table | null = null;
  report: Record<string, unknown> | null = null;
  isEnded = false;
  private readonly kept = new Map<number, Promise<Frame>>(); // the oldest first
  private numbers = new Map<number, number>(); // index to frame number, of those read

  constructor(readonly label: string, readonly frames: FrameSource) {}

  get layout(): Layout {
    return this.frames.layout;
  }
  get frameCount(): number {
    return this.frames.frameCount;
  }

  private get mostKept(): number {
    return Math.max(4, Math.floor(KEPT_BYTES / Math.max(1, this.layout.recordSize)));
  }

  frame(index: number): Promise<Frame> {
    let frame = this.kept.get(index);
    if (frame) this.kept.delete(index);
    frame ??= this.frames.read(index).then((read) => {
      this.numbers.set(index, read.number);
      return read;
    });
    this.kept.set(index, frame);
    frame.catch(() => this.kept.delete(index));
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.mostKept) break;
      this.kept.delete(oldest);
    }
    return frame;
  }

  /** The frame's number in the run, when it was read. */
  numberOf(index: number): number | undefined {
    return this.numbers.get(index);
  }
}

interface Described {
  label: string;
  frames?: number;
  timeline?: number;
  report?: number;
}

/** All runs of the server this page comes from, looked at again and again. */
export class Server {
  runs: Run[] = [];
  private sizes: Described[] = [];

  private async describe(): Promise<Described[]> {
    const answer = await fetch('runs');
    if (!answer.ok) throw new CacheError(`the server says ${answer.status}`);
    return ((await answer.json()) as { runs: Described[] }).runs;
  }

  /** Waits for caches that are not there yet; tell is called when that happens. */
  async open(tell: (what: string) => void): Promise<Run[]> {
    for (;;) {
      const described = await this.describe();
      const missing = described.find((run) => run.frames === undefined);
      if (!missing) {
        this.runs = await Promise.all(
          described.map(async (run, i) => new Run(run.label, await RemoteFrames.open(`run/${i}/frames`, run.frames!))));
        return this.runs;
      }
      tell(`Waiting for the first frame of ${missing.label}`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  /** Whether anything is new: frames, timeline or report. */
  async refresh(): Promise<boolean> {
    const described = await this.describe();
    let isNew = false;
    for (const [i, run] of this.runs.entries()) {
      const now = described[i]!;
      const before = this.sizes[i];
      const changed = (file: 'timeline' | 'report') => now[file] !== undefined && now[file] !== before?.[file];
      if (now.frames !== undefined && now.frames !== before?.frames) {
        run.frames.refresh(now.frames);
        isNew = true;
      }
      if (changed('timeline')) {
        run.timeline = parseTable(await this.text(`run/${i}/timeline`));
        isNew = true;
      }
      if (changed('report')) {
        run.report = JSON.parse(await this.text(`run/${i}/report`)) as Record<string, unknown>;
        isNew = true;
      }
      run.isEnded = now.report !== undefined;
    }
    this.sizes = described;
    return isNew;
  }

  private async text(address: string): Promise<string> {
    const answer = await fetch(address);
    return answer.ok ? answer.text() : '';
  }
}
