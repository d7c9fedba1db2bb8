import type { IncomingMessage } from 'node:http';
import { clone, fromBinary, type Message } from '@bufbuild/protobuf';
import { type Authenticate, namesOf, type Principal } from '../credentials/module.ts';
import { clientOf, type Holds, ownerOf, type Reply, type Series } from '../hold/module.ts';
import type { Exchange } from '../http/module.ts';
import type { LastSeen } from '../last-seen/module.ts';
import type { Rates } from '../limits/module.ts';
import { type Answer, ask } from './ask.ts';
import type { Callable } from './callable.ts';
import type { Lanes } from './lanes.ts';

/** Calls of the declared operations, over REST and MCP alike. */
export interface Calls<C extends Callable = Callable> {
  /** Throws unless the caller may call this (401, 403) and has quota left for it (429). */
  admit(callable: C, principal: Principal, exchange: Exchange): Promise<void>;
  /**
   * Asks the service. Holds the request if its metadata says how long it may wait; answers from the cache
   * while a reply is valid.
   */
  answer(call: Call<C>): Promise<Reply<Answer>>;
}

export interface Call<C extends Callable = Callable> {
  callable: C;
  principal: Principal;
  exchange: Exchange;
  /** Validated by its reader. */
  message: Message;
  question: Question;
}

/** The text of a request: the same text from the same caller gets the same answer. */
export interface Question {
  /** Undefined for a request that is too long to be a cache key. */
  name(): string | undefined;
  /** `name` without the request's start (`since`) and wait. */
  series(): string | undefined;
}

export interface Deps {
  /** Called again while a request is held, because its credential may end. */
  authenticate: Authenticate;
  rates: Rates;
  holds: Pick<Holds, 'answer' | 'remember'>;
  lastSeen: LastSeen;
  lanes: Lanes;
  /** Throws unavailable while the client's network leaves too many response bytes unread. */
  checkUntaken(request: IncomingMessage): void;
}

/** Operations that read events without a wait of their own. */
const polls: ReadonlySet<string> = new Set(['poll_events']);

export function createCalls<C extends Callable = Callable>(deps: Deps): Calls<C> {
  const { authenticate, rates, holds, lastSeen, lanes, checkUntaken } = deps;
  /** Operations whose metadata once declared replies valid for a while; only these are worth caching. */
  const remembering = new Set<C>();

  function askFor({ callable, principal: { caller, credential }, exchange, message }: Call<C>) {
    const work = () => ask(callable, message, caller);
    if (!callable.lists) return work();
    const reader = `${credential?.key ?? caller.network} ${callable.operation.id}`;
    return lanes.run(reader, () => checkUntaken(exchange.request), work);
  }

  function hold(call: Call<C>, waitMs: number) {
    const { callable, principal, exchange, message, question } = call;
    const { caller, credential } = principal;
    const began = performance.now();
    let askedMs = 0;
    let first = true;
    if (credential !== undefined) lastSeen.note(credential, 'waited');
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
          if (!first) await authenticate(exchange);
          first = false;
          const reply = await askFor(call);
          askedMs += performance.now() - start;
          return reply;
        },
        async take(bytes) {
          await authenticate(exchange);
          checkUntaken(exchange.request);
          return { message: fromBinary(callable.operation.desc.output, bytes) };
        },
      })
      .then((reply) => (reply.superseded ? markSuperseded(callable, reply) : reply))
      .finally(() => {
        exchange.heldMs = performance.now() - began - askedMs;
        if (credential !== undefined) lastSeen.note(credential, 'waited');
      });
  }

  return {
    async admit(callable, { caller }, exchange) {
      callable.check(caller);
      await rates.spend(callable.operation.declared.rate, caller, exchange);
    },
    async answer(call) {
      const { callable, principal, message, question } = call;
      const { credential } = principal;
      const waitMs = callable.canWait ? 1_000 * ((message as { wait?: number }).wait ?? 0) : 0;
      if (waitMs > 0) return hold(call, waitMs);
      const checks = callable.canWait || polls.has(callable.operation.id);
      if (credential !== undefined) lastSeen.note(credential, checks ? 'checked' : 'used');
      if (remembering.has(callable)) {
        const name = question.name();
        if (name !== undefined) {
          return holds.remember<Answer>(`${credential?.key} ${name}`, () => askFor(call));
        }
      }
      const reply = await askFor(call);
      if (callable.readsOnly && reply.metadata.validMs > 0) remembering.add(callable);
      return reply;
    },
  };
}

/** The series of repeated polls, each starting where the previous answer ended. */
function seriesOf(question: Question, message: Message, key: string): Series | undefined {
  const series = question.series();
  if (series === undefined) return undefined;
  return { question: `${key} ${series}`, since: (message as { since?: string }).since ?? '' };
}

/** Marks an answer as superseded, which tells why it came early. Every operation that can be held has the field. */
function markSuperseded({ operation }: Callable, { answer, metadata }: Reply<Answer>): Reply<Answer> {
  const message = clone(operation.desc.output, answer.message);
  return { answer: { message: Object.assign(message, { superseded: true }) }, metadata };
}
