import { hour, second } from '@hearth/clock';
import type { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import type { Call, Client } from '@hearth/rpc';
import { LRUCache } from 'lru-cache';

/** Has an address give back a challenge before outcomes are posted to it. @throws bad_request (callback_challenge_failed) */
export type VerifyCallback = (url: string, call: Call) => Promise<void>;

/** The address may take ten seconds. */
const timeoutMs = 12 * second;

/** Addresses that gave it back are remembered for a while, so that an asker who asks often is not looked up each time. */
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
