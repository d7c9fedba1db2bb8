import type { Clock } from '@hearth/clock';
import type { Caller } from './caller.ts';
import { noMetadata, type ResponseMetadata } from './response-metadata.ts';

/** One call as its handler sees it: its caller, deadline, and response metadata. */
export interface Call {
  readonly caller: Caller;
  /** The calling service: "gateway", "messages", ... */
  readonly service: string;
  /** Milliseconds since 1970 at which the caller stops waiting. */
  readonly deadline: number;
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal;
  /** Aborted when the server of this call stops accepting calls and waits for this one. */
  readonly stopping?: AbortSignal | undefined;
  /** Answers that there is nothing yet; the call is repeated when one of these topics is woken. */
  waitOn(...topics: string[]): void;
  /**
   * Says that the answer is complete up to `since`: until one of these topics is woken, a poll that continues from
   * there would find nothing, and is held without a call.
   */
  caughtUp(since: string, ...topics: string[]): void;
  /** Says that, while waiting or caught up, the data carried by a wake also answers this call. */
  takesCarried(): void;
  /** Declares the answer valid for that many milliseconds, unless one of these topics is woken earlier. */
  validFor(milliseconds: number, ...topics: string[]): void;
  /** Overrides the declared HTTP status: 200 for a repeated request_id, 304 for an unchanged card. */
  answerWith(httpStatus: number): void;
}

/** The context that a channel passes to the dispatcher with each call. */
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
  // Most handlers never use the signal, so it is created lazily.
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
