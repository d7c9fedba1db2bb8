import { asHearthError } from '@hearth/errors';
import type { BidiStream, Channel, Outgoing } from './channel.ts';
import type { Answer, Dispatcher } from './dispatcher.ts';

import { createPushable } from './pushable.ts';
import { withDeadline } from './with-deadline.ts';

/** The way to a service of the same process: the same errors and deadlines as over the wire, and the same bytes but for hot methods. */
export function createLocalChannel(dispatcher: Dispatcher, now: () => number): Channel {
  return {
    remote: false,
    unary(path: string, request: Uint8Array, outgoing: Outgoing): Promise<Answer> {
      return withDeadline(dispatcher.unary(path, request, outgoing), outgoing.deadline - now());
    },
    speak: (path, request, outgoing) =>
      withDeadline(dispatcher.speak(path, request, outgoing), outgoing.deadline - now()),
    bidi(path, outgoing): BidiStream {
      const requests = createPushable<Uint8Array>();
      const answers = createPushable<Uint8Array>();
      const pump = async () => {
        try {
          for await (const bytes of dispatcher.bidi(path, requests, outgoing)) answers.push(bytes);
          answers.end();
        } catch (thrown) {
          answers.fail(asHearthError(thrown));
        }
      };
      void pump();
      return {
        write: (bytes) => requests.push(bytes),
        end: () => requests.end(),
        cancel: () => {
          requests.end();
          answers.end();
        },
        answers,
      };
    },
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
