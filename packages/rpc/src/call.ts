import type { Clock } from '@hearth/clock';
import type { Caller } from './caller.ts';
import { noMetadata, type ResponseMetadata } from './response-metadata.ts';

/** One call as its handler sees it: its caller, its deadline, and the metadata of its response. */
export interface Call {
  readonly caller: Caller;
  /** The service that called: "gateway", "messages", ... */
  readonly service: string;
  /** Milliseconds since 1970 at which the caller stops waiting. */
  readonly deadline: number;
  /** Aborted when the caller went away or the deadline passed. */
  readonly signal: AbortSignal;
  /** Aborted when the server that the call came to takes no further calls and waits for this one. */
  readonly stopping?: AbortSignal | undefined;
  /** "Nothing yet: ask me again when one of these topics is woken." */
  waitOn(...topics: string[]): void;
  /**
   * "This is all there is: the same question with `since` at that id is answered nothing until one of these topics
   * is woken." A poll that goes on from there is held without being asked first.
   */
  caughtUp(since: string, ...topics: string[]): void;
  /** "Once I wait or am caught up: what a wake carries is the answer to this question too." */
  takesCarried(): void;
  /** "This answer holds for that many milliseconds, unless one of these topics is woken before." */
  validFor(milliseconds: number, ...topics: string[]): void;
  /** Another HTTP status than the declared one: 200 for a repeated request_id, 304 for a card that still holds. */
  answerWith(httpStatus: number): void;
}

/** The context that a channel hands to the dispatcher with each call. */
export interface IncomingCall {
  caller: Caller;
  service: string;
  deadline: number;
  traceparent: string | undefined;
  stopping?: AbortSignal | undefined;
}

export interface DispatchedCall extends Call {
  readonly metadata: ResponseMetadata;
  abort(reason: unknown): void;
}

export function createCall(incoming: IncomingCall, clock: Clock): DispatchedCall {
  const metadata = noMetadata();
  // Most handlers never look at the signal, so it is made when first asked for.
  let controller: AbortController | undefined;
  let aborted: unknown;
  return {
    caller: incoming.caller,
    service: incoming.service,
    deadline: incoming.deadline,
    stopping: incoming.stopping,
    metadata,
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (aborted !== undefined) controller.abort(aborted);
        else {
          const timeout = setTimeout(
            () => controller?.abort(new Error('deadline passed')),
            Math.max(0, incoming.deadline - clock.now()),
          );
          timeout.unref();
        }
      }
      return controller.signal;
    },
    abort(reason) {
      aborted = reason;
      controller?.abort(reason);
    },
    waitOn(...topics) {
      metadata.waitTopics.push(...topics);
    },
    caughtUp(since, ...topics) {
      metadata.caughtUpAfter = since;
      metadata.caughtUpTopics.push(...topics);
    },
    takesCarried() {
      metadata.takesCarried = true;
    },
    validFor(milliseconds, ...topics) {
      metadata.validMs = milliseconds;
      metadata.validTopics.push(...topics);
    },
    answerWith(httpStatus) {
      metadata.httpStatus = httpStatus;
    },
  };
}
