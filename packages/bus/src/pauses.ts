/** Waits that can be cut short together, so that nothing sleeps through a shutdown. */
export interface Pauses {
  /** Resolves after that many milliseconds, or at once when `end` was or is called. */
  wait(milliseconds: number): Promise<void>;
  end(): void;
}

export function createPauses(): Pauses {
  const pending = new Map<NodeJS.Timeout, () => void>();
  let ended = false;
  return {
    wait(milliseconds) {
      if (ended) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          pending.delete(timer);
          resolve();
        }, milliseconds);
        pending.set(timer, resolve);
      });
    },
    end() {
      ended = true;
      for (const [timer, resolve] of pending) {
        clearTimeout(timer);
        resolve();
      }
      pending.clear();
    },
  };
}
