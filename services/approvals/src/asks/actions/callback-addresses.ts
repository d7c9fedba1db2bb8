import { hour, second } from '@hearth/clock';
import type { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import type { Call, Client } from '@hearth/rpc';
import { LRUCache } from 'lru-cache';

/**
 * Verifies a callback address by a challenge that it must return. @throws bad_request
 * (callback_challenge_failed)
 */
export type VerifyCallback = (url: string, call: Call) => Promise<void>;

/** The address itself has ten seconds to respond. */
const timeoutMs = 12 * second;

/** Caches verified addresses, so that a frequent asker is not challenged each time. */
export function createVerifyCallback(
  callbacks: Pick<Client<typeof CallbacksService>, 'verifyCallback'>,
): VerifyCallback {
  const verified = new LRUCache<string, true>({ max: 1_000, ttl: hour });
  return async (url, call) => {
    const key = `${call.caller.id} ${url}`;
    if (verified.has(key)) return;
    await callbacks.verifyCallback({ url }, { call, timeoutMs });
    verified.set(key, true);
  };
}
