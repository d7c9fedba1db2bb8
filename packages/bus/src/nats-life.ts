import { type Clock, nowDate } from '@hearth/clock';
import type { JetStreamManager, StoredMsg, StreamInfo } from '@nats-io/jetstream';
import type { Confirmed } from './bus.ts';
import { decodeFrame } from './frame.ts';
import type { HomeMac } from './home-mac.ts';
import { streamName } from './streams.ts';

/**
 * The server reports when it recreated a wiped log. A log restored from an older copy keeps its name and
 * creation date, so its new life is recorded in the stream's metadata, where every process finds it.
 */
const lifeKey = 'hearth-life';
/** The position up to which handled events were trimmed on purpose; events missing above it were lost. */
const trimmedKey = 'hearth-trimmed';

/** Identifies the current life of a stream by its start time. */
export function epochOf({ created, config }: StreamInfo): string {
  return config.metadata?.[lifeKey] ?? created;
}

/** Begins a new life if the stream, in life `epoch`, lacks any of these events. Returns the current epoch. */
export async function checkLife(
  { manager, prefix, mac, clock }: { manager: JetStreamManager; prefix: string; mac: HomeMac; clock: Clock },
  epoch: string,
  confirmed: readonly Confirmed[],
): Promise<string> {
  const info = await manager.streams.info(streamName(prefix));
  if (epochOf(info) !== epoch) return epochOf(info);
  for (const event of confirmed) {
    if (!(await hasStill(manager, mac, info, event))) return epochOf(await beginLife(manager, info, clock));
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
  // After a restore, later events get the same numbers again.
  const message = await manager.streams.getMessage(config.name, { seq: position });
  if (message === null) return false;
  return eventsOf(message, mac).some((found) => beginsWith(found, event));
}

/** An outbox appends fields to the stored event when publishing it. */
const beginsWith = (found: Uint8Array, event: Uint8Array) =>
  Buffer.compare(found.subarray(0, event.length), event) === 0;

function eventsOf({ subject, data }: StoredMsg, mac: HomeMac): Uint8Array[] {
  try {
    return decodeFrame(mac.open(subject, data));
  } catch {
    return [];
  }
}

/** A time rather than a counter: an older copy has an older counter, which would be used twice. */
function beginLife(manager: JetStreamManager, { config }: StreamInfo, clock: Clock): Promise<StreamInfo> {
  const metadata = { ...config.metadata, [lifeKey]: nowDate(clock).toISOString() };
  return manager.streams.update(config.name, { metadata });
}

/** Call before trimming, so that `checkLife` does not take the trimmed events for lost. */
export async function noteTrimmed(
  manager: JetStreamManager,
  { config }: StreamInfo,
  position: number,
): Promise<void> {
  await manager.streams.update(config.name, {
    metadata: { ...config.metadata, [trimmedKey]: String(position) },
  });
}
