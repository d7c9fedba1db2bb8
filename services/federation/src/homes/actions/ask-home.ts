import type { Clock } from '@hearth/clock';
import { type GuardedAnswer, type GuardedHttp, OutboundError } from '@hearth/guarded-http';
import { signRequest } from '@hearth/http-signatures';
import type { Random } from '@hearth/ids';
import { encodeBase64url } from '@hearth/signing';
import type { KeyRing } from '../../signing/module.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { Policy } from '../domain/policy.ts';
import { type ReachRefusal, unreachable } from '../domain/refusal.ts';
import type { Breaker } from './breaker.ts';
import type { Slots } from './slots.ts';

/** A request to another home. */
export interface HomeQuestion {
  method: 'GET' | 'POST';
  /** Relative to the endpoint, with its query, in the form that is signed (`encodePart`): /cards/%40ana */
  path: string;
  /** JSON */
  body?: Uint8Array;
  /** Unsigned headers. */
  headers?: Readonly<Record<string, string>>;
  /** Covers waiting for a slot and for the answer. */
  timeoutMs: number;
  maxResponseBytes: number;
}

export type HomeReply = ({ refused: false; policy: Policy } & GuardedAnswer) | ReachRefusal;

/** Sends a signed request to another home. @param insist bypasses the circuit breaker */
export type AskHome = (home: string, question: HomeQuestion, insist?: boolean) => Promise<HomeReply>;

interface AskHomeDeps {
  clock: Clock;
  random: Random;
  http: Pick<GuardedHttp, 'request'>;
  ownHome: string;
  keyRing: KeyRing;
  breaker: Breaker;
  slots: Slots;
  reach(home: string): Promise<({ refused: false; policy: Policy } & Endpoint) | ReachRefusal>;
  heard(home: string, docSeq: number): void;
}

export function createAskHome(parts: AskHomeDeps): AskHome {
  const { clock, random, http, ownHome, keyRing, breaker, slots, reach, heard } = parts;

  async function send(
    home: string,
    endpoint: string,
    { method, path, body, headers, ...bounds }: HomeQuestion,
  ): Promise<GuardedAnswer> {
    const target = `${endpoint}${path}`;
    const content = body !== undefined && { body };
    const signed = () =>
      signRequest(
        { method, target, origin: ownHome, destination: home, ...content },
        { key: keyRing.current.pair, now: clock.now(), nonce: encodeBase64url(random.bytes(16)) },
      );
    // Signed again for each attempt: the first nonce may already have been used.
    return await http.request({
      ...{ method, url: target, ...content, ...bounds },
      headers: () => ({ ...headers, ...signed() }),
    });
  }

  return async (home, question, insist = false) => {
    const reached = await reach(home);
    if (reached.refused) return reached;
    const waitMs = insist ? 0 : breaker.waitMs(home, clock.now());
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      return unreachable(home, `it did not answer lately; it is asked again in ${seconds} seconds`);
    }
    try {
      const { limits, endpoint, policy } = reached;
      const answer = await slots.run(home, limits.maxAtOnce, question.timeoutMs, () =>
        send(home, endpoint, question),
      );
      if (answer === null) return unreachable(home, 'too many requests to it wait for each other');
      if (answer.status >= 500) breaker.noteFailure(home, clock.now());
      else breaker.noteAnswer(home);
      const { 'home-doc': docSeq = '' } = answer.headers;
      if (/^\d{1,15}$/.test(docSeq)) heard(home, Number(docSeq));
      return { refused: false, policy, ...answer };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      breaker.noteFailure(home, clock.now());
      return unreachable(home, error.message);
    }
  };
}
