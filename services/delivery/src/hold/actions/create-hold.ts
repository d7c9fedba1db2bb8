import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DeliveryService, HoldResponseSchema } from '@hearth/proto/delivery/v1/delivery';
import { type BidiHandler, createPushable } from '@hearth/rpc';
import type { Watchers } from '../domain/watchers.ts';

/** Serves the stream of one gateway process: the gateway names topics, and is notified when they are woken. */
export function createHold(watchers: Watchers): BidiHandler<typeof DeliveryService.method.hold> {
  return async function* hold(requests, call) {
    const answers = createPushable<MessageInitShape<typeof HoldResponseSchema>>();
    const watcher = watchers.add((woken, carried) =>
      answers.push({ woken, carried: carriedFor(woken, carried) }),
    );
    call.signal.addEventListener('abort', () => answers.end(), { once: true });
    const leave = () => answers.push({ leaving: true });
    if (call.stopping?.aborted) leave();
    call.stopping?.addEventListener('abort', leave, { once: true, signal: call.signal });

    const read = async () => {
      for await (const { sequence, watch, unwatch } of requests) {
        watcher.watch(watch);
        watcher.unwatch(unwatch);
        answers.push({ acknowledged: sequence });
      }
      answers.end();
    };
    read().catch((error: unknown) => answers.fail(error));

    try {
      yield* answers;
    } finally {
      watcher.end();
    }
  };
}

function carriedFor(woken: readonly string[], carried: ReadonlyMap<string, Uint8Array>) {
  const parts: Record<string, Uint8Array> = {};
  for (const topic of woken) {
    const bytes = carried.get(topic);
    if (bytes !== undefined) parts[topic] = bytes;
  }
  return parts;
}
