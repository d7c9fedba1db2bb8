import type { DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { second } from '@hearth/clock';
import { unauthenticated } from '@hearth/errors';
import { ResponseMetadataSchema } from '@hearth/proto/batch/v1/batch';
import type { Caller } from '@hearth/rpc';
import { namesOf } from '../credentials/module.ts';
import { clientOf, type Holds } from '../hold/module.ts';
import type { Sessions } from '../sessions/module.ts';
import type { Own, PageRequest } from './page.ts';
import type { Services } from './services.ts';

export interface Held {
  /**
   * Calls the method as the person, and holds the request while the answer is "nothing yet": for at most 25
   * seconds, and only as long as the person is signed in.
   *
   * @param name for metrics: "decision_changes"
   */
  held<M extends DescMethodUnary>(
    request: Own<PageRequest>,
    name: string,
    method: M,
    message: MessageInitShape<M['input']>,
  ): Promise<MessageShape<M['output']>>;
}

/** The longest time that a page's request is held, in seconds. */
export const heldSeconds = 25;

/** With more pages open than this, the oldest of them update a little later. */
const openPages = 20;

interface Deps {
  ask: Services['ask'];
  holds: Pick<Holds, 'answer'>;
  sessions: Pick<Sessions, 'callerOf'>;
}

export function createHeld({ ask, holds, sessions }: Deps): Held {
  return {
    async held({ exchange, person }, name, method, message) {
      let caller: Caller | null = person;
      let askedMs = 0;
      const began = performance.now();
      const reply = await holds.answer({
        operation: name,
        owner: `page ${person.id}`,
        openWaits: openPages,
        concerns: namesOf(person),
        waitMs: heldSeconds * second,
        client: clientOf(exchange.response),
        async ask() {
          const start = performance.now();
          let metadata = create(ResponseMetadataSchema);
          caller ??= await sessions.callerOf(exchange.request);
          if (caller === null) throw unauthenticated('sign in again');
          const onMetadata = (given: typeof metadata) => {
            metadata = given;
          };
          const answer = await ask(method, message, caller, { onMetadata });
          // The next call looks the session up again.
          caller = null;
          askedMs += performance.now() - start;
          return { answer, metadata };
        },
      });
      exchange.heldMs = performance.now() - began - askedMs;
      return reply.answer;
    },
  };
}
