import type { Message } from '@bufbuild/protobuf';
import type { BidiStream, Channel, Outgoing } from './channel.ts';
import type { Answer, Dispatcher } from './dispatcher.ts';
import { createPushable } from './pushable.ts';
import { withDeadline } from './with-deadline.ts';

/**
 * The way to a service in the same process: same errors and deadlines as over the wire, and the same bytes except for
 * hot methods and streams.
 */
export function createLocalChannel(dispatcher: Dispatcher, now: () => number): Channel {
  return {
    remote: false,
    unary(path: string, request: Uint8Array, outgoing: Outgoing): Promise<Answer> {
      return withDeadline(dispatcher.unary(path, request, outgoing), outgoing.deadline - now());
    },
    speak: (path, request, outgoing) =>
      withDeadline(dispatcher.speak(path, request, outgoing), outgoing.deadline - now()),
    bidi(path, _desc, outgoing): BidiStream {
      const requests = createPushable<Message>();
      return {
        write: requests.push,
        end: requests.end,
        // A handler ends its answers when its requests end.
        cancel: requests.end,
        answers: dispatcher.bidi(path, requests, outgoing),
      };
    },
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
