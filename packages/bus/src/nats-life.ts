import { type Clock, nowDate } from '@hearth/clock';
import type { JetStreamManager, StoredMsg, StreamInfo } from '@nats-io/jetstream';
import type { Confirmed } from './bus.ts';
import { decodeFrame } from './frame.ts';
import type { HomeMac } from './home-mac.ts';
import { streamName } from './streams.ts';

/**
 * A log whose data is wiped is made anew, and the server tells when. One that comes back older keeps its name and its
 * date of making, so what else happened to it is written into the stream itself, where every process finds it.
 */
const lifeKey = 'hearth-life';
/** Up to where handled events were removed on purpose; what is missing above it was lost. */
const trimmedKey = 'hearth-trimmed';

/** Names the present life of a stream by the time when it began. */
export function epochOf({ created, config }: StreamInfo): string {
  return config.metadata?.[lifeKey] ?? created;
}

/** Begins a new life when the stream, in the life `epoch`, lacks one of these events; answers the present one. */
export async function checkLife(
  { manager, prefix, mac, clock }: { manager: JetStreamManager; prefix: string; mac: HomeMac; clock: Clock },
  epoch: string,
  confirmed: readonly Confirmed[],
): Promise<string> {
  const info = await manager.streams.info(streamName(prefix));
  if (epochOf(info) !== epoch) return epochOf(info);
  for (const one of confirmed) {
    if (!(await hasStill(manager, mac, info, one))) return epochOf(await beginLife(manager, info, clock));
  }
  return epoch;
}

async function hasStill(
  manager: JetStreamManager,
  mac: HomeMac,
  { config, state }: StreamInfo,
  { position, event }: Confirmed,
): Promise<boolean> {
  if (position <= Number(config.metadata?.[trimmedKey] ?? 0)) return true;
  if (position < state.first_seq || position > state.last_seq) return false;
  // After a fall back the same number is given again, to whatever is published next.
  const message = await manager.streams.getMessage(config.name, { seq: position });
  if (message === null) return false;
  return eventsOf(message, mac).some((found) => beginsWith(found, event));
}

/** An outbox writes more behind what it stores when it publishes it. */
const beginsWith = (found: Uint8Array, event: Uint8Array) =>
  Buffer.compare(found.subarray(0, event.length), event) === 0;

function eventsOf({ subject, data }: StoredMsg, mac: HomeMac): Uint8Array[] {
  try {
    return decodeFrame(mac.open(subject, data));
  } catch {
    return [];
  }
}

/** A time and not a count: an older copy has an older count, which would be given twice. */
function beginLife(manager: JetStreamManager, { config }: StreamInfo, clock: Clock): Promise<StreamInfo> {
  const metadata = { ...config.metadata, [lifeKey]: nowDate(clock).toISOString() };
  return manager.streams.update(config.name, { metadata });
}

/** To be called before they are removed: what `checkLife` then misses there is not lost. */
export async function noteTrimmed(
  manager: JetStreamManager,
  { config }: StreamInfo,
  position: number,
): Promise<void> {
  await manager.streams.update(config.name, {
    metadata: { ...config.metadata, [trimmedKey]: String(position) },
  });
}
