import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { knownActor } from './actor.ts';
import type { Draft } from './draft.ts';
import { type EventCase, type Made, type Mapper, tableOf } from './family.ts';
import { agreementEvents } from './of-agreements.ts';
import { aiEvents } from './of-ais.ts';
import { approvalEvents } from './of-approvals.ts';
import { appEvents } from './of-apps.ts';
import { commonsEvents } from './of-commons.ts';
import { decisionEvents } from './of-decisions.ts';
import { groupEvents } from './of-groups.ts';
import { homeEvents } from './of-homes.ts';
import { inviteEvents } from './of-invites.ts';
import { meetingEvents } from './of-meetings.ts';
import { messageEvents } from './of-messages.ts';
import { operatorEvents } from './of-operator.ts';
import { peopleEvents } from './of-people.ts';
import { planEvents } from './of-plans.ts';
import { requestEvents } from './of-requests.ts';
import { sendEvents } from './of-sends.ts';

export const table = tableOf([
  agreementEvents,
  aiEvents,
  appEvents,
  approvalEvents,
  commonsEvents,
  decisionEvents,
  groupEvents,
  homeEvents,
  inviteEvents,
  meetingEvents,
  messageEvents,
  operatorEvents,
  peopleEvents,
  planEvents,
  requestEvents,
  sendEvents,
]);

/** The event types and drafts of one audience. */
export interface Audience<One> {
  types: string[];
  /** Returns none for an event that means nothing to this audience, or has no id or time. */
  drafts(event: Event): (One & Draft)[];
}

const { fields } = EventSchema.oneofs[0]!;

function audience<Name extends keyof Made>(name: Name): Audience<Made[Name]> {
  const mapperOf = (event: EventCase) => table[event][name] as Mapper<never, Made[Name]> | null;
  return {
    types: fields
      .filter(({ localName }) => mapperOf(localName as EventCase) !== null)
      .map(({ name }) => name),
    drafts({ id, at, data, by }) {
      const event = parseId('evt', id);
      if (event === null || at === undefined || data.case === undefined) return [];
      const common: Draft = { event, at: timestampDate(at), by: knownActor(by) };
      const made = [mapperOf(data.case)?.(data.value as never, common.by) ?? null].flat();
      return made.flatMap((one) => (one === null ? [] : { ...(one as Made[Name]), ...common }));
    },
  };
}

/** All audiences of events. */
export const audiences = {
  activity: audience('activity'),
  audit: audience('audit'),
  app: audience('app'),
  wakeUp: audience('wakeUp'),
  notice: audience('notice'),
  mail: audience('mail'),
  callback: audience('callback'),
} satisfies { [Name in keyof Made]: Audience<Made[Name]> };
