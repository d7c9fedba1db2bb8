import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { PollEventsRequestSchema, PollEventsResponse } from '@hearth/proto/delivery/v1/subscriptions';
import { type Event, EventSchema, type MessageSentSchema } from '@hearth/proto/events/v1/events';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { ServiceDefinition } from '@hearth/runtime';
import { ids, type KnownAi, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { publish, startDelivery, type TestDelivery } from './start-delivery.ts';

export type Polling = Omit<MessageInitShape<typeof PollEventsRequestSchema>, 'id' | '$typeName'>;
type SentMessage = MessageInitShape<typeof MessageSentSchema>;
type EventData = MessageInitShape<typeof EventSchema>['data'];

export interface TestStreams extends TestDelivery {
  world: World;
  newPerson(facts?: Partial<KnownPerson>): KnownPerson;
  newAi(owner?: KnownPerson | null, facts?: Partial<KnownAi>): KnownAi;
  poll(ai: KnownAi, request?: Polling): Promise<PollEventsResponse>;
  /** From the first poll of an AI on: each poll goes on from the one before. */
  follow(ai: KnownAi): Promise<(request?: Polling) => Promise<PollEventsResponse>>;
  /** Something happens now. */
  event(data: EventData, by?: string): Event;
  announce(data: EventData, by?: string): Promise<Event>;
  /** A message comes. */
  messageTo(to: { id: string }, rest?: SentMessage): Event;
  message(to: { id: string }, rest?: SentMessage): Promise<Event>;
}

/** Delivery with an identity that knows the people and AIs of a test, and further peers. */
export async function startStreams(
  env: Record<string, string> = {},
  peers: readonly ServiceDefinition[] = [],
): Promise<TestStreams> {
  const world: World = { people: [], ais: [], groups: [], members: new Map() };
  const home = await startDelivery(env, [...standIns(world), ...peers]);
  let made = 0;

  const event = (data: EventData, by?: string) =>
    create(EventSchema, {
      id: printId('evt', ids.uuid()),
      at: timestampFromMs(home.clock.now()),
      data,
      ...(by !== undefined && { by: { id: by } }),
    });

  function messageTo({ id: to }: { id: string }, rest: SentMessage = {}): Event {
    made += 1;
    const from = '@ada.ai-helper';
    const value = { messageId: `msg_${made}`, thread: 'thr_1', from, box: 'inbox', to, ...rest };
    return event({ case: 'messageSent', value });
  }

  async function announced(one: Event): Promise<Event> {
    await publish(home.bus, [one]);
    return one;
  }

  const poll: TestStreams['poll'] = (ai, request = {}) =>
    home.wakeUps.pollEvents({ id: 'me', ...request }, { caller: callerOf(ai) });

  return {
    ...home,
    world,
    newPerson(facts = {}) {
      made += 1;
      const person = newPerson(`Person${made}`, facts);
      world.people.push(person);
      return person;
    },
    newAi(owner = null, facts = {}) {
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
    },
    poll,
    async follow(ai) {
      let { cursor } = await poll(ai);
      return async (request = {}) => {
        const answer = await poll(ai, { ...request, cursor });
        cursor = answer.cursor;
        return answer;
      };
    },
    event,
    announce: (data, by) => announced(event(data, by)),
    messageTo,
    message: (to, rest) => announced(messageTo(to, rest)),
  };
}

/** An AI as the gateway finds it by its key. */
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
