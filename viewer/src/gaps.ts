// Gaps from the worker: one question at a time, and only the newest of those that wait.
import type { GapBody } from './gap';
import GapWorker from './gap.worker?worker&inline';

export class Gaps {
  private worker: Worker | null = null;
  private next = 0;
  private readonly waiting = new Map<number, (gaps: Float32Array[]) => void>();

  find(bodies: GapBody[], reach: number): Promise<Float32Array[]> {
    if (!this.worker) {
      this.worker = new GapWorker();
      this.worker.onmessage = (event: MessageEvent<{ id: number; gaps: Float32Array[] }>) => {
        this.waiting.get(event.data.id)?.(event.data.gaps);
        this.waiting.delete(event.data.id);
      };
    }
    const id = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.worker!.postMessage({ id, bodies, reach });
    });
  }
}
