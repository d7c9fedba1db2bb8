import { unavailable } from '@hearth/errors';

/** A bounded queue that one side pushes into and the other reads as an async iterable. */
export interface Pushable<T> extends AsyncIterable<T> {
  push(value: T): void;
  end(): void;
  fail(error: unknown): void;
}

/** @param bound how many values may wait to be read (default 10,000); one more fails the queue as `unavailable` */
export function createPushable<T>(bound = 10_000): Pushable<T> {
  let values: T[] = [];
  let ended = false;
  let failure: unknown;
  let wake: (() => void) | undefined;

  const pushable: Pushable<T> = {
    push(value) {
      if (ended) return;
      if (values.length >= bound) {
        pushable.fail(unavailable('the other side of a stream reads too slowly'));
        return;
      }
      values.push(value);
      wake?.();
    },
    end() {
      ended = true;
      wake?.();
    },
    fail(error) {
      if (ended) return;
      failure = error;
      ended = true;
      wake?.();
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const taken = values;
          values = [];
          yield* taken;
          if (values.length > 0) continue;
          if (failure !== undefined) throw failure;
          if (ended) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          wake = undefined;
        }
      } finally {
        ended = true;
        values = [];
      }
    },
  };
  return pushable;
}
