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
   * The caller with this credential: at once from the cache, else from identity. Throws unauthenticated (401) for one
   * that does not work, with code key_revoked for one that no longer does; forbidden for a person whom the app does
   * not hold, and for the AI of a child that may not act, or of one that is suspended; bad_request where a caller that is no app names a person or
   * an AI to act for.
   *
   * @param actingFor the id of Svc-Acting-For, as `readActingFor` reads it (default: none)
   * @param beforeLooking called before identity is asked for a credential that never worked here; throws where it may not be
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

/** Sent to every process of a home when credentials changed; the payload is the uuid of their holder, or empty for all. */
export const credentialsSignal = 'credentials';

const keptMs = minute;
const refusalKeptMs = 5 * second;
const maxKept = 10_000;
const maxRefusalsKept = 1_000;

/** Credentials as identity knows them, cached for a minute and evicted at once when they change. */
export function createCredentials(deps: Deps): Credentials {
  const { identity, bus, clock } = deps;
  const known = createFactCache<Credential>({
    clock,
    max: maxKept,
    keptMs,
    bus,
    signals: [credentialsSignal],
    namesOf: ({ caller }) => namesOf(caller),
    onForgotten(id) {
      asking.clear();
      refused.forget('');
      deps.onEvicted?.(id);
    },
  });
  // Apart, so that a flood of wrong keys does not push out the right ones.
  const refused = createFactCache<HearthError>({
    clock,
    max: maxRefusalsKept,
    keptMs: refusalKeptMs,
  });
  const asking = new Map<string, Promise<Credential>>();
  // Looked for again at any time: a flood of wrong keys beside them keeps none of them out.
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
