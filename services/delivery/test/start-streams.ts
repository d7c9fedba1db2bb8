import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { PollEventsRequestSchema, PollEventsResponse } from '@hearth/proto/delivery/v1/subscriptions';
import type { Event, MessageSentSchema } from '@hearth/proto/events/v1/events';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { EventInit, Fake } from '@hearth/testkit';
import { ids, type KnownAi, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { startDelivery } from './start-delivery.ts';

export type Polling = Omit<MessageInitShape<typeof PollEventsRequestSchema>, 'id' | '$typeName'>;
type SentMessage = MessageInitShape<typeof MessageSentSchema>;

/** Delivery with an identity that knows the test's people and AIs, and other peers. */
export async function startStreams(env: Record<string, string> = {}, fakes: readonly Fake[] = []) {
  const world: World = { people: [], ais: [], groups: [], members: new Map() };
  const home = await startDelivery(env, [...standIns(world), ...fakes]);
  let made = 0;

  /** A message to an AI. */
  function messageTo({ id: to }: { id: string }, rest: SentMessage = {}): Event {
    made += 1;
    const from = '@ada.ai-helper';
    const value = { messageId: `msg_${made}`, thread: 'thr_1', from, box: 'inbox', to, ...rest };
    return home.event({ case: 'messageSent', value });
  }

  function newOne(facts: Parameters<typeof newPerson>[1] = {}): KnownPerson {
    made += 1;
    const person = newPerson(`Person${made}`, facts);
    world.people.push(person);
    return person;
  }

  function newAi(owner: KnownPerson | null = null, facts: Partial<KnownAi> = {}): KnownAi {
    made += 1;
    const ai: KnownAi = {
      id: ids.uuid(),
      address: `@free-${made}.ai-robin`,
      owner: owner?.id ?? '',
      permissions: [Scope.READ, Scope.MESSAGE],
      ...facts,
    };
    world.ais.push(ai);
    return ai;
  }

  const poll = (ai: KnownAi, request: Polling = {}): Promise<PollEventsResponse> =>
    home.by(callerOf(ai)).pollEvents({ id: 'me', ...request });

  return {
    ...home,
    world,
    newPerson: newOne,
    newAi,
    poll,
    /** An AI without an owner, and the cursor of its first poll. */
    async poller() {
      const robin = newAi();
      return { robin, cursor: (await poll(robin)).cursor };
    },
    /** Ada's AI, and the cursor of its first poll. */
    async ownedPoller() {
      const [ada, ben] = [newOne(), newOne()];
      const robin = newAi(ada);
      return { ada, ben, robin, cursor: (await poll(robin)).cursor };
    },
    /** Polls repeatedly from an AI's first poll on, each time with the last cursor. */
    async follow(ai: KnownAi) {
      let { cursor } = await poll(ai);
      return async (request: Polling = {}) => {
        const answer = await poll(ai, { ...request, cursor });
        cursor = answer.cursor;
        return answer;
      };
    },
    announce: (data: EventInit, by?: string) =>
      home.publish(data, by === undefined ? {} : { by: { id: by } }),
    messageTo,
    async message(to: { id: string }, rest?: SentMessage): Promise<Event> {
      const event = messageTo(to, rest);
      await home.publishAll([event]);
      return event;
    },
  };
}

/** An AI, as the gateway identifies it by its key. */
export function callerOf(ai: KnownAi, rest: MessageInitShape<typeof CallerSchema> = {}): Caller {
  return create(CallerSchema, {
    kind: CallerKind.AI,
    id: ai.id,
    address: ai.address,
    person: ai.owner ?? '',
    scopes: ai.permissions ?? [],
    ...rest,
  });
}
