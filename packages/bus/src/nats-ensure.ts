import { isDeepStrictEqual } from 'node:util';
import {
  type ConsumerInfo,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { epochOf } from './nats-life.ts';
import { changeableStreamFields, durableConsumer, eventStream, type StreamLimits } from './streams.ts';

/** JetStream's error code for a durable that exists with another configuration. */
const consumerExists = 10_148;

/**
 * Creates the home's stream, or updates the limits of an existing one; never deletes one. Returns the epoch
 * of its current life.
 */
export async function ensureStream(
  manager: JetStreamManager,
  prefix: string,
  limits: StreamLimits,
): Promise<string> {
  const wanted = eventStream(prefix, limits);
  const present = await findStream(manager, wanted.name);
  if (present === null) return epochOf(await manager.streams.add(wanted));
  const differs = changeableStreamFields.some(
    (field) => wanted[field] !== undefined && !isDeepStrictEqual(present.config[field], wanted[field]),
  );
  if (differs) await manager.streams.update(wanted.name, { ...present.config, ...wanted });
  return epochOf(present);
}

async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null;
    throw error;
  }
}

/** Creates the durable, or updates the subjects and limits of an existing one. */
export async function ensureDurable(
  manager: JetStreamManager,
  prefix: string,
  durable: string,
  subjects: readonly string[],
  limits: StreamLimits,
): Promise<ConsumerInfo> {
  const { name } = eventStream(prefix, limits);
  const wanted = durableConsumer(prefix, durable, subjects, limits);
  try {
    return await manager.consumers.add(name, wanted);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== consumerExists) throw error;
    const { filter_subjects, ack_wait, max_ack_pending, max_deliver, inactive_threshold } = wanted;
    return manager.consumers.update(name, durable, {
      filter_subjects,
      ack_wait,
      max_ack_pending,
      max_deliver,
      inactive_threshold,
    });
  }
}
