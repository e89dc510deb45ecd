// The clock of the timeline: real time between frames, and never more than one frame under way.
export interface Playable {
  readonly frameCount: number;
  timeOf(index: number): number;
  indexAt(time: number): number;
}

export class Player {
  index = 0;
  isPlaying = false;
  isLooping = true;
  speed = 1;
  private clock = 0; // simulated time that is due [s]
  private last = 0;

  /** show: resolves when the frame can be seen. */
  constructor(private readonly subject: Playable, private readonly show: (index: number) => Promise<void>, private readonly onChange: () => void) {}

  async seek(index: number): Promise<void> {
    this.index = Math.min(this.subject.frameCount - 1, Math.max(0, index));
    this.clock = this.subject.timeOf(this.index);
    this.onChange();
    await this.show(this.index);
  }

  step(count: number): Promise<void> {
    this.pause();
    return this.seek(this.index + count);
  }

  pause(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.onChange();
  }

  toggle(): void {
    if (this.isPlaying) return this.pause();
    if (this.subject.frameCount < 2) return;
    this.isPlaying = true;
    this.last = performance.now();
    if (this.index >= this.subject.frameCount - 1) this.clock = this.subject.timeOf(0);
    this.onChange();
    void this.run();
  }

  private async run(): Promise<void> {
    while (this.isPlaying) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      if (!this.isPlaying) break;
      // a picture that took long is not caught up with: motion slows down instead of jumping
      this.clock += Math.min(0.1, Math.max(0, now - this.last) / 1000) * this.speed;
      this.last = now;
      const end = this.subject.timeOf(this.subject.frameCount - 1);
      if (this.clock > end + 1e-9) {
        if (!this.isLooping) {
          this.isPlaying = false;
          this.clock = end;
        } else {
          this.clock = this.subject.timeOf(0);
        }
      }
      const index = this.subject.indexAt(this.clock);
      if (index !== this.index) {
        this.index = index;
        await this.show(index);
      }
      this.onChange();
    }
  }
}
