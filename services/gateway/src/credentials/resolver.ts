import { timingSafeEqual } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { createFactCache } from '@hearth/cache/facts';
import { createLru } from '@hearth/cache/lru';
import { minute, second } from '@hearth/clock';
import type { HearthError } from '@hearth/errors';
import { CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import { type Client, callerKinds } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Credential, digestOf, keyOf, namesOf } from './credential.ts';
import { refusalOf } from './refusals.ts';

export interface Credentials {
  /**
   * The caller with this credential, synchronously from the cache or else from identity. Throws
   * unauthenticated (401) if it does not work, with code key_revoked if it once did; forbidden for a person
   * that the app may not act for, a child's AI that may not act, or a suspended AI; bad_request if a caller other
   * than an app names a person or an AI to act for.
   *
   * @param actingFor the id in Svc-Acting-For, as `readActingFor` returns it (default: none)
   * @param beforeLooking called before asking identity about a credential that never worked here; may throw
   * to prevent it
   */
  resolve(token: string, actingFor?: string, beforeLooking?: () => void): Credential | Promise<Credential>;
  stop(): Promise<void>;
}

export interface Deps extends Pick<Host, 'clock'> {
  operatorKey: string;
  identity: Pick<Client<typeof IdentityService>, 'resolveCredential'>;
  bus: Pick<Bus, 'onSignal' | 'onReconnect'>;
  /** Called with the uuid whose credentials were evicted, or empty for all. */
  onEvicted?: (id: string) => void;
}

/**
 * The signal for changed credentials, sent to every process of a home; the payload is their holder's uuid, or
 * empty for all.
 */
export const credentialsSignal = 'credentials';

const keptMs = minute;
const refusalKeptMs = 5 * second;
const maxKept = 10_000;
const maxRefusalsKept = 1_000;

/** Resolves credentials through identity. Cached for a minute, and evicted as soon as they change. */
export function createCredentials(deps: Deps): Credentials {
  const { identity, bus, clock } = deps;
  const known = createFactCache<Credential>({
    clock,
    max: maxKept,
    keptMs,
    byDay: true,
    bus,
    signals: [credentialsSignal],
    namesOf: ({ caller }) => namesOf(caller),
    onForgotten(id) {
      asking.clear();
      refused.forget('');
      deps.onEvicted?.(id);
    },
  });
  // A cache of its own, so that a flood of wrong keys does not evict valid ones.
  const refused = createFactCache<HearthError>({
    clock,
    max: maxRefusalsKept,
    keptMs: refusalKeptMs,
    byDay: true,
  });
  const asking = new Map<string, Promise<Credential>>();
  // Credentials that once worked here may always be looked up: a flood of wrong keys cannot lock them out.
  const worked = createLru<true>(maxKept);
  const isOperatorKey = keyMatcher(deps.operatorKey);

  async function ask(digest: string, actingFor: string): Promise<Credential> {
    const [keep, keepRefusal] = [known.keeper(), refused.keeper()];
    const key = keyOf(digest, actingFor);
    const answer = await identity.resolveCredential({ hash: Buffer.from(digest, 'base64'), actingFor });
    if (answer.caller === undefined) {
      const refusal = refusalOf(answer.refusal, answer);
      keepRefusal(key, refusal);
      throw refusal;
    }
    const { audience, caller } = answer;
    const credential = { digest, key, caller, ...(audience !== '' && { audience }) };
    const endsAt = answer.endsAt === 0n ? Number.POSITIVE_INFINITY : Number(answer.endsAt);
    worked.set(key, true);
    keep(key, credential, Math.min(clock.now() + keptMs, endsAt));
    return credential;
  }

  function askOnce(digest: string, actingFor: string): Promise<Credential> {
    const key = keyOf(digest, actingFor);
    let answer = asking.get(key);
    if (answer === undefined) {
      const mine: Promise<Credential> = ask(digest, actingFor).finally(() => {
        if (asking.get(key) === mine) asking.delete(key);
      });
      asking.set(key, mine);
      answer = mine;
    }
    return answer;
  }

  return {
    resolve(token, actingFor = '', beforeLooking) {
      const digest = digestOf(token);
      const key = keyOf(digest, actingFor);
      const credential = known.get(key);
      if (credential !== undefined) return credential;
      if (isOperatorKey(digest)) {
        if (actingFor !== '') throw refusalOf('not_an_app');
        return operator(digest);
      }
      const refusal = refused.get(key);
      if (refusal !== undefined) throw refusal;
      if (!worked.has(key)) beforeLooking?.();
      return askOnce(digest, actingFor);
    },
    stop: known.stop,
  };
}

function keyMatcher(key: string): (digest: string) => boolean {
  const expected = Buffer.from(digestOf(key));
  return (digest) => key !== '' && timingSafeEqual(Buffer.from(digest), expected);
}

function operator(digest: string): Credential {
  return {
    digest,
    key: digest,
    caller: create(CallerSchema, { kind: callerKinds.OPERATOR, name: 'operator', via: Via.API }),
  };
}
