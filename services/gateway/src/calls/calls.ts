import type { Message } from '@bufbuild/protobuf';
import type { Caller } from '@hearth/rpc';
import { type Asker, namesOf } from '../credentials/module.ts';
import type { Asked, Holds, Series } from '../hold/module.ts';
import type { Exchange } from '../http/module.ts';
import type { Seen } from '../last-seen/module.ts';
import type { Rates } from '../limits/module.ts';
import { type Answer, ask, clientOf } from './ask.ts';
import type { Callable } from './callable.ts';

/** The declared operations, for every way by which they are called. */
export interface Calls<C extends Callable = Callable> {
  /** Throws unless the caller may do this (401, 403) and has one left of what the operation uses up (429). */
  admit(callable: C, asker: Asker, exchange: Exchange): Promise<void>;
  /** Asks the service; holds the request where it says how long it may wait; answers from memory what still holds. */
  answer(call: Call<C>): Promise<Asked<Answer>>;
}

export interface Call<C extends Callable = Callable> {
  callable: C;
  asker: Asker;
  exchange: Exchange;
  /** As its reader made it: every rule of its fields is kept. */
  message: Message;
  question: Question;
}

/** A request in words: what the same caller asks in the same words has the same answer. */
export interface Question {
  /** Names what is asked; undefined for what is too long to be kept. */
  name(): string | undefined;
  /** The same, apart from where it begins (`since`) and how long it may wait. */
  series(): string | undefined;
}

export interface CallsOptions {
  /** Finds who asks, once more: a credential may end while its request is held. */
  findAsker(exchange: Exchange): Promise<Asker>;
  rates: Rates;
  holds: Pick<Holds, 'answer' | 'remember'>;
  seen: Seen;
}

/** Reads what happened without a wait of its own. */
const polls: ReadonlySet<string> = new Set(['poll_events']);

export function createCalls<C extends Callable = Callable>(options: CallsOptions): Calls<C> {
  const { findAsker, rates, holds, seen } = options;
  /** Operations whose answers said that they hold for a while: only these are worth remembering. */
  const remembering = new Set<C>();

  function held({ callable, asker, exchange, message, question }: Call<C>, waitMs: number) {
    const { caller, credential } = asker;
    const began = performance.now();
    let askedMs = 0;
    let first = true;
    if (credential !== undefined) seen.note(credential, 'waited');
    return holds
      .answer<Answer>({
        operation: callable.operation.id,
        owner: ownerOf(caller),
        openWaits: rates.openWaits(caller),
        concerns: namesOf(caller),
        waitMs,
        client: clientOf(exchange.response),
        series: credential && seriesOf(question, message, credential.key),
        ask: async () => {
          const start = performance.now();
          if (!first) await findAsker(exchange);
          first = false;
          const asked = await ask(callable, message, caller);
          askedMs += performance.now() - start;
          return asked;
        },
      })
      .finally(() => {
        exchange.heldMs = performance.now() - began - askedMs;
        if (credential !== undefined) seen.note(credential, 'waited');
      });
  }

  return {
    async admit(callable, { caller }, exchange) {
      callable.check(caller);
      await rates.spend(callable.operation.declared.rate, caller, exchange);
    },
    async answer(call) {
      const { callable, asker, message, question } = call;
      const { caller, credential } = asker;
      const waitMs = callable.canWait ? 1_000 * ((message as { wait?: number }).wait ?? 0) : 0;
      if (waitMs > 0) return held(call, waitMs);
      const checks = callable.canWait || polls.has(callable.operation.id);
      if (credential !== undefined) seen.note(credential, checks ? 'checked' : 'used');
      if (remembering.has(callable)) {
        const name = question.name();
        if (name !== undefined) {
          return holds.remember<Answer>(`${credential?.key} ${name}`, () => ask(callable, message, caller));
        }
      }
      const answer = await ask(callable, message, caller);
      if (callable.readsOnly && answer.marks.validMs > 0) remembering.add(callable);
      return answer;
    },
  };
}

/** What is asked again and again, each time from where the answer before ended. */
function seriesOf(question: Question, message: Message, key: string): Series | undefined {
  const series = question.series();
  if (series === undefined) return undefined;
  return { question: `${key} ${series}`, since: (message as { since?: string }).since ?? '' };
}

/** Whose waits are counted together: an app's are, whomever it acts for. */
function ownerOf({ app, kind, id, network }: Caller): string {
  return app === '' ? `${kind} ${id || network}` : `app ${app}`;
}
